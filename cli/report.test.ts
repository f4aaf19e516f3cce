import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import { suiteVersion } from '../harness/record/journal.ts';
import { commandLine, refusesExpired, without } from './testing/command-line.ts';

const cli = commandLine();
const KINDS = ['--claims', 'user'];
const acceptsTampered = replaceCheck('token.unknown', () => undefined);
const journal = () => cli.file('conformance-report', 'journal.ndjson');

/** The files in the report folder, with their texts. */
function written(): Record<string, string> {
  const folder = cli.file('conformance-report');
  return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

describe('report', () => {
  test.each([
    ['conforms', 0, {}, []],
    ['takes tampered tokens', 1, { checks: acceptsTampered }, []],
    ['was narrowed', 0, {}, ['--only', 'search/USER/**', '--only', 'isolation']],
  ])(
    'of a run that %s has the same exit code and, byte for byte, the same files',
    async (_how, exit, options, args) => {
      const run = await cli.run(await cli.plain(options), [...KINDS, ...args]);
      const before = written();
      for (const file of ['report.html', 'report.json', 'junit.xml']) rmSync(cli.file('conformance-report', file));
      const again = await cli.command(['report']);
      expect([run.code, again.code]).toEqual([exit, exit]);
      expect(written()).toEqual(before);
      expect(again.output).toContain('Judged again from the journal');
      expect(run.output.slice(run.output.indexOf('\n\n'))).toBe(again.output.slice(again.output.indexOf('\n\n')));
    },
  );

  test('of a run without a needed token ends with exit 4, also from another folder', async () => {
    const env = without(await cli.plain(), 'USER_TOKEN_EXPIRED', 'USER_TOKEN_EXPIRED_UNSCOPED');
    await cli.run(env, [...KINDS, '--report-dir', 'elsewhere']);
    const { code, output } = await cli.command(['report', 'elsewhere']);
    expect(code).toBe(4);
    expect(output).toMatch(/set USER_TOKEN_EXPIRED +to decide token\.expired/);
  });

  test('shows what was decided before a kill -9, even if the last line of the journal is incomplete', async () => {
    const { child, ended } = cli.start(['run', '--rate', '400'], await cli.plain());
    const file = await cli.journalHolds(520);
    child.kill('SIGKILL');
    await ended;
    truncateSync(file, readFileSync(file).length - 7);
    const { code, output } = await cli.command(['report']);
    const { counts, stopped, cases, requirements } = cli.report();
    expect([code, stopped]).toEqual([3, 'the run was killed']);
    expect(output).toContain('stopped: the run was killed');
    expect(counts.verdicts.fail).toBe(0);
    expect(counts.verdicts.pass).toBeGreaterThan(50);
    expect(cases.filter(({ reason }) => reason === 'not sent').length).toBeGreaterThan(20);
    // This check did not run, so its requirement cannot pass.
    expect(requirements.find(({ id }) => id === 'rfc.challenge')?.verdict).toBe('inconclusive');
  });

  test.each<[string, readonly string[], RegExp]>([
    ['without a run', [], /does not begin with a run/],
    ['of another contract', [record({ contract: '0123' })], /recorded under contract 0123/],
    [
      'of another major version',
      [record({ version: '9.0.0' })],
      /recorded by suite 9\.0\.0.*suite that recorded it \(version 9\.0\.0\)/,
    ],
  ])('ends with exit 2 for a journal %s', async (_what, lines, message) => {
    mkdirSync(cli.file('conformance-report'));
    writeFileSync(journal(), lines.map((line) => `${line}\n`).join(''));
    const { code, output } = await cli.command(['report']);
    expect(output).toMatch(message);
    expect(code).toBe(2);
  });
});

/** The first line of a journal. */
function record(change: object): string {
  const claims = { kinds: [], capabilities: [], inferred: true };
  const run = {
    type: 'run',
    version: suiteVersion,
    run: 'x',
    contract: 'x',
    startedAt: '',
    target: '',
    depth: 'core',
  };
  return JSON.stringify({ ...run, claims, trusted: false, variables: {}, ...change });
}

test('a run under GitHub Actions annotates its causes, appends a summary, and prints no other workflow command', async () => {
  const env = await cli.plain(refusesExpired('##[error]x\n::error::y'));
  const summary = cli.file('summary.md');
  writeFileSync(summary, 'before\n');
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, CONFORMANCE_CLAIMS: 'user' };
  const { code, output } = await cli.run({ ...env, ...github }, ['--depth', 'core', '--only', 'search/**']);
  expect(code).toBe(1);
  const [, token = ''] = /^::stop-commands::(\w{32})\n/.exec(output) ?? [];
  const [printed, commands = '', last] = output.split(new RegExp(`::(?:stop-commands::)?${token}(?:::)?\n`)).slice(1);
  expect(printed).toContain('plan');
  expect(last).toMatch(/One cause[\s\S]*deviates \(exit code 1\)/);
  expect(commands.trim().split('\n')).toEqual([
    expect.stringMatching(/^::error title=F1 token\.expired/),
    expect.stringMatching(/^::notice title=.* deviates::claims: /),
  ]);
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n## ❌ http&#58;.* deviates/);
});

test('a run under GitHub Actions that cannot begin annotates the reason', async () => {
  const target = await cli.plain();
  const env = { ...target, GITHUB_ACTIONS: 'true' };
  const wrong = await cli.run({ ...env, CONFORMANCE_CLAIMS: 'usr' }, []);
  expect(wrong.code).toBe(2);
  expect(wrong.output).toMatch(/^::error title=configuration error::.*usr/m);
  const elsewhere = await cli.run({ ...env, TARGET_BASE_URL: `${target['TARGET_BASE_URL']}/typo` }, [
    '--claims',
    'user',
  ]);
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.output).toMatch(/^::error title=configuration error::/m);
});
