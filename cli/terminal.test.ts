import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptsExpired, commandLine } from './testing/command-line.ts';

const cli = commandLine();
const few = ['--claims', 'user', '--only', 'search/USER/**'];

describe('--json', () => {
  test('prints what explain, compare and verify say, with the same exit codes', async () => {
    const env = await cli.plain(acceptsExpired);
    await cli.run(env, few);
    const finding = JSON.parse((await cli.command(['explain', 'F1', '--json'])).output);
    expect(finding).toMatchObject({
      id: 'F1',
      sections: [{ title: expect.stringContaining('token.expired') }, {}, {}, {}, {}],
    });
    const rule = JSON.parse((await cli.command(['explain', 'token.expired', '--json'])).output);
    expect(rule.sections[1].rows[0]).toEqual({ name: expect.any(String), text: expect.any(String) });

    await cli.run(await cli.plain(), [...few, '--report-dir', 'good']);
    const compared = await cli.command(['compare', 'good', 'conformance-report', '--json']);
    expect(JSON.parse(compared.output)).toMatchObject({ new: [{ requirement: 'token.expired' }], fixed: [] });
    expect(compared.code).toBe(1);

    await cli.command(['statement']);
    const holds = await cli.command(['verify', 'conformance-report', '--json']);
    expect(JSON.parse(holds.output)).toMatchObject({
      outcome: 'holds',
      exitCode: 0,
      points: expect.arrayContaining([expect.objectContaining({ state: 'holds' })]),
    });
    writeFileSync(cli.file('conformance-report', 'junit.xml'), 'something else');
    const wrong = await cli.command(['verify', 'conformance-report', '--json']);
    expect([JSON.parse(wrong.output).outcome, wrong.code]).toEqual(['does not hold', 1]);
  });

  test('prints the report with the state of each entry of a baseline, also under GitHub Actions', async () => {
    await cli.run(await cli.plain(acceptsExpired), few);
    const entry = '- { requirement: token.expired, reason: the gateway keeps them, review: 2099-01-31 }';
    writeFileSync(cli.file('baseline.yaml'), `deviations:\n  ${entry}\n`);
    const args = ['report', '--baseline', 'baseline.yaml', '--json'];
    const { code, output } = await cli.command(args, { GITHUB_ACTIONS: 'true' });
    const [listed] = JSON.parse(output).baseline.entries;
    expect(listed).toMatchObject({ names: 'token.expired', reason: 'the gateway keeps them' });
    expect(listed.covers).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
});

test('--quiet prints only how the run ended', async () => {
  const env = await cli.plain(acceptsExpired);
  await cli.run(env, few);
  const { code, output } = await cli.run(env, [...few, '--quiet']);
  expect(output.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
    expect.stringContaining('✘ http'),
    '  narrowed',
    '  duration',
    '  report',
    '',
  ]);
  expect(code).toBe(1);
});

describe('--open', () => {
  const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'rundll32' };
  const opener = OPENERS[process.platform] ?? 'xdg-open';

  test('opens the report in the browser, and changes no exit code', async () => {
    const [command, seen] = [cli.file(opener), cli.file('opened')];
    writeFileSync(command, `#!/bin/sh\necho "$1" > '${seen}'\n`);
    chmodSync(command, 0o755);
    const env = { ...(await cli.plain(acceptsExpired)), PATH: [cli.folder, process.env['PATH']].join(delimiter) };
    expect((await cli.run(env, [...few, '--open'])).code).toBe(1);
    while (!existsSync(seen) || readFileSync(seen, 'utf8') === '') await new Promise((done) => setTimeout(done, 10));
    expect(readFileSync(seen, 'utf8')).toMatch(/^file:\/\/.*\/conformance-report\/report\.html\n$/);
    rmSync(seen);
  });

  test('says where the report is on a machine that cannot open it', async () => {
    const env = { ...(await cli.plain()), PATH: cli.folder };
    const { code, output } = await cli.run(env, [...few, '--open']);
    expect(output).toContain(`--open needs ${opener}, which this machine does not have: open`);
    expect(code).toBe(0);
  });
});

test.runIf(existsSync('/dev/full'))(
  'output for which a disk has no room is said to be incomplete, once, and is no success',
  async () => {
    for (const line of [
      'plan --embedded --depth core --no-intrusive --json',
      'explain 401',
      'completion bash',
      'run --help',
    ]) {
      const { code, output } = await cli.limited('exec >/dev/full', line.split(' '), {});
      // The part that was written may show another exit code.
      expect(output).toBe(
        'cannot write the output (the disk is full, ENOSPC): what was to be read there is not complete\nexit code 2, because the output is not complete\n',
      );
      expect(code).toBe(2);
    }
  },
);
