import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hashOf, type Statement } from '../harness/statement/statement.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { acceptsExpired, commandLine } from './testing/command-line.ts';

const cli = commandLine();
const statementIn = (folder: string): Statement => JSON.parse(cli.text(folder, 'statement.json'));

/** Changes a file of the folder that was handed over. */
function edit(name: string, change: (text: string) => string): void {
  const before = cli.text('conformance-report', name);
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(cli.file('conformance-report', name), after);
}

const runs = temporaryFolder(afterAll);
const TARGETS = { conforming: {}, deviating: acceptsExpired };
type Target = keyof typeof TARGETS;

/** Runs the suite against a plain target. The tests that need the same run get copies of one. */
async function run(target: Target, args: readonly string[] = []): Promise<void> {
  const kept = join(runs, [target, ...args].join(' ').replace(/\W+/g, '-'));
  if (!existsSync(kept)) {
    await cli.run(await cli.plain(TARGETS[target]), ['--claims', 'user', ...args]);
    cpSync(cli.file('conformance-report'), kept, { recursive: true });
  } else cpSync(kept, cli.file('conformance-report'), { recursive: true });
}

/** The same with a statement. */
async function handOver(...[target, args]: Parameters<typeof run>): Promise<void> {
  await run(target, args);
  expect((await cli.command(['statement'])).code).toBe(0);
}

describe('statement', () => {
  test.each<[string, Target, string[], string, number, string]>([
    ['conforms', 'conforming', [], 'conforms', 0, 'Everything that is claimed is decided. Nothing deviates.'],
    ['deviates', 'deviating', [], 'deviates', 1, 'The target does not conform: 1 requirement fails'],
    ['was narrowed', 'conforming', ['--only', 'search/**'], 'partial', 0, 'Only a part was run.'],
    [
      'was narrowed at depth triples',
      'conforming',
      ['--only', 'search/USER/**', '--depth', 'triples'],
      'partial',
      0,
      'Only a part was run.',
    ],
  ])('of a run that %s says so on its page and in its JSON, and verify finds it true', async (...row) => {
    const [, target, args, ending, exitCode, sentence] = row;
    await handOver(target, args);
    expect(statementIn('conformance-report')).toMatchObject({ ending, exitCode, embedded: false });
    expect(cli.text('conformance-report', 'statement.html')).toContain(sentence);
    const { code, output } = await cli.command(['verify', 'conformance-report']);
    expect(output).toMatch(
      new RegExp(`✔ the statement holds: http://127\\.0\\.0\\.1:\\d+:? ${ending}.* \\(exit code 0\\)`),
    );
    const { planned } = statementIn('conformance-report').counts;
    expect(output).toMatch(new RegExp(`✔ all ${planned} cases of the plan were sent`));
    expect(code).toBe(0);
  });

  test('of the embedded service says that it is no implementation of a vendor', async () => {
    const part = ['--embedded', '--depth', 'core', '--only', 'search/USER/**'];
    await cli.command(['run', ...part]);
    await cli.command(['statement']);
    expect(statementIn('conformance-report').embedded).toBe(true);
    expect(cli.text('conformance-report', 'statement.html')).toContain('It is the implementation of no vendor.');
    expect((await cli.command(['verify', 'conformance-report'])).output).toContain('no implementation of a vendor');
  });

  test('contains no secret and no address of a person', async () => {
    const env = await cli.plain(acceptsExpired);
    await cli.run(env, ['--claims', 'user global']);
    await cli.command(['statement']);
    const written = cli.text('conformance-report', 'statement.html') + cli.text('conformance-report', 'statement.json');
    const secret = Object.entries(env).filter(([name]) => /_TOKEN|_EMAIL|_PRIVATE_/.test(name));
    expect(secret.length).toBeGreaterThan(20);
    expect(secret.filter(([, value]) => written.includes(value))).toEqual([]);
  });

  test('is refused with exit 2 if report.json is not what its journal gives', async () => {
    await run('conforming');
    edit('report.json', (text) => text.replace('"exitCode": 0', '"exitCode": 1'));
    const { code, output } = await cli.command(['statement']);
    expect(output).toMatch(
      /report\.json is not what the journal beside it gives; write it again: npx --no -- client-api-conformance report /,
    );
    expect(code).toBe(2);
  });
});

describe('verify', () => {
  test('ends with exit 1 for a verdict that somebody changed, and with exit 2 for what cannot be read', async () => {
    await handOver('deviating');
    const verify = () => cli.command(['verify', 'conformance-report']);
    for (const [name, written, instead, code, said] of [
      [
        'statement.json',
        '"ending": "deviates"',
        '"ending": "conforms"',
        1,
        /✘ statement\.json: line \d+: \/ending is "conf/,
      ],
      ['journal.ndjson', '"status":200', '"status":401', 1, /✘ journal\.ndjson: its SHA-256 is/],
      ['journal.ndjson', '\n{"type"', '\n{"tpye"', 2, /journal\.ndjson: line 2 is not a journal/],
      [
        'statement.json',
        '"exitCode": 1',
        '"exitCode": 7',
        2,
        /statement\.json: line \d+: \/exitCode is 7, wanted one of 0, 1/,
      ],
    ] as const) {
      const before = cli.text('conformance-report', name);
      edit(name, (text) => text.replace(written, instead));
      expect(await verify()).toMatchObject({ code, output: expect.stringMatching(said) });
      writeFileSync(cli.file('conformance-report', name), before);
    }
    rmSync(cli.file('conformance-report', 'statement.json'));
    expect(await verify()).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /cannot read .*statement\.json \(no such file or folder, ENOENT\); it is written by: npx --no -- client-api-conformance statement /,
      ),
    });
  });

  test('says that a baseline counts, and how the run ends without it', async () => {
    writeFileSync(
      cli.file('baseline.yaml'),
      'deviations:\n  - requirement: token.expired\n    reason: the gateway\n    review: 2030-01-31\n',
    );
    await handOver('deviating', ['--baseline', 'baseline.yaml']);
    const { code, output } = await cli.command(['verify', 'conformance-report']);
    expect(output).toContain('a baseline of the operator counts; without it: deviates');
    expect(output).toMatch(/✔ the statement holds: .* conforms except 1 listed/);
    expect(code).toBe(0);
    // Without the baseline, the same files are no longer what the journal gives.
    rmSync(cli.file('conformance-report', 'statement.html'));
    edit('report.json', (text) => text.replace(/"baseline": \{[\s\S]*?\n \}/, '"baseline": null'));
    expect((await cli.command(['verify', 'conformance-report'])).code).toBe(1);
  });

  test('ends with exit 3 for a folder of another version, which it cannot judge', async () => {
    await handOver('conforming');
    const other = (text: string) => text.replace(/("(?:suite|version)": ?)"[^"]+"/, '$1"9.9.9"');
    edit('journal.ndjson', other);
    edit('statement.json', other);
    const verify = () => cli.command(['verify', 'conformance-report']);
    // The hash is that of the journal of this version.
    expect((await verify()).code).toBe(1);
    edit('statement.json', (text) =>
      text.replace(/("journal\.ndjson": ")\w+/, `$1${hashOf(cli.text('conformance-report', 'journal.ndjson'))}`),
    );
    const { code, output } = await verify();
    expect(output).toMatch(/\? recorded by suite 9\.9\.9, and this is .*; verify the folder with suite 9\.9\.9/);
    expect(code).toBe(3);
  });
});
