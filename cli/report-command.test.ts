import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

test('a run under GitHub Actions annotates its causes, appends a summary, and prints no other workflow command', async () => {
  const env = await cli.plain({
    checks: replaceCheck('token.expired', (request, original) =>
      original(request) && request.record?.kind === 'USER'
        ? { status: 404, message: '##[error]x\n::error::y' }
        : original(request),
    ),
  });
  const summary = join(cli.folder, 'summary.md');
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
