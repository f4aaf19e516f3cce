import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../start.ts';
import { demoCompany } from '../store/demo-company.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { postForm, register, send, submit, toPage } from '../testing/attacker.ts';
import { at, client, password } from '../testing/client.ts';
import { redirectUri, registeredClient } from '../testing/stock-client.ts';

const priya = { email: at('priya'), password };
const minute = 60_000;
const documentOf = (id: string) => ({
  client_id: id,
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
});
const editorId = 'https://editor.example/client.json';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A service with an editor that Priya has given a consent, whose document must be fetched again. */
async function running() {
  const fetched: string[] = [];
  const answers: ((url: URL) => Promise<Response> | undefined)[] = [];
  const service = await startService({
    passwordCost: cheapPasswordCost,
    fetchClientMetadata: async (url) => {
      fetched.push(url.href);
      const given = answers.map((answer) => answer(url)).find((answer) => answer !== undefined);
      const exists = url.host.startsWith('editor') || url.host.startsWith('new');
      return given ?? new Response(JSON.stringify(documentOf(url.href)), { status: exists ? 200 : 404 });
    },
  });
  onTestFinished(service.close);
  await service.context.store.seed(demoCompany);
  await service.context.store.people.setPassword(at('priya'), password);
  const metadata = `${service.authorizationServerUrl}/.well-known/oauth-authorization-server`;
  const server = Object(await (await fetch(metadata)).json());
  const app = (id: string) => registeredClient(server, { client_id: id }, service.audiences.mcp);
  const editor = app(editorId);
  const tokens = await editor.signIn(priya, 'MCP SEARCH');
  pass(2 * minute);
  const ask = (id: string) => send(`${service.authorizationServerUrl}/auth?${new URLSearchParams({ client_id: id })}`);
  const strangers = async (count: number, id = (index: number) => `https://a${index}.example/id`) => {
    for (let index = 0; index < count; index += 1) await ask(id(index));
  };
  return { service, fetched, answers, app, editor, tokens, ask, strangers };
}

test('strangers who use up the documents stop no client with a consent, and no registration', async () => {
  const { service, editor, tokens, strangers, ask } = await running();
  await strangers(70);
  expect((await editor.refresh(tokens)).scope).toBe('MCP SEARCH');
  pass(2 * minute);
  await strangers(70, (index) => `https://b${index}.example/id`);
  expect((await editor.signIn(priya, 'MCP')).scope).toBe('MCP');
  expect((await register(service, {})).status).toBe(201);
  const refused = await ask('https://new.example/id');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'https://new.example/id' };
  expect((await postForm(service, '/token', fields)).json['error']).toBe('temporarily_unavailable');
});

test('a person who is signed in can go on to a new client meanwhile', async () => {
  const { service, app, editor, strangers } = await running();
  const browser = client({ apiUrl: service.authorizationServerUrl });
  const page = await toPage(browser, (await editor.begin('MCP')).url.href);
  await submit(browser, page, priya);
  await strangers(70);
  const consent = await toPage(browser, (await app('https://new.example/id').begin('MCP')).url.href);
  expect(consent.text).toContain('new.example');
});

test('only documents that are fetched count, and one that does not exist is asked for once a minute', async () => {
  const { app, fetched, strangers } = await running();
  await strangers(70, () => 'https://nothing.example/id');
  expect(fetched.filter((url) => url === 'https://nothing.example/id')).toHaveLength(1);
  expect((await app('https://new.example/id').signIn(priya, 'MCP')).scope).toBe('MCP');
});

test.each<[string, () => Promise<Response>]>([
  ['cannot be reached', () => Promise.reject(new Error('no address'))],
  ['is away', async () => new Response('', { status: 503 })],
])('while the site of a client with a consent %s, its last document holds for a day', async (_what, answer) => {
  const { service, answers, editor, tokens } = await running();
  answers.push(answer);
  const next = await editor.refresh(tokens);
  pass(25 * 60 * minute);
  const fields = { grant_type: 'refresh_token', refresh_token: next.refreshToken, client_id: editorId };
  const refused = await postForm(service, '/token', fields);
  expect(refused).toMatchObject({ status: 503, json: { error: 'temporarily_unavailable' } });
  answers.pop();
  pass(minute);
  expect((await editor.refresh(next)).scope).toBe('MCP SEARCH');
});

test('documents of strangers that come slowly do not keep those of clients with a consent waiting', async () => {
  const { answers, editor, tokens, ask } = await running();
  let end = () => {};
  const slow = new Promise<Response>((done) => {
    end = () => done(new Response('', { status: 404 }));
  });
  answers.push(({ host }) => (host.startsWith('slow') ? slow : undefined));
  const waiting = Array.from({ length: 20 }, (_, index) => ask(`https://slow${index}.example/id`));
  await vi.waitFor(async () => expect((await ask('https://slow99.example/id')).status).toBe(503));
  expect((await editor.refresh(tokens)).scope).toBe('MCP SEARCH');
  end();
  await Promise.all(waiting);
});
