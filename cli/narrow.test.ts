import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const acceptsExpired = replaceCheck('token.expired', () => undefined);

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
    const env = await cli.plain({ checks: acceptsExpired });
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
    expect(output).toContain('--only search/USR/** matches no case and no check; did you mean USER?');
    expect(output).toContain('did you mean token.expired?');
    expect([code, sent]).toEqual([2, 0]);
    expect(existsSync(join(cli.folder, 'conformance-report'))).toBe(false);
  });

  test('ends with exit 2 for an impossible shard', async () => {
    const { code, output } = await cli.run(await cli.plain(), ['--shard', '5/4']);
    expect(output).toContain('--shard must be i/n with i from 1 to n, such as 2/4, not "5/4"');
    expect(code).toBe(2);
  });
});
