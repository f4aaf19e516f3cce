import type { RequestListener } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { fastify } from 'fastify';
import { createApp } from '../api/app.ts';
import { policy } from '../api/policy.ts';
import { listen } from '../listen.ts';
import { createLog } from '../log.ts';
import { openStore } from '../store/store.ts';

/** What is measured: a constant answer, then with authentication, then the whole search. Each includes the one before. */
export type Part = 'constant' | 'authenticated' | 'whole';

export interface ServiceTarget {
  readonly urls: Readonly<Record<Part, string>>;
  readonly tokens: readonly string[];
  readonly queries: readonly string[];
}

const PEOPLE = 100;
const DOCUMENTS = 10_000;
const TOKENS = 1000;

// This file runs in a thread of its own, so that the sender does not use the time of the service.
const { database } = workerData as { database: string };
const now = Date.now;
const store = await openStore(database, now);

/** Random numbers from 0 to 1, the same in every run, so that every run searches the same documents (Lehmer). */
function seededRandom(): () => number {
  let state = 20_300_101;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const random = seededRandom();
const below = (limit: number) => Math.floor(random() * limit);
/** A few words are in most documents and most words are in few documents, as in natural language (Zipf). */
const word = () => `w${Math.floor(5000 ** random())}x`;
const words = (count: number) => Array.from({ length: count }, word).join(' ');
const email = (number: number) => `person-${number}@example.com`;

await store.seed({
  name: 'The bench',
  people: Array.from({ length: PEOPLE }, (_, number) => ({
    email: email(number),
    name: `Person ${number}`,
    role: number === 0 ? ('super-admin' as const) : ('user' as const),
  })),
  documents: Array.from({ length: DOCUMENTS }, (_, number) => ({
    title: words(5),
    body: words(80),
    owner: email(below(PEOPLE)),
    audience: number % 3 === 0 ? ('everyone' as const) : [email(below(PEOPLE))],
  })),
});
const admin = await store.people.find(email(0));
if (!admin) throw new Error(`wanted the super admin ${email(0)} in the seeded database, found none`);
const tokens: string[] = [];
for (let number = 0; number < TOKENS; number += 1) {
  const issued = await store.serviceTokens.issue(admin, {
    description: `bench ${number}`,
    permission: 'USER',
    userEmail: email(number % PEOPLE),
    scopes: ['SEARCH'],
  });
  if (!issued.ok)
    throw new Error(`cannot issue a token for the bench: ${issued.problems.map(({ message }) => message).join(' ')}`);
  tokens.push(issued.secret);
}
const queries = Array.from({ length: 200 }, () => words(3));

// The answer of a search, so that the three parts send answers of the same size.
const [sample] = queries;
const answer = {
  results: await store.documents.visibleTo(admin, sample ?? '', 10),
  trackingToken: '00000000-0000-0000-0000-000000000000',
  requestId: '00000000-0000-0000-0000-000000000000',
};

const urls: Record<Part, string> = { constant: '', authenticated: '', whole: '' };
async function serve(part: Part, app: { ready(): PromiseLike<unknown>; routing: RequestListener }): Promise<void> {
  await app.ready();
  const server = await listen();
  server.answerWith(app.routing);
  urls[part] = server.url;
}
const context = { store, now, issuers: [], log: createLog('silent') };
const constant = fastify();
constant.post('/rest/api/v1/search', async () => answer);
await serve('constant', constant);
await serve('authenticated', createApp({ ...context, steps: { ...policy, search: async () => answer } }));
await serve('whole', createApp(context));
parentPort?.postMessage({ urls, tokens, queries } satisfies ServiceTarget);
