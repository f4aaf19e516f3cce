import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import type { HistoryRun } from '../harness/report/history.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const few = ['--claims', 'user', '--only', 'search/USER/**'];
const runsIn = (folder = 'conformance-report'): readonly HistoryRun[] =>
  JSON.parse(cli.text(folder, 'history.json')).runs;
const endings = (folder?: string) => runsIn(folder).map(({ ending }) => ending);

/** Runs twice against one target, which breaks a requirement the second time. */
async function runTwice(): Promise<Record<string, string>> {
  let isBroken = false;
  const expired = replaceCheck('token.expired', (request, original) => (isBroken ? undefined : original(request)));
  const env = await cli.plain({ checks: expired });
  await cli.run(env, few);
  isBroken = true;
  await cli.run(env, few);
  return env;
}

describe('a report folder', () => {
  test('remembers its runs, draws their trend, and writes the same again', async () => {
    await runTwice();
    expect(endings()).toEqual(['partial', 'deviates']);
    const page = cli.text('conformance-report', 'report.html');
    expect(page).toContain('The last 2 runs against this target');
    const history = cli.text('conformance-report', 'history.json');
    await cli.command(['report']);
    expect(cli.text('conformance-report', 'report.html')).toBe(page);
    expect(cli.text('conformance-report', 'history.json')).toBe(history);
  });

  test('remembers no run that decided nothing', async () => {
    const env = await cli.plain();
    await cli.run({ ...env, TARGET_BASE_URL: 'http://127.0.0.1:9' }, few);
    expect(existsSync(cli.file('conformance-report', 'history.json'))).toBe(false);
    await cli.run(env, few);
    await cli.run({ ...env, TARGET_BASE_URL: 'http://127.0.0.1:9' }, few);
    expect(endings()).toEqual(['partial']);
  });

  test('remembers a run again after its history alone came from a cache', async () => {
    await runTwice();
    cpSync(cli.file('conformance-report', 'history.json'), cli.file('cached', 'history.json'));
    const third = await cli.run(await cli.plain(), [...few, '--report-dir', 'cached']);
    expect(third.code).toBe(0);
    expect(endings('cached')).toEqual(['partial', 'deviates', 'partial']);
  });

  test('sets a history aside that is none, says so, and ends as the run does', async () => {
    const env = await cli.plain();
    await cli.run(env, few);
    writeFileSync(cli.file('conformance-report', 'history.json'), '{"uid":"another program"}');
    const { code, output } = await cli.run(env, few);
    expect(output).toMatch(
      /history\.json is not a history of runs: .*; it is kept as .*history\.unreadable\.json, and a new history begins\n/,
    );
    expect([code, endings()]).toEqual([0, ['partial']]);
    expect(cli.text('conformance-report', 'history.unreadable.json')).toBe('{"uid":"another program"}');
  });

  test('hands its history over with a statement, and verify says that nobody can check it', async () => {
    await runTwice();
    await cli.command(['statement']);
    const { code, output } = await cli.command(['verify', 'conformance-report']);
    expect(output).toMatch(/✔ the pages say the same: .*; nobody can check the other runs in history\.json/);
    expect(output).not.toContain('not looked at');
    expect(code).toBe(0);
    rmSync(cli.file('conformance-report', 'history.json'));
    const without = await cli.command(['verify', 'conformance-report']);
    expect(without.output).toMatch(/✘ report\.html: line \d+ is not what the journal gives/);
  });
});

test('merge carries the histories of all folders, and adds one run', async () => {
  await runTwice();
  const env = await cli.plain();
  for (const index of ['1', '2']) {
    const shard = ['--shard', `${index}/2`, '--run', '7', '--report-dir', `shard-${index}`];
    await cli.run(env, [...few, ...shard]);
    expect(existsSync(cli.file(`shard-${index}`, 'history.json'))).toBe(false);
  }
  const [first, second] = runsIn();
  writeFileSync(cli.file('shard-1', 'history.json'), JSON.stringify({ historyVersion: 1, runs: [second] }));
  writeFileSync(cli.file('shard-2', 'history.json'), '[]');
  const merged = await cli.command(['merge', 'shard-1', 'shard-2', '--report-dir', 'conformance-report']);
  expect(merged.output).toMatch(/shard-2\/history\.json is not a history of runs.*; its runs are left out\n/);
  expect(runsIn().slice(0, 2)).toEqual([first, second]);
  expect(endings()).toEqual(['partial', 'deviates', 'partial']);
});

describe('compare --history', () => {
  test('lists the runs, and shows what changed between two of them', async () => {
    await runTwice();
    const [first, second] = runsIn();
    const list = await cli.command(['compare', '--history']);
    expect(list.output).toMatch(/conformance-report remembers 2 runs\n/);
    expect(list.output).toMatch(
      new RegExp(`\\n +1 .*${second?.run} +deviates +1 fail +1 .*\\n +2 .*${first?.run} +partial +none +0 `),
    );
    expect(list.code).toBe(0);
    for (const runs of [['2', '1'], ['2'], [first?.run ?? '', second?.run ?? '']]) {
      const { code, output } = await cli.command(['compare', '--history', ...runs]);
      expect(output).toMatch(/Since the run of .*\n +new +token\.expired on search\/USER\n/);
      expect(output).toMatch(/\n +ended +partial +deviates\n/);
      expect(output).toContain('new cause: token.expired (');
      expect(code).toBe(1);
    }
    const { output: json } = await cli.command(['compare', '--history', '--json']);
    expect(JSON.parse(json)).toMatchObject([
      { number: 1, run: second },
      { number: 2, run: first },
    ]);
    const back = await cli.command(['compare', '--history', '1', '2']);
    expect(back.output).toMatch(/fixed +token\.expired on search\/USER/);
    expect([back.code, back.output.includes('gone: token.expired (')]).toEqual([0, true]);
  });

  test('names the targets if there are several', async () => {
    await cli.run(await cli.plain(), few);
    await cli.run(await cli.plain(), few);
    const { output } = await cli.command(['compare', '--history']);
    expect(output.match(/http:\/\/127\.0\.0\.1:\d+/g)).toHaveLength(2);
  });

  test.each([
    [['--history', '1'], /--history 1 is the run that it would be compared with; name an earlier one/],
    [['--history', '7'], /conformance-report\/history\.json has no run 7: it has 1 run, and 1 is the last one/],
    [['--history', '--report-dir', 'conformance-report/report.json'], /report\.json remembers no run: there is no/],
  ])('ends with exit 2 for compare %j', async (args, message) => {
    await cli.run(await cli.plain(), few);
    const { code, output } = await cli.command(['compare', ...args]);
    expect(output).toMatch(message);
    expect(code).toBe(2);
  });

  test('ends with exit 2 for a history that is none, and leaves it', async () => {
    await cli.run(await cli.plain(), few);
    writeFileSync(cli.file('conformance-report', 'history.json'), '[]');
    const { code, output } = await cli.command(['compare', '--history']);
    expect(output).toMatch(
      /history\.json is not a history of runs: the file is an empty list, wanted keys with values/,
    );
    expect([code, cli.text('conformance-report', 'history.json')]).toEqual([2, '[]']);
  });
});

test('compare of two reports shows both side by side', async () => {
  await cli.run(await cli.plain(), [...few, '--report-dir', 'one']);
  await cli.run(await cli.plain(), [...few, '--report-dir', 'two', '--max-latency', 'max=1']);
  const { output } = await cli.command(['compare', 'one', 'two']);
  expect(output).toMatch(/\n +ended +partial +(partial|too slow)\n/);
  expect(output).toMatch(/\n +search 95 % +\d+ ms +\d+ ms\n/);
});
