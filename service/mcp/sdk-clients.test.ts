import * as v2 from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { at, demoServiceForTest, password } from '../testing/client.ts';
import { type InMemoryClient, inMemoryClient } from '../testing/mcp-authorization.ts';
import { browse } from '../testing/stock-client.ts';

// The clients of the SDKs, as their documentation shows them. They know the address of the server and nothing else.

const priya = { email: at('priya'), password };
const info = { name: 'test', version: '1' };
type Provider = InMemoryClient['provider'];

function makeV1(url: URL, authProvider: Provider) {
  const client = new ClientV1(info);
  const transport = new TransportV1(url, { authProvider });
  return {
    client,
    // The SDK declares an optional property in two ways, which exactOptionalPropertyTypes tells apart.
    connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
    finish: (back: URL) => transport.finishAuth(back.searchParams.get('code') ?? ''),
  };
}

function makeV2(options?: v2.ClientOptions) {
  return (url: URL, authProvider: Provider) => {
    const client = new v2.Client(info, options);
    const transport = new v2.StreamableHTTPClientTransport(url, { authProvider });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (back: URL) => transport.finishAuth(back.searchParams),
    };
  };
}

describe.each([
  ['v1, which speaks 2025-11-25', makeV1],
  ['v2, which falls back to 2025-11-25', makeV2()],
  ['v2, which speaks 2026-07-28', makeV2({ versionNegotiation: { mode: { pin: '2026-07-28' } } })],
])('the SDK %s', (_name, make) => {
  async function start(metadata?: Partial<Provider['clientMetadata']>) {
    const { audiences } = await demoServiceForTest();
    const { kept, provider } = inMemoryClient(metadata);
    const sentTo = () => kept.sentTo ?? expect.fail('The person was sent nowhere.');
    const open = () => {
      const made = make(new URL(audiences.mcp), provider);
      onTestFinished(() => made.client.close());
      return made;
    };
    return { audiences, kept, sentTo, open };
  }

  test('finds the authorization server, registers, signs in, calls both tools and refreshes', async () => {
    const { audiences, kept, sentTo, open } = await start();
    const first = open();
    await expect(first.connect()).rejects.toThrow(/Unauthorized/);
    const asked = sentTo().searchParams;
    expect(asked.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['MCP', 'SEARCH', 'CHAT']));
    expect(asked.get('resource')).toBe(audiences.mcp);
    await first.finish(await browse(sentTo(), priya));

    const { client, connect } = open();
    await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'chat']);
    const found = await client.callTool({ name: 'search', arguments: { query: 'travel', pageSize: 2 } });
    expect(found).toMatchObject({ structuredContent: { results: [{ title: expect.any(String) }, {}] } });
    const answered = await client.callTool({ name: 'chat', arguments: { query: 'travel' } });
    expect(answered).toMatchObject({ structuredContent: { conversationId: expect.any(String) } });

    const before = kept.tokens?.access_token;
    if (kept.tokens) kept.tokens.access_token = 'expired';
    await client.callTool({ name: 'search', arguments: { query: 'travel' } });
    expect(kept.tokens?.access_token).not.toBe(before);
    expect(kept.tokens?.access_token).not.toBe('expired');
  });

  test('gets a token with more scopes after 403', async () => {
    // With a refresh token, version 1 refreshes instead of asking the person.
    const { kept, sentTo, open } = await start({ grant_types: ['authorization_code'] });
    const first = open();
    await expect(first.connect()).rejects.toThrow(/Unauthorized/);
    const narrow = new URL(sentTo());
    narrow.searchParams.set('scope', 'MCP SEARCH');
    await first.finish(await browse(narrow, priya));
    expect(kept.tokens?.scope).toBe('MCP SEARCH');

    const { client, connect, finish } = open();
    await connect();
    await client.callTool({ name: 'search', arguments: { query: 'travel' } });
    const ask = () => client.callTool({ name: 'chat', arguments: { query: 'travel' } });
    await expect(ask()).rejects.toThrow(/Unauthorized/);
    expect(sentTo().searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['MCP', 'CHAT']));
    await finish(await browse(sentTo(), priya));
    expect(await ask()).toMatchObject({ structuredContent: { answer: expect.any(String) } });
  });
});
