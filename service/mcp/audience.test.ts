import { describe, expect, test } from 'vitest';
import { createIssuerClient } from '../issuers/issuer-client.ts';
import type { Issuer } from '../issuers/issuers.ts';
import { at, demoServiceForTest, password } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';
import { issuersOfMcp } from './mcp.ts';

const priya = { email: at('priya'), password };

test('a token of our authorization server is good at the client API or here, never at both (RFC 8707)', async () => {
  const { apiUrl, audiences } = await demoServiceForTest();
  const client = await stockClient(apiUrl);
  const status = async (url: string, token: string, body: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const answers = async (token: string) => [
    await status(`${apiUrl}/rest/api/v1/search`, token, { query: 'travel' }),
    await status(audiences.mcp, token, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  ];
  const forApi = await client.signIn(priya, 'MCP SEARCH');
  expect(await answers(forApi.accessToken)).toEqual([200, 401]);
  const forMcp = await client.signIn(priya, 'MCP SEARCH', { resource: audiences.mcp });
  expect(await answers(forMcp.accessToken)).toEqual([401, 200]);
});

test('a request for a token of the MCP server without a scope gets the scopes of its tools', async () => {
  const { apiUrl, audiences } = await demoServiceForTest();
  const client = await stockClient(apiUrl);
  const { scope } = await client.signIn(priya, '', { resource: audiences.mcp, scope: undefined });
  expect(scope.split(' ').sort()).toEqual(['CHAT', 'MCP', 'SEARCH']);
});

describe('tokens of an identity provider', () => {
  const row: Issuer = {
    name: 'Okta',
    family: 'external',
    issuer: 'https://example.okta.com',
    tokens: { form: 'jwt' },
    audience: 'api://client-api',
    clients: { claim: 'cid', allowed: ['api-client'] },
    person: { by: 'email', claim: 'sub', in: 'claims' },
    scopes: { claim: 'scp', names: {} },
  };
  const seenBy = (issuer: Issuer) => issuersOfMcp([createIssuerClient(issuer, { now: Date.now })], 'unused')[0];

  test('need the audience or the clients that its row has for MCP', () => {
    const byAudience = seenBy({ ...row, mcp: { audience: 'api://mcp' } });
    expect(byAudience).toMatchObject({ audience: 'api://mcp', clients: { allowed: ['api-client'] } });
    const byClient = seenBy({ ...row, mcp: { clients: { claim: 'cid', allowed: ['mcp-client'] } } });
    expect(byClient).toMatchObject({ audience: 'api://client-api', clients: { allowed: ['mcp-client'] } });
  });

  test('are refused if its row has nothing for MCP', () => {
    expect(seenBy(row)?.clients?.allowed).toEqual([]);
  });
});
