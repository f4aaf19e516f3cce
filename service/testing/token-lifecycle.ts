import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { createApp } from '../api/app.ts';
import { policy } from '../api/policy.ts';
import type { Steps } from '../api/steps.ts';
import { listen } from '../listen.ts';
import { createLog } from '../log.ts';
import type { Person } from '../store/people.ts';
import type { Role } from '../store/schema.ts';
import { openStore, type Store } from '../store/store.ts';
import { bearer, chatPath, searchPath, start } from './app.ts';

/** Everybody who takes part, with what they are. */
export const roles = {
  boss: 'super-admin',
  adam: 'admin',
  cleo: 'api-token-creator',
  uma: 'user',
} as const satisfies Record<string, Role>;
export type Name = keyof typeof roles;
export const everybody = Object.keys(roles) as Name[];
export const emailOf = (name: Name) => `${name}@example.com`;

/** A service that can be stopped and started again over the same database, and the secrets that it gave out. */
export interface Life {
  readonly clock: { now: number };
  /** Of every token ever created, in order. */
  readonly issued: { readonly id: string; readonly secret: string }[];
  store(): Store;
  person(name: Name): Promise<Person>;
  /** `200 uma` when it ran as uma, else the status and what the specification has it say. */
  use(secret: string, operation: 'search' | 'chat', actAs: string | undefined): Promise<string>;
  restart(): Promise<void>;
  close(): Promise<void>;
}
/** How a service differs from the policy, made anew at each start. */
export type Broken = (clock: Life['clock']) => Partial<Steps> & { readonly takenFor?: (person: Person) => Person };

/** A database with everybody in it, each with a private diary. Made once, since every life begins with a copy. */
export async function newborn(): Promise<{ live(broken?: Broken): Promise<Life>; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'token-life-'));
  const template = join(folder, 'template.db');
  const store = await openStore(`file:${template}`, () => start);
  for (const name of everybody) {
    const owner = await store.people.add({ email: emailOf(name), name, role: roles[name] });
    await store.documents.add({ title: name, body: `The diary of ${name}`, owner, audience: [] });
  }
  store.close();
  let lives = 0;
  return {
    async live(broken) {
      lives += 1;
      const file = join(folder, `${lives}.db`);
      // What was written ahead belongs to the database until it is moved into its file.
      for (const part of ['', '-wal']) if (existsSync(template + part)) copyFileSync(template + part, file + part);
      return live(`file:${file}`, broken);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

async function live(database: string, broken: Broken = () => ({})): Promise<Life> {
  const clock = { now: start };
  const begin = async () => {
    const now = () => clock.now;
    const store = await openStore(database, now);
    const { takenFor = (person: Person) => person, ...replaced } = broken(clock);
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
    return { store, url: server.url, takenFor, end };
  };
  let running = await begin();
  return {
    clock,
    issued: [],
    store: () => running.store,
    async person(name) {
      const found = await running.store.people.find(emailOf(name));
      if (!found) throw new Error(`${name} is gone`);
      return running.takenFor(found);
    },
    async use(secret, operation, actAs) {
      const answer = await request(running.url + (operation === 'search' ? searchPath : chatPath), {
        method: 'POST',
        // A connection kept open would hold up the end of the service.
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
      const said = /Required header missing: X-Service-ActAs|Invalid identity/.exec(text)?.[0];
      return [answer.statusCode, ...(said ? [said] : [])].join(' ');
    },
    async restart() {
      await running.end();
      running = await begin();
    },
    close: () => running.end(),
  };
}

/** The titles of the diaries that an answer rests on: their owners' names. */
function titlesIn(text: string): string {
  const { results, sources }: { results?: { title: string }[]; sources?: { title: string }[] } = JSON.parse(text);
  return (results ?? sources ?? []).map(({ title }) => title).join(' and ');
}
