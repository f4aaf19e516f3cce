import { describe, expect, test } from 'vitest';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import type { Report } from '../harness/report/report.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
// Accepts expired USER tokens, and refuses GLOBAL tokens on chat, which are the controls of many cases.
const broken = replaceCheck('token.expired', (request, original) => {
  const { record, operation } = request;
  if (record?.kind === 'USER') return undefined;
  const refused = record?.kind === 'GLOBAL' && operation?.scope === 'CHAT';
  return original(request) ?? (refused ? { status: 404, message: 'No chat for applications' } : undefined);
});

// These checks send requests that depend on the id of the run.
const RANDOM = ['fuzz', 'grammar', 'repetition'];
const isCase = (id: string) => id.includes('/act-as:');

/** Everything that was decided, without what differs between runs: what was sent how often and how fast, ids and random requests. */
function outcomes({
  ending,
  line,
  exitCode,
  stopped,
  narrowed,
  requirements,
  findings,
  cases,
  checks,
  ...report
}: Report) {
  return {
    run: [ending, line, exitCode, stopped, narrowed],
    // Checks that send random requests do not decide the same number of times in each run.
    requirements: requirements.map(({ decidedCases: _number, ...found }) => found),
    findings: findings.map(({ cases: shown, steps: _steps, ...found }) => ({ ...found, cases: shown.filter(isCase) })),
    // Each run takes other times, and so it may meet the responses in another order.
    cases: cases.map(({ sent: _sent, steps: _steps, ms: _ms, time: _time, response: _response, ...found }) => found),
    // Each shard has its own order.
    checks: checks
      .flatMap(({ check, requirement, operation, kind, verdict }) =>
        RANDOM.includes(check) ? [] : [[check, requirement, operation, kind, verdict].join(' ')],
      )
      .sort(),
    planned: report.counts.planned,
    verdicts: report.counts.verdicts,
    undecided: report.undecided,
    freedoms: report.freedoms,
    restsOnWord: report.restsOnWord,
  };
}

/** What was decided, without the cases. */
function causes({ ending, exitCode, requirements, findings }: Report) {
  return {
    run: [ending, exitCode],
    requirements: requirements.map(({ id, verdict }) => [id, verdict]),
    findings: findings.map(({ requirements: blamed, verdict }) => [blamed, verdict]),
  };
}

describe('merge', () => {
  test.each([
    [2, 'conforms', 0, 'user', {}],
    [4, 'deviates', 1, 'user global', { checks: broken }],
  ])('of %d shards has the same result as a single run that %s, case by case', async (...row) => {
    const [count, , exit, claims, options] = row;
    const env = { ...(await cli.plain(options)), CONFORMANCE_CLAIMS: claims };
    const folders = Array.from({ length: count }, (_, index) => `shard-${index + 1}`);
    // The id of a run is its seed. With another one, two altered tokens can be the same, and there is one decision less.
    const single = await cli.run(env, ['--run', 'one', '--report-dir', 'single']);
    for (const [index, folder] of folders.entries())
      await cli.run(env, ['--shard', `${index + 1}/${count}`, '--run', 'one', '--report-dir', folder]);
    const { code, output } = await cli.command(['merge', ...folders, '--report-dir', 'merged']);
    expect([single.code, code]).toEqual([exit, exit]);
    const [merged, whole] = [cli.report('merged'), cli.report('single')];
    // Each shard asks more about what it found wrong itself, so the further cases differ.
    const compared = exit === 0 ? outcomes : causes;
    expect(compared(merged)).toEqual(compared(whole));
    expect(merged.cases.length).toBeGreaterThan(100);

    const alone = folders.map((folder) => cli.report(folder));
    const controls = alone.reduce((sum, { cases }) => sum + cases.length, 0) - cli.report('single').cases.length;
    expect(alone.every(({ narrowed }, index) => narrowed === `--shard ${index + 1}/${count}`)).toBe(true);
    expect(controls).toBeLessThan(200);
    // The merged folder can be judged again like any other.
    const again = await cli.command(['report', 'merged']);
    expect(again.output).toBe(output);
    // The commands that it names look into the folder of the merged run.
    expect(output.includes('-conformance explain F1 --report-dir merged`')).toBe(exit === 1);
  });

  test('names the cases of a missing shard, and ends as inconclusive', async () => {
    const env = await cli.plain();
    const flags = ['--only', 'search/USER/**', '--only', 'isolation'];
    for (const index of [1, 3])
      await cli.run(env, [...flags, '--shard', `${index}/3`, '--run', 'one', '--report-dir', `${index}`]);
    const { code, output } = await cli.command(['merge', '1', '3', '--report-dir', 'merged']);
    expect(output).toMatch(/^shard 2 of 3 is missing: [\d,]+ cases in \d+ groups \(search\/USER\//);
    expect(output).toContain('stopped: shard 2 of 3 is missing');
    expect(code).toBe(3);
    const wrong = await cli.command(['merge', '1', '3', '--report-dir', '1']);
    expect([wrong.code, wrong.output]).toEqual([2, expect.stringContaining('1 is one of the shards')]);
    await cli.command(['merge', '1', '3'], { CONFORMANCE_REPORT_DIR: 'named' });
    expect(cli.report('named').run).toBe('one');
    expect(cli.text('1', 'journal.ndjson')).toContain('"shard":{"index":1,"of":3}');
  });

  test('names its run by the workflow run under GitHub Actions, and needs --run elsewhere', async () => {
    const env = { ...(await cli.plain()), CONFORMANCE_CLAIMS: 'user' };
    const flags = ['--only', 'search/USER/valid/**', '--shard', '1/2'];
    const nameless = await cli.run(env, flags);
    expect([nameless.code, nameless.output]).toEqual([2, expect.stringContaining('--shard needs --run ID')]);
    await cli.run({ ...env, GITHUB_RUN_ID: '4711', GITHUB_RUN_ATTEMPT: '2' }, flags);
    expect(cli.report().run).toBe('4711-2');
  });

  test('refuses shards of different runs, and a run without shards', async () => {
    const env = { ...(await cli.plain()), CONFORMANCE_CLAIMS: 'user' };
    const run = (dir: string, ...args: string[]) =>
      cli.run(env, ['--only', 'search/USER/valid/**', '--report-dir', dir, ...args]);
    await Promise.all([
      run('a', '--shard', '1/2', '--run', 'one'),
      run('b', '--shard', '2/2', '--run', 'another'),
      run('whole'),
    ]);
    const mixed = await cli.command(['merge', 'a', 'b', '--report-dir', 'merged']);
    expect([mixed.code, mixed.output]).toEqual([2, expect.stringContaining('one run: run: one and another')]);
    const whole = await cli.command(['merge', 'a', 'whole', '--report-dir', 'merged']);
    expect([whole.code, whole.output]).toEqual([2, expect.stringContaining('whole holds a run without --shard')]);
  });
});
