import { describe, expect, test } from 'vitest';
import { succeed } from '../fixtures/plain/answers.ts';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import { actAsEmail, userEmail } from '../fixtures/plain/people.ts';
import { searchPath } from '../fixtures/plain/request.ts';
import { casesAt } from '../harness/testing/contract.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const RUN = ['--depth', 'core', '--only', 'search/USER/**', '--only', 'isolation'];

/** A target that takes expired USER tokens and shows the documents of others, until it is repaired. */
async function broken() {
  let isRepaired = false;
  let requests = 0;
  const env = await cli.plain({
    checks: replaceCheck('token.expired', (request, original) => {
      requests += 1;
      return !isRepaired && request.record?.kind === 'USER' ? undefined : original(request);
    }),
    succeed: (request, person) =>
      succeed(request, !isRepaired && request.path === searchPath && person === userEmail ? actAsEmail : person),
  });
  const counted = async (id: string) => {
    const before = requests;
    const { code, output } = await cli.command(['replay', id], { ...env, CONFORMANCE_CLAIMS: 'user' });
    return { code, output, requests: requests - before };
  };
  return {
    env: { ...env, CONFORMANCE_CLAIMS: 'user' },
    replay: counted,
    repair: () => {
      isRepaired = true;
    },
  };
}

describe('replay', () => {
  test('sends just a finding again, says that it still fails, and after a repair that it no longer does', async () => {
    const target = await broken();
    const run = await cli.run(target.env, RUN);
    expect(run.code).toBe(1);
    const before = cli.text('conformance-report', 'journal.ndjson');
    const { findings } = cli.report();
    const [expired, leak] = ['token.expired', 'user.isolation'].map(
      (id) => findings.find(({ requirements }) => requirements.includes(id))?.id ?? '',
    );
    const first = await target.replay(expired ?? '');
    expect(first.output).toMatch(/✘ still fails {2}search\/USER\/expired\/\S+: wanted 401; .*, got 200/);
    expect(first.output).toContain('✕ search/USER/expired/');
    expect(first.output).toContain(`✘ ${expired} still fails`);
    expect(first.code).toBe(1);
    expect(first.requests).toBeLessThan(40);
    const second = await target.replay(leak ?? '');
    expect(second.output).toContain(
      '✘ still fails  isolation/search/USER user.isolation: with the USER token, $ACT_AS',
    );
    expect(second.output).toContain('/results/0/title shows <ACT_AS_PRIVATE_MARKER>');
    expect([second.code, second.output.includes('Engine notes')]).toEqual([1, false]);
    target.repair();
    for (const id of [expired ?? '', leak ?? '']) {
      const { code, output } = await target.replay(id);
      expect(output).toContain(`✔ ${id} no longer fails`);
      expect(code).toBe(0);
    }
    expect(cli.text('conformance-report', 'journal.ndjson')).toBe(before);
  });

  test('sends a finding of a whole run, with the cases that the run sent beyond its depth to find a condition', async () => {
    const target = await broken();
    expect((await cli.run(target.env, ['--depth', 'core'])).code).toBe(1);
    const found = cli.report().findings.find(({ requirements }) => requirements.includes('token.expired'));
    const ids = new Set(casesAt('core').map(({ id }) => id));
    expect(found?.cases.some((id) => !ids.has(id))).toBe(true);
    const { code, output } = await target.replay(found?.id ?? '');
    expect(output).toContain(`✘ ${found?.id} still fails`);
    expect(code).toBe(1);
  });

  test('sends a finding of another target to nobody', async () => {
    const target = await broken();
    await cli.run(target.env, RUN);
    const elsewhere = await cli.command(['replay', 'F1', '--embedded'], target.env);
    expect(elsewhere.output).toMatch(
      /F1 was found on http:\/\/\S+, and this would send it to the embedded reference service; set /,
    );
    expect(elsewhere.code).toBe(2);
  });

  test('takes a case of any depth, a check, and what a check decides for one kind, without a report', async () => {
    const target = await broken();
    const id = 'search/USER/expired/all/act-as:absent/auth-type:absent/header-case:lower';
    const found = await target.replay(id);
    expect(found.output).toMatch(new RegExp(`✘ still fails {2}${id}: wanted 401; .*, got 200`));
    expect(found.output).toContain(`✘ ${id} still fails`);
    expect(found.code).toBe(1);
    expect((await target.replay('isolation')).output).toContain('✘ isolation still fails');
    const unit = await target.replay('isolation/chat/USER');
    expect(unit.output).toContain('✔ isolation/chat/USER does not fail');
    expect(unit.code).toBe(0);
  });

  test('ends with exit 3 for a target that does not answer', async () => {
    const away = { ...(await broken()).env, TARGET_BASE_URL: 'http://127.0.0.1:9' };
    expect((await cli.command(['replay', 'isolation'], away)).code).toBe(3);
  });
});
