import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import { acceptsExpired, commandLine } from './testing/command-line.ts';

const cli = commandLine();
const few = ['--claims', 'user', '--only', 'search/USER/**'];

describe('a run', () => {
  test('tells what changed since the report in its folder, and the same run judged again says the same', async () => {
    let isBroken = true;
    const expired = replaceCheck('token.expired', (request, original) => (isBroken ? undefined : original(request)));
    const env = await cli.plain({ checks: expired });
    const first = await cli.run(env, few);
    expect(first.output).not.toContain('Since the run');
    expect(cli.report().since).toBeNull();

    expect((await cli.run(env, few)).output).toMatch(
      /Since the run of .*\n +still failing +token\.expired on search\/USER/,
    );

    isBroken = false;
    const { code, output } = await cli.run(env, few);
    expect(output).toMatch(/Since the run of .*\n +fixed +token\.expired on search\/USER/);
    expect(code).toBe(0);
    const report = cli.text('conformance-report', 'report.json');
    expect(cli.text('conformance-report', 'report.html')).toContain('Since last time');
    rmSync(cli.file('conformance-report', 'report.json'));
    await cli.command(['report']);
    expect(cli.text('conformance-report', 'report.json')).toBe(report);
  });

  test('is compared with the report that --since names, whatever its target', async () => {
    await cli.run(await cli.plain(), few);
    cpSync(cli.file('conformance-report'), cli.file('kept'), { recursive: true });
    const { output } = await cli.run(await cli.plain(acceptsExpired), [...few, '--since', join('kept', 'report.json')]);
    expect(output).toMatch(/Since the run of .*\n +new +token\.expired on search\/USER/);
  });

  test('is not compared with the report of another target, nor with a damaged one, and says so', async () => {
    const env = await cli.plain();
    await cli.run(env, few);
    const other = await cli.run(await cli.plain(), few);
    expect(other.output).toMatch(/not compared with .*report\.json, which is about http:/);
    writeFileSync(cli.file('conformance-report', 'report.json'), '{"reportVersion":1');
    const { code, output } = await cli.run(env, few);
    expect(output).toMatch(/not compared with the run before: .*report\.json is not JSON/);
    expect([code, cli.report().since]).toEqual([0, null]);
  });
});

describe('compare', () => {
  test('ends with exit 1 if something new fails, and with exit 0 if it is fixed', async () => {
    await cli.run(await cli.plain(), [...few, '--report-dir', 'good']);
    await cli.run(await cli.plain(acceptsExpired), [...few, '--report-dir', 'bad']);
    const worse = await cli.command(['compare', 'good', 'bad']);
    expect(worse.output).toMatch(/new +token\.expired on search\/USER/);
    const better = await cli.command(['compare', 'bad', join('good', 'report.json')]);
    expect(better.output).toMatch(/fixed +token\.expired on search\/USER/);
    const same = await cli.command(['compare', 'bad', 'bad']);
    expect([worse.code, better.code, same.code]).toEqual([1, 0, 0]);
  });

  test('ends with exit 3 if something is no longer decided', async () => {
    const env = await cli.plain();
    await cli.run(env, [...few, '--report-dir', 'all']);
    const { USER_TOKEN_EXPIRED: _, USER_TOKEN_EXPIRED_UNSCOPED: __, ...fewer } = env;
    await cli.run(fewer, [...few, '--report-dir', 'fewer']);
    const { code, output } = await cli.command(['compare', 'all', 'fewer']);
    expect(output).toMatch(/no longer decided +token\.expired on search\/USER/);
    expect(code).toBe(3);
  });

  test('reads a report that an editor of Windows saved, with a byte order mark and its line ends', async () => {
    await cli.run(await cli.plain(), ['--claims', 'user', '--only', 'search/USER/valid/all/**']);
    const report = cli.text('conformance-report', 'report.json');
    writeFileSync(cli.file('saved.json'), `\uFEFF${report.replaceAll('\n', '\r\n')}`);
    const { code, output } = await cli.command(['compare', 'saved.json', 'conformance-report']);
    expect(output).toContain('nothing changed');
    expect(code).toBe(0);
  });

  test('ends with exit 2 for a file that is no report', async () => {
    writeFileSync(cli.file('other.json'), '{"reportVersion":1}');
    const { code, output } = await cli.command(['compare', 'other.json', 'other.json']);
    expect(output).toMatch(/other\.json is not a report: .*lacks/);
    expect(code).toBe(2);
  });
});
