import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine, without } from './testing/command-line.ts';

const cli = commandLine();

/** The first code block of a language in docs/minting-tokens.md that contains the marker. */
function example(language: string, marker: string): string {
  const blocks = readFileSync('docs/minting-tokens.md', 'utf8').split('```');
  const found = blocks.find((block) => block.startsWith(`${language}\n`) && block.includes(marker));
  if (!found) throw new Error(`docs/minting-tokens.md has no ${language} block with ${marker}`);
  return found.slice(language.length + 1);
}

test('the token command in docs/minting-tokens.md gets OAuth tokens with refresh tokens and client credentials', async () => {
  const env = await cli.plain();
  const asked: Record<string, string>[] = [];
  const tokens: Readonly<Record<string, string | undefined>> = {
    'refresh_token search chat': env['OAUTH_TOKEN'],
    'refresh_token people': env['OAUTH_TOKEN_UNSCOPED'],
    'refresh_token search': env['OAUTH_TOKEN_SEARCH'],
    'client_credentials api://client-api/.default': env['AZURE_TOKEN'],
  };
  const endpoint = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const parameters = Object.fromEntries(new URLSearchParams(body));
    asked.push(parameters);
    const token = tokens[`${parameters['grant_type']} ${parameters['scope']}`];
    response.writeHead(token ? 200 : 400).end(JSON.stringify({ access_token: token, token_type: 'Bearer' }));
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const { port } = endpoint.address() as AddressInfo;
  writeFileSync(join(cli.folder, 'token.mjs'), example('js', 'token.mjs'));
  writeFileSync(
    join(cli.folder, 'grants.json'),
    example('json', 'refresh_token').replaceAll(/https:\/\/\w+\.example\.com/g, `http://127.0.0.1:${port}`),
  );
  const minted = ['OAUTH_TOKEN', 'OAUTH_TOKEN_SEARCH', 'OAUTH_TOKEN_UNSCOPED', 'AZURE_TOKEN'];
  const others = Object.keys(env).filter((name) => /^(USER|GLOBAL|GOOGLE|OKTA|ONELOGIN)_TOKEN/.test(name));
  const named = { TOKEN_COMMAND: `${process.execPath} token.mjs`, CONFORMANCE_CLAIMS: 'oauth azure' };
  const { code, output } = await cli.run({ ...without(env, ...minted, ...others), ...named }, ['--depth', 'pairwise']);
  endpoint.close();
  expect(asked.map(({ grant_type, scope }) => `${grant_type} ${scope}`)).toEqual(
    expect.arrayContaining(Object.keys(tokens)),
  );
  expect(output).toContain('conforms: oauth azure');
  expect(code).toBe(0);
});
