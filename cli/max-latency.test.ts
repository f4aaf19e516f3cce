import { cpSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import type { PlainOptions } from '../fixtures/plain/target.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
/** An accepted search takes a twentieth of a second. */
const slow: PlainOptions = {
  async send(reply, response, request) {
    if (reply.status === 200 && request.operation?.scope === 'SEARCH') await sleep(50);
    send(reply, response);
  },
};
const few = ['--claims', 'user', '--only', '*/USER/valid/**'];
const exceeded = ['--max-latency', 'search:p50=20'];

describe('a run with --max-latency', () => {
  test('is too slow if accepted requests take longer, and judged again, too', async () => {
    const limits = [...exceeded, '--max-latency', 'max=9999999'];
    const { code, output } = await cli.run(await cli.plain(slow), [...few, ...limits]);
    expect(output).toMatch(
      /too slow: search p50 \d+ ms, limit 20 ms; otherwise partial: nothing deviates \(exit code 1\)/,
    );
    const report = cli.report();
    expect([code, report.ending, report.byContract.ending, report.findings]).toEqual([1, 'too-slow', 'partial', []]);
    expect(report.maxLatency.map(({ operation, measure }) => `${operation} ${measure}`)).toEqual([
      'search p50',
      'search max',
      'chat max',
    ]);
    const text = cli.text('conformance-report', 'report.json');
    rmSync(cli.file('conformance-report', 'report.json'));
    expect((await cli.command(['report'])).code).toBe(1);
    expect(cli.text('conformance-report', 'report.json')).toBe(text);
  });

  test('ends as before if nothing takes longer, and mentions no limit without the flag', async () => {
    const env = await cli.plain();
    const met = await cli.run(env, [...few, '--max-latency', 'max=9999999']);
    expect(met.output).toMatch(/max latency +search max \d+ ms, limit 9,999,999 ms\n/);
    expect(met.code).toBe(0);
    const without = await cli.run(env, few);
    expect(without.output).not.toContain('max latency');
    expect([without.code, cli.report().maxLatency]).toEqual([0, []]);
  });

  test('deviates if something deviates', async () => {
    const checks = replaceCheck('token.unknown', () => undefined);
    const unknown = ['--claims', 'user', '--only', 'search/**'];
    const { code } = await cli.run(await cli.plain({ ...slow, checks }), [...unknown, ...exceeded]);
    expect([code, cli.report().ending]).toEqual([1, 'deviates']);
    expect(cli.report().maxLatency[0]?.exceeded).toBe(true);
  });

  test('has a statement of the contract alone', async () => {
    await cli.run(await cli.plain(slow), [...few, ...exceeded]);
    const { code, output } = await cli.command(['statement']);
    expect(output).toMatch(/partial: nothing deviates \(exit code 0 of the run\)/);
    expect(code).toBe(0);
    expect((await cli.command(['verify', 'conformance-report'])).output).toContain('✔ the statement holds');
  });
});

test('shards with limits are one run that is too slow, and shards with other limits are refused', async () => {
  const env = await cli.plain(slow);
  const shard = (index: number, limit: string) => {
    const flags = ['--shard', `${index}/2`, '--run', '7', '--report-dir', `shard-${index}`];
    return cli.run(env, [...few, ...flags, '--max-latency', limit]);
  };
  await shard(1, 'search:p50=20');
  await shard(2, 'search:p50=20');
  cpSync(cli.file('shard-2'), cli.file('same'), { recursive: true });
  const { code, output } = await cli.command(['merge', 'shard-1', 'same', '--report-dir', 'merged']);
  expect(output).toContain('too slow: search p50');
  expect([code, cli.report('merged').ending]).toEqual([1, 'too-slow']);
  await shard(2, 'search:p50=30');
  const other = await cli.command(['merge', 'shard-1', 'shard-2', '--report-dir', 'other']);
  expect(other.output).toContain('limits of latency: search:p50=20 and search:p50=30');
  expect(other.code).toBe(2);
});
