import { readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const TOKEN = 'svc_4fGh-x2LmQ8sVb0YtReWq7ZpKc9Nd3UjA5oXi1Ms6w_';
const SHOWN = new RegExp(TOKEN.slice(4), 'i');

describe('a token that an operator pasted where none belongs has the name of its variable', () => {
  const inDotenv = (lines: readonly string[]) => writeFileSync(cli.file('.env'), `${lines.join('\n')}\n`);

  test.each([
    ['the address', [], { TARGET_BASE_URL: `http://127.0.0.1:1/${TOKEN}` }],
    ['the host', ['--insecure'], { TARGET_BASE_URL: `http://${TOKEN}.example` }],
    ['a pattern', ['--only', `search/{USER,${TOKEN}}/**`], { TARGET_BASE_URL: 'http://127.0.0.1:1' }],
  ])('in %s that plan shows', async (_where, args, env) => {
    inDotenv(['CONFORMANCE_CLAIMS=user', 'USER_EMAIL=uma@people.example', `USER_TOKEN=${TOKEN}`]);
    for (const json of [[], ['--json']]) {
      const { code, output } = await cli.command(['plan', ...args, ...json], env);
      expect(output).toContain('<USER_TOKEN>');
      expect(output).not.toMatch(SHOWN);
      expect(code).toBe(0);
    }
  });

  test('in the name of the folder of reports, and in no report', async () => {
    const env = { ...(await cli.plain()), CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ 'X-Gateway': TOKEN }) };
    const folder = `reports-${TOKEN}`;
    const few = ['--claims', 'user', '--only', 'search/USER/valid/**'];
    const { output } = await cli.run(env, [...few, '--report-dir', folder]);
    expect(output).toContain('report: reports-<CONFORMANCE_EXTRA_HEADERS X-Gateway>/report.html');
    const texts = readdirSync(cli.file(folder)).map((file) => cli.text(folder, file));
    expect([output, ...texts].filter((text) => SHOWN.test(text))).toEqual([]);
  });
});

describe('an error does not show what looks like a token', () => {
  const target = {
    TARGET_BASE_URL: 'http://127.0.0.1:1',
    USER_EMAIL: 'uma@people.example',
    USER_TOKEN: 'f3q8Zk1LmN0p',
  };

  test.each([
    ['cannot read', { CONFORMANCE_CONTRACT: TOKEN }],
    ['cannot write', { CONFORMANCE_REPORT_DIR: `/proc/${TOKEN}` }],
    ['plain http to', { TARGET_BASE_URL: `http://${TOKEN}.example` }],
    ['plain http to', { MCP_URL: `http://${TOKEN}/x` }],
  ])('%s %j', async (said, variables) => {
    const env = { ...target, ...variables };
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
    const fromEnvironment = await cli.run(env);
    writeFileSync(cli.file('.env'), lines.join(''));
    for (const { code, output } of [fromEnvironment, await cli.run({})]) {
      expect(output).toContain(said);
      expect(output).toContain('<hidden, because it may be a secret>');
      expect(output).not.toMatch(SHOWN);
      expect(code).toBe(2);
    }
  });
});
