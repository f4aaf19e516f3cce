import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { catalogue } from '../harness/testing/contract.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const written = () => cli.file('.env');

/** Fills in every line whose name has a value, as a person would: without the # before it. */
function fillIn(values: Readonly<Record<string, string>>): string {
  return cli
    .text('.env')
    .replace(/^(?:# )?([A-Z_]+)=.*$/gm, (line, name: string) =>
      values[name] === undefined ? line : `${name}=${JSON.stringify(values[name])}`,
    );
}

describe('init', () => {
  test('writes a valid .env that only its owner can read, and with its values filled in a run conforms', async () => {
    const { code, output } = await cli.command(['init']);
    expect(code).toBe(0);
    expect(output).toContain('Wrote .env for: user global');
    expect(cli.text('.env')).toMatch(
      /Expires: a date before the run, best the last one; a console that takes no past date: today, and run tomorrow/,
    );
    expect(statSync(written()).mode & 0o777).toBe(0o600);
    expect(readDotenvFile(written()).dotenv).toEqual({
      TARGET_BASE_URL: '',
      CONFORMANCE_CLAIMS: 'user global',
      USER_TOKEN: '',
    });
    writeFileSync(written(), fillIn(await cli.plain()));
    const ended = await cli.run({}, ['--only', 'search/{USER,GLOBAL}/**']);
    expect(ended.output).toContain('partial: nothing deviates');
    expect(ended.code).toBe(0);
  });

  test('asks for every kind of a contract of your own, in its words', async () => {
    const contract = resolve('fixtures/contracts/tickets.yaml');
    const { code, output } = await cli.command(['init', '--contract', contract]);
    expect(code).toBe(0);
    expect(output).toContain('Wrote .env for: personal admin');
    const text = cli.text('.env');
    // A blank name is open to every token, so that one of a person shows as much as one of the administration.
    expect(text).toContain('# Your profile, Access tokens\nPERSONAL_TOKEN=');
    expect(text).toContain('# Administration, Service tokens\n# ADMIN_TOKEN=');
    expect(text).toMatch(
      /# USER_LOGIN=\n# ACT_AS_LOGIN: .*\n# ACT_AS_LOGIN=\n# PERSONAL_LOGIN: .*\n# PERSONAL_LOGIN=\n# ADMIN_LOGIN: /,
    );
    expect(text).not.toContain('EMAIL');
  });

  test('does not speak of tokens where a step sets only a person, nor of two people where there is one', async () => {
    const lines = [
      'name: small',
      'credential: "Authorization: Bearer {token}"',
      'operations: { me: { request: GET /me }, list: { request: GET /list, needs: read } }',
      'scopes: { read: { wire: read } }',
      'kinds: { USER: { made: "Settings, Tokens" } }',
      'identity: { operation: me, pointer: /email }',
    ];
    writeFileSync(cli.file('small.yaml'), lines.join('\n'));
    expect((await cli.command(['init', '--contract', 'small.yaml'])).code).toBe(0);
    const text = cli.text('.env');
    expect(text).not.toMatch(/FORMER|UNKNOWN|_CHAT_/);
    expect(text).toMatch(/^# \d\. After USER_EMAIL above: (\d+) of \1 requirements can be decided\.\n\n/m);
    expect(text).not.toMatch(/these tokens|Also set|Two people/);
  });

  test('asks for no person where nothing of the contract shows whom a request runs as', async () => {
    const lines = ['name: keys', 'credential: "X-Api-Key: {token}"', 'operations: { list: { request: GET /list } }'];
    writeFileSync(cli.file('keys.yaml'), [...lines, 'kinds: { KEY: { made: "Settings, Keys" } }'].join('\n'));
    expect((await cli.command(['init', '--contract', 'keys.yaml'])).code).toBe(0);
    expect(cli.text('.env')).not.toMatch(/EMAIL|person|people/);
    // The .env names the contract, so that the commands after this one need no flag.
    writeFileSync(
      written(),
      cli.text('.env').replace('_URL=', '_URL=http://127.0.0.1:9').replace('_TOKEN=', '_TOKEN=a-key'),
    );
    expect((await cli.command(['plan'])).output).toMatch(/contract +keys \(own contract/);
  });

  test('writes a first contract for an OpenAPI document, with which plan runs once an operation is taken', async () => {
    cpSync(resolve('specs/client-api/openapi.yaml'), cli.file('openapi.yaml'));
    const { code, output } = await cli.command(['init', '--openapi', 'openapi.yaml']);
    expect(code).toBe(0);
    const [, contract = ''] = /^Wrote (\S+), a first contract/.exec(output) ?? [];
    const env = { TARGET_BASE_URL: 'http://127.0.0.1:9', BEARER_TOKEN: 'a-token-of-the-test' };
    const planned = () => cli.command(['plan', '--contract', contract], env);
    expect((await planned()).output).toMatch(/line 10: \/operations is empty/);
    const file = cli.file(contract);
    const taken = readFileSync(file, 'utf8').replace('# search:', 'search:');
    writeFileSync(file, taken);
    expect((await planned()).output).toContain('search: POST has neither body nor harmless: true');
    writeFileSync(file, taken.replace(/(\n {2}search: \{.*?) \}/, '$1, harmless: true }'));
    const plan = await planned();
    expect(plan.output).toContain('requirements can be decided with the variables that are set');
    expect(plan.code).toBe(0);
    const again = await cli.command(['init', '--openapi', 'openapi.yaml']);
    expect(again.output).toContain(`${contract} already exists and is never overwritten`);
    expect(again.code).toBe(2);
  });

  test('never overwrites a file, and ends with exit 2', async () => {
    writeFileSync(written(), 'mine');
    const { code, output } = await cli.command(['init']);
    expect(output).toContain('.env already exists and is never overwritten');
    expect(code).toBe(2);
    expect(cli.text('.env')).toBe('mine');
  });

  test.each([[['user', 'google']], [['user google']], [['user', 'google,USER']]])(
    'takes claims as words or as one text, each once (%j)',
    async (claims) => {
      const { output } = await cli.command(['init', '--claims', ...claims]);
      expect(output).toContain('Wrote .env for: user google. Only you can read it.');
      expect(readDotenvFile(written()).dotenv['CONFORMANCE_CLAIMS']).toBe('user google');
    },
  );

  test('explains how to create each token of the claimed kinds, the most useful one first', async () => {
    await cli.command(['init', '--claims', 'google']);
    const text = cli.text('.env');
    const names = [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(names.slice(0, 5)).toEqual([
      'TARGET_BASE_URL',
      'CONFORMANCE_CLAIMS',
      'USER_EMAIL',
      'ACT_AS_EMAIL',
      'GOOGLE_TOKEN',
    ]);
    expect(text).toContain(
      'access token from a GOOGLE identity provider, with permission for SEARCH and CHAT\nGOOGLE_TOKEN=',
    );
    const expected = catalogue.names.filter((name) => !/^(?!GOOGLE_)[A-Z]+_(MCP_TOKEN|TOKEN|EMAIL)/.test(name));
    expect([...names].sort()).toEqual([...expected, 'USER_EMAIL', 'UNKNOWN_EMAIL', 'FORMER_EMAIL'].sort());
  });
});
