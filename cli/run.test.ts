import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { acceptsExpired, commandLine, tokens, without } from './testing/command-line.ts';

const cli = commandLine();

describe('a run against a base URL', () => {
  test('conforms with exit 0 against the plain target, and names the claims', async () => {
    const { code, output } = await cli.command(['run'], await cli.plain());
    expect(output).toContain('conforms: user global oauth google azure okta onelogin scopes');
    expect(output).not.toContain('--intrusive');
    expect(code).toBe(0);
  });

  test('sends with --no-intrusive what a remote target gets, and says what that leaves out', async () => {
    const { code, output } = await cli.command(['run', '--no-intrusive', '--claims', 'user'], await cli.plain());
    expect(output).toMatch(/[1-9]\d* checks not run \(they need --intrusive\): /);
    expect(code).toBe(0);
  });

  test('reads its variables from .env', async () => {
    const env = await cli.plain();
    writeFileSync(
      cli.file('.env'),
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const { code, output } = await cli.run({}, ['--only', 'search/USER/valid/**']);
    expect(output).toContain('(.env)');
    expect(code).toBe(0);
  });

  test('is incomplete with exit 4 if a claimed kind lacks a token, and names the variable', async () => {
    const env = without(await cli.plain(), 'USER_TOKEN_EXPIRED');
    const { code, output } = await cli.run({ ...env, CONFORMANCE_CLAIMS: 'user scopes' });
    expect(output).toMatch(/set USER_TOKEN_EXPIRED +to decide token\.expired/);
    expect(output).toContain(
      '`npx --no -- client-api-conformance plan` says which of these to set first, and which belong together.',
    );
    expect(output).toMatch(/not planned: [\d,]+ not-applicable, [\d,]+ not-testable/);
    expect(code).toBe(4);
  });

  test.each([
    ['a misspelt token variable', { USER_TOKN_SEARCH: 'x' }, 'USER_TOKEN_SEARCH'],
    ['an empty TARGET_BASE_URL', { TARGET_BASE_URL: '' }, 'TARGET_BASE_URL'],
  ])('ends with exit 2 for %s, and suggests a name', async (_what, wrong, suggestion) => {
    const { code, output } = await cli.run({ ...(await cli.plain()), ...wrong });
    expect(output).toContain(suggestion);
    expect(code).toBe(2);
  });

  test('ends at once with exit 3 if nothing listens at the address', async () => {
    const { code, output } = await cli.run({ ...tokens.env, TARGET_BASE_URL: 'http://127.0.0.1:9' });
    expect(output).toContain('cannot connect to http://127.0.0.1:9');
    expect(code).toBe(3);
  });

  test('ends at once with exit 3 if the target refuses every full token, and begins with the token, its status and curl', async () => {
    const env = { ...(await cli.plain()), USER_TOKEN: 'a-token-that-nobody-issued', CONFORMANCE_CLAIMS: 'user' };
    const { code, output } = await cli.run(env);
    const [, afterStart = ''] = output.split(/\n\n(.*)/s);
    expect(afterStart).toMatch(
      /^✘ \$USER_TOKEN was refused on every request \(401: The token is unknown\)\..*\n +reproduce +curl .*\$USER_TOKEN"/,
    );
    expect(output).toContain('stopped: every full token was refused: $USER_TOKEN (401)');
    expect([code, cli.report().exitCode, cli.report().counts.requests]).toEqual([3, 3, 4]);
  });

  test('begins with a refused token, and goes on with the others', async () => {
    const env = { ...(await cli.plain()), USER_TOKEN: 'a-token-that-nobody-issued' };
    const { code, output } = await cli.run(env, ['--claims', 'user global', '--only', 'search/*/valid/all/**']);
    const [, afterStart = ''] = output.split(/\n\n(.*)/s);
    expect(afterStart).toMatch(/^✘ \$USER_TOKEN was refused/);
    expect(output.match(/USER_TOKEN was refused/g)).toHaveLength(1);
    expect(cli.report().refusedTokens).toMatchObject([{ token: '$USER_TOKEN', status: 401 }]);
    expect(cli.report().counts.verdicts.pass).toBeGreaterThan(0);
    expect(code).toBe(3);
  });

  test('ends with the verdict on the target, the exit code, how long it took and the path of the report', async () => {
    const env = await cli.plain();
    const { output } = await cli.run(env, ['--only', 'search/USER/expired/**']);
    const last = output.trimEnd().split('\n').slice(-4);
    expect(last).toEqual([
      `✔ ${env['TARGET_BASE_URL']}: partial: nothing deviates (exit code 0)`,
      '  narrowed: --only search/USER/expired/**',
      expect.stringMatching(/^ {2}duration: (less than 1|\d+) s$/),
      `  report: ${join('conformance-report', 'report.html')}`,
    ]);
  });

  test('deviates with exit 1, one cause and a curl line that reproduces it', async () => {
    const env = await cli.plain(acceptsExpired);
    const { code, output } = await cli.run(env, ['--claims', 'user']);
    expect(code).toBe(1);
    expect(output).toContain('One cause');
    expect(output).toContain('`npx --no -- client-api-conformance explain F1` shows every step of F1.');
    expect(output).toContain('`npx --no -- client-api-conformance replay F1` sends it again.');
    expect(output).toMatch(/F1 fail token\.expired \(spec 3 and 7; stated\)/);
    const curl = /reproduce +(curl .*)/.exec(output)?.[1] ?? '';
    const shown = await promisify(execFile)('sh', ['-c', curl], { env: { PATH: process.env.PATH, ...env } });
    expect(shown.stdout).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('a narrowed run', () => {
  test('sends only its cases and their controls, and ends as partial with exit 0', async () => {
    const { code, output } = await cli.run(await cli.plain(), ['--only', 'search/USER/expired/**']);
    const { cases, narrowed, ending, counts, checks } = cli.report();
    expect([code, ending, narrowed]).toEqual([0, 'partial', '--only search/USER/expired/**']);
    expect(output).toContain('partial: nothing deviates (exit code 0)\n  narrowed: --only search/USER/expired/**');
    const others = cases.filter(({ id }) => !id.startsWith('search/USER/expired/'));
    expect(others.every(({ id }) => id.startsWith('search/USER/valid/'))).toBe(true);
    expect(checks).toEqual([]);
    expect(counts.requests).toBeLessThan(20);
  });

  test('deviates with exit 1 only if its own part deviates', async () => {
    const env = await cli.plain(acceptsExpired);
    const runFor = (id: string) => cli.run(env, ['--requirement', id]);
    expect([(await runFor('token.expired')).code, (await runFor('authorization.required')).code]).toEqual([1, 0]);
  });

  test('whose flags match nothing ends with exit 2, sends nothing and writes no journal', async () => {
    let sent = 0;
    const env = await cli.plain({
      send: (reply, response) => {
        sent += 1;
        send(reply, response);
      },
    });
    const { code, output } = await cli.run(env, ['--only', 'search/USR/**', '--requirement', 'token.expird']);
    expect(output).toContain(
      '--only search/USR/** matches no case and no check: no id has the part USR; did you mean USER?',
    );
    expect(output).toContain('did you mean token.expired?');
    expect([code, sent]).toEqual([2, 0]);
    expect(existsSync(cli.file('conformance-report'))).toBe(false);
  });
});
