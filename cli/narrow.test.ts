import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const acceptsExpired = replaceCheck('token.expired', () => undefined);

describe('a narrowed run', () => {
  test('sends its cases, their controls and no more, and ends partial with exit 0', async () => {
    const { code, output } = await cli.run(await cli.plain(), ['--only', 'search/USER/expired/**']);
    const { cases, narrowed, ending, counts, checks } = cli.report();
    expect([code, ending, narrowed]).toEqual([0, 'partial', '--only search/USER/expired/**']);
    expect(output).toContain('✔ partial: nothing deviates\n  narrowed: --only search/USER/expired/**');
    const others = cases.filter(({ id }) => !id.startsWith('search/USER/expired/'));
    expect(others.every(({ id }) => id.startsWith('search/USER/valid/'))).toBe(true);
    expect(checks).toEqual([]);
    expect(counts.requests).toBeLessThan(20);
  });

  test('deviates with exit 1 where its part does, and not where it does not', async () => {
    const env = await cli.plain({ checks: acceptsExpired });
    const asked = (id: string) => cli.run(env, ['--requirement', id]);
    expect([(await asked('token.expired')).code, (await asked('authorization.required')).code]).toEqual([1, 0]);
  });

  test('that names nothing ends with exit 2 before any traffic, and leaves the last journal alone', async () => {
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

  test('is refused for a shard that cannot be', async () => {
    const { code, output } = await cli.run(await cli.plain(), ['--shard', '5/4']);
    expect(output).toContain('--shard must be i/n with i from 1 to n, such as 2/4, not "5/4"');
    expect(code).toBe(2);
  });
});
