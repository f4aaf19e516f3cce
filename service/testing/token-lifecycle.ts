import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { createApp } from '../api/app.ts';
import { policy } from '../api/policy.ts';
import type { Steps } from '../api/steps.ts';
import { listen } from '../listen.ts';
import { createLog } from '../log.ts';
import type { Role } from '../store/database/schema.ts';
import type { Person } from '../store/people.ts';
import { openStore, type Store } from '../store/store.ts';
import { bearer, chatPath, searchPath, start } from './app.ts';

/** The people of the test and their roles. */
export const roles = {
  boss: 'super-admin',
  adam: 'admin',
  cleo: 'api-token-creator',
  uma: 'user',
} as const satisfies Record<string, Role>;
export type Name = keyof typeof roles;
export const everybody = Object.keys(roles) as Name[];
export const emailOf = (name: Name) => `${name}@example.com`;

/** A service that can be restarted over the same database, and the tokens that it has issued. */
export interface ServiceUnderTest {
  readonly clock: { now: number };
  /** Every token ever created, in order. */
  readonly issued: { readonly id: string; readonly secret: string }[];
  store(): Store;
  person(name: Name): Promise<Person>;
  /** Returns `200 uma` when the request ran as uma, else the status and the documented message. */
  use(secret: string, operation: 'search' | 'chat', actAs: string | undefined): Promise<string>;
  restart(): Promise<void>;
  close(): Promise<void>;
}
/** How a defective service differs from the policy. Called at each start, so that its memory does not outlive a restart. */
export type Defect = (clock: ServiceUnderTest['clock']) => Partial<Steps> & {
  readonly actorFor?: (person: Person) => Person;
};

/** Starts each service with a copy of one database, in which every person has a private diary. */
export interface ServiceTemplate {
  start(defect?: Defect): Promise<ServiceUnderTest>;
  close(): void;
}

export async function createTemplate(): Promise<ServiceTemplate> {
  const folder = mkdtempSync(join(tmpdir(), 'token-lifecycle-'));
  const template = join(folder, 'template.db');
  const store = await openStore(`file:${template}`, () => start);
  for (const name of everybody) {
    const owner = await store.people.add({ email: emailOf(name), name, role: roles[name] });
    await store.documents.add({ title: name, body: `The diary of ${name}`, owner, audience: [] });
  }
  store.close();
  let copies = 0;
  return {
    async start(defect) {
      copies += 1;
      const file = join(folder, `${copies}.db`);
      // The write-ahead log may hold commits that are not in the database file yet.
      for (const part of ['', '-wal']) if (existsSync(template + part)) copyFileSync(template + part, file + part);
      return startOver(`file:${file}`, defect);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

async function startOver(database: string, defect: Defect = () => ({})): Promise<ServiceUnderTest> {
  const clock = { now: start };
  const begin = async () => {
    const now = () => clock.now;
    const store = await openStore(database, now);
    const { actorFor = (person: Person) => person, ...replaced } = defect(clock);
    const steps = { ...policy, ...replaced };
    const app = createApp({ store, now, steps, issuers: [], log: createLog('silent') });
    const server = await listen();
    await app.ready();
    server.answerWith(app.routing);
    const end = async () => {
      await server.close();
      await app.close();
      store.close();
    };
    return { store, url: server.url, actorFor, end };
  };
  let running = await begin();
  return {
    clock,
    issued: [],
    store: () => running.store,
    async person(name) {
      const found = await running.store.people.find(emailOf(name));
      if (!found) throw new Error(`${name} is not in the database`);
      return running.actorFor(found);
    },
    async use(secret, operation, actAs) {
      const answer = await request(running.url + (operation === 'search' ? searchPath : chatPath), {
        method: 'POST',
        // A connection that is kept alive would delay the end of the service.
        reset: true,
        headers: [
          ...bearer(secret),
          ...['content-type', 'application/json'],
          ...(actAs === undefined ? [] : ['X-Service-ActAs', actAs]),
        ],
        body: JSON.stringify({ query: 'diary' }),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 200) return `200 ${titlesIn(text)}`;
      const message = /Required header missing: X-Service-ActAs|Invalid identity/.exec(text)?.[0];
      return [answer.statusCode, ...(message ? [message] : [])].join(' ');
    },
    async restart() {
      await running.end();
      running = await begin();
    },
    close: () => running.end(),
  };
}

/** The titles of the diaries in an answer, which are the names of their owners. */
function titlesIn(text: string): string {
  const { results, sources }: { results?: { title: string }[]; sources?: { title: string }[] } = JSON.parse(text);
  return (results ?? sources ?? []).map(({ title }) => title).join(' and ');
}
