import { createApp } from '../api/app.ts';
import { policy } from '../api/policy.ts';
import type { Steps } from '../api/steps.ts';
import { createLog } from '../log.ts';
import { type McpOptions, mcp } from '../mcp/mcp.ts';
import type { TokenRequest } from '../store/service-token-request.ts';
import { openStore } from '../store/store.ts';
import { issueSecret, send, serveForTest } from './app.ts';

const resource = 'https://api.example.com/mcp';
const protectedResource = {
  resource,
  name: 'Remote MCP server',
  authorizationServers: ['https://login.example.com'],
  scopes: ['MCP', 'SEARCH', 'CHAT'],
  challengeScopes: ['MCP', 'SEARCH', 'CHAT'],
} as const;
export const metadata = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"';

interface Sent {
  readonly method?: 'POST' | 'GET' | 'DELETE' | 'OPTIONS' | 'PUT';
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
export const call = (name: string, fields: object = { query: 'budget' }) => ({
  method: 'tools/call',
  params: { name, arguments: fields },
});

/** Starts the remote MCP server in memory, with two people and a document that only Ann may see. */
export async function mcpApp({ limits, steps = policy }: { limits?: McpOptions['limits']; steps?: Steps } = {}) {
  const now = () => Date.UTC(2030, 0, 1);
  const store = await openStore(':memory:', now);
  const boss = await store.people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
  const ann = await store.people.add({ email: 'ann@example.com', name: 'Ann', role: 'user' });
  await store.people.add({ email: 'bob@example.com', name: 'Bob', role: 'user' });
  await store.documents.add({ title: 'The budget of Ann', body: 'budget', owner: ann, audience: [] });
  const context = { steps, store, now, issuers: [], log: createLog('silent'), protectedResource };
  const app = createApp({
    ...context,
    protectedResource: { ...protectedResource, resource: 'https://api.example.com' },
  });
  await app.register(mcp, { context, hostnames: ['api.example.com'], ...(limits && { limits }) });
  const url = await serveForTest(app, store);

  return {
    store,
    boss,
    secret: (wanted: Partial<TokenRequest> = {}) =>
      issueSecret(store, boss, { scopes: ['MCP', 'SEARCH', 'CHAT'], ...wanted }),
    async send({ method = 'POST', headers = {}, body = { jsonrpc: '2.0', id: 1, ...initialize } }: Sent) {
      const answer = await send(`${url}/mcp`, {
        method,
        headers: {
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      // An answer may be a stream of events (WHATWG HTML 9.2).
      const json = /^(?:data: )?([{[].*)$/m.exec(answer.text)?.[1];
      return { ...answer, json: json ? JSON.parse(json) : undefined };
    },
  };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const message = (parts: object) => ({ jsonrpc: '2.0', id: 1, ...parts });
