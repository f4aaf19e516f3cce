import type { FastifyInstance } from 'fastify';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { type AppOptions, createApp } from '../api/app.ts';
import { listen } from '../listen.ts';
import { createLog } from '../log.ts';
import type { Person } from '../store/people.ts';
import type { TokenRequest } from '../store/service-token-request.ts';
import { openStore, type Store } from '../store/store.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PATCH';

export interface Sent {
  readonly method?: Method;
  /** By name, or names and values in turn, so that a name can be repeated. */
  readonly headers?: Record<string, string> | string[];
  readonly body?: string;
}

/** Sends one request, without cookies and without following redirects. */
export async function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Reply> {
  const answer = await request(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.body.text();
  const isJson = /json/.test(String(answer.headers['content-type']));
  return { status: answer.statusCode, headers: answer.headers, text, json: isJson ? JSON.parse(text) : {} };
}

/** Serves an app over a store until the test ends. Returns its address. */
export async function serveForTest(app: FastifyInstance, store: Store): Promise<string> {
  const server = await listen();
  await app.ready();
  server.answerWith(app.routing);
  onTestFinished(async () => {
    await server.close();
    await app.close();
    store.close();
  });
  return server.url;
}

/** Issues a token and returns its secret. Default: a USER token of Ann. */
export async function issueSecret(
  store: Store,
  creator: Person,
  wanted: Partial<TokenRequest> & Pick<TokenRequest, 'scopes'>,
): Promise<string> {
  const permission = wanted.permission ?? 'USER';
  const issued = await store.serviceTokens.issue(creator, {
    description: 'test',
    permission,
    ...(permission === 'USER' && { userEmail: 'ann@example.com' }),
    ...wanted,
  });
  if (!issued.ok) throw new Error(issued.problems.map(({ message }) => message).join(' '));
  return issued.secret;
}

export interface TestApp {
  url: string;
  store: Store;
  clock: { now: number };
  boss: Person;
  ann: Person;
  bob: Person;
  /** Issues a token as the Super Admin and returns its secret. Default: a USER token of Ann with SEARCH and CHAT. */
  secret(request?: Partial<TokenRequest>): Promise<string>;
  /** @param headers names and values in turn, so that a name can be repeated */
  send(path: string, headers: string[], body?: unknown, method?: 'POST' | 'GET' | 'PUT'): Promise<Reply>;
}

export const start = Date.UTC(2030, 0, 1);

/** Starts the client API in memory, with a clock of its own and three people. It stops with the test. */
export async function testApp(options: Partial<AppOptions> = {}): Promise<TestApp> {
  const clock = { now: start };
  const now = () => clock.now;
  const store = await openStore(':memory:', now);
  const boss = await store.people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
  const ann = await store.people.add({ email: 'ann@example.com', name: 'Ann', role: 'user' });
  const bob = await store.people.add({ email: 'bob@example.com', name: 'Bob', role: 'user' });
  const app = createApp({ store, now, issuers: [], log: createLog('silent'), ...options });
  const url = await serveForTest(app, store);

  return {
    url,
    store,
    clock,
    boss,
    ann,
    bob,
    secret: (wanted = {}) => issueSecret(store, boss, { scopes: ['SEARCH', 'CHAT'], ...wanted }),
    send(path, headers, body = { query: 'budget' }, method = 'POST') {
      const type = headers.some((name) => name.toLowerCase() === 'content-type')
        ? []
        : ['content-type', 'application/json'];
      return send(url + path, {
        method,
        headers: [...headers, ...type],
        ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
  };
}

export const searchPath = '/rest/api/v1/search';
export const chatPath = '/rest/api/v1/chat';
export const bearer = (token: string) => ['Authorization', `Bearer ${token}`];
