import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../start.ts';
import { demoCompany } from '../store/demo-company.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { at, client, password, personNamed } from '../testing/client.ts';
import { redirectUri, registeredClient } from '../testing/stock-client.ts';

const id = 'https://editor.example/client.json';
const document = {
  client_id: id,
  client_name: 'An editor',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
};

async function running(documents: Record<string, object>) {
  const fetched: string[] = [];
  const service = await startService({
    passwordCost: cheapPasswordCost,
    fetchClientMetadata: async (url) => {
      fetched.push(url.href);
      const json = documents[url.href];
      return new Response(JSON.stringify(json ?? {}), { status: json ? 200 : 404 });
    },
  });
  onTestFinished(service.close);
  const { store } = service.context;
  await store.seed(demoCompany);
  await store.people.setPassword(at('priya'), password);
  const metadata = `${service.authorizationServerUrl}/.well-known/oauth-authorization-server`;
  const server = Object(await (await fetch(metadata)).json());
  return { service, fetched, server, editor: registeredClient(server, { client_id: id }, service.audiences.mcp) };
}

const priya = { email: at('priya'), password };

test('a client whose id is the address of its metadata gets tokens without registering', async () => {
  const { service, fetched, server, editor } = await running({ [id]: document });
  expect(server.client_id_metadata_document_supported).toBe(true);
  const tokens = await editor.signIn(priya, 'MCP SEARCH');
  expect(tokens.scope).toBe('MCP SEARCH');
  await editor.refresh(tokens);
  expect(new Set(fetched)).toEqual(new Set([id]));
  // The person finds it by the one thing that it cannot choose, and ends its access.
  const { consents } = service.context.store;
  const person = await personNamed(service, 'priya');
  expect(await consents.of(person)).toMatchObject([{ client: { name: 'editor.example' }, scopes: ['MCP', 'SEARCH'] }]);
  await consents.revoke(person, id);
  await expect(editor.refresh(tokens)).rejects.toThrow();
});

test('the pages show the host beside the name that the client chose', async () => {
  const { service, editor } = await running({ [id]: document });
  const { url } = await editor.begin('MCP');
  const page = await client(service).get(url.href);
  expect(page.text).toContain('An editor (editor.example)');
});

test.each([
  ['names another client', { ...document, client_id: 'https://other.example/client.json' }],
  ['has a name of this service', { ...document, client_name: 'admin console' }],
  ['returns to plain http', { ...document, redirect_uris: ['http://editor.example/back'] }],
  ['does not exist', undefined],
])('a document that %s makes no client', async (_what, found) => {
  const { editor } = await running(found ? { [id]: found } : {});
  const { url } = await editor.begin('MCP');
  const answer = await fetch(url, { redirect: 'manual' });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
});

test('without the setting nothing is fetched, and the metadata does not promise it', async () => {
  const service = await startService();
  onTestFinished(service.close);
  const metadata = `${service.authorizationServerUrl}/.well-known/oauth-authorization-server`;
  const server = Object(await (await fetch(metadata)).json());
  expect(server.client_id_metadata_document_supported).toBeUndefined();
  const { url } = await registeredClient(server, { client_id: id }, service.audiences.mcp).begin('MCP');
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
});
