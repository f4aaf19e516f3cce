import { describe, expect, test } from 'vitest';
import { exposure as deviants } from '../../fixtures/deviants/advice.ts';
import { identify, succeed } from '../../fixtures/plain/answers.ts';
import { peopleEnv, titlesOfEverybody } from '../../fixtures/plain/people.ts';
import { bodyField, headerOf, type PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { runChecksOnPlain } from '../testing/one-check.ts';
import { ofPlain } from '../testing/plain-deviants.ts';
import { caches } from './caches.ts';
import { escalation } from './documents/escalation.ts';
import { exposure } from './exposure.ts';
import { nothingFound } from './nothing-found.ts';

const CLAIMS = { CONFORMANCE_CLAIMS: 'user global' };

async function decideExposure(checks: Parameters<typeof runChecksOnPlain>[0], options: PlainOptions = {}) {
  const { decisions } = await runChecksOnPlain(checks, options, CLAIMS);
  return decisions
    .filter(({ check }) => check === 'exposure')
    .map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}

describe('the refusals of a run', () => {
  test('pass if none shows a private document that an accepted search found', async () => {
    expect(await decideExposure([caches, exposure])).toEqual(['user.isolation: pass']);
  });

  test('fail if one shows it, and so do acceptances that nobody looked into', async () => {
    for (const { options } of ofPlain(deviants)) {
      const found = await decideExposure([caches, nothingFound, exposure], options());
      expect(new Set(found)).toEqual(new Set(['user.isolation: fail']));
    }
  });

  test('fail if one shows the token of another request', async () => {
    const observation = { kind: 'answer', status: 401, markers: ['GLOBAL_TOKEN'] };
    const asked = { recorded: () => [{ case: 'search/USER', observation }], decided: () => [] };
    const api = { ...asked, contract: { requirements: [] }, acceptance: () => undefined };
    const [decided] = await exposure(api as never);
    expect(decided?.requirement).toBe('user.isolation');
    expect(decided?.detail).toBe('a refusal showed $GLOBAL_TOKEN, which its request does not carry');
  });

  test('decide nothing if nothing was sent before', async () => {
    expect(await decideExposure([exposure])).toEqual([]);
  });
});

describe('the acceptances of a run', () => {
  /** What is shown to a search with a backslash. */
  const showing = (queries: readonly string[]): PlainOptions => ({
    succeed: (request, person) => {
      const answer = succeed(request, person);
      const isOdd = String(bodyField(request, 'query')).includes('\\');
      const titles = queries.map(titlesOfEverybody);
      return isOdd ? { ...answer, body: { ...Object(answer.body), suggestions: titles } } : answer;
    },
  });

  test.each([
    [[peopleEnv.ACT_AS_PRIVATE_QUERY], ['user.isolation: fail']],
    [[peopleEnv.USER_PRIVATE_QUERY, peopleEnv.ACT_AS_PRIVATE_QUERY], ['user.isolation: fail']],
    [[peopleEnv.USER_PRIVATE_QUERY], ['user.isolation: pass']],
  ])('show nobody else what %j finds, also where a check looks for no document', async (queries, verdicts) => {
    const found = await decideExposure([caches, nothingFound, exposure], showing(queries));
    expect([...new Set(found)]).toEqual(verdicts);
  });

  test('are left to the check that blames what it saw', async () => {
    const escalating: PlainOptions = {
      identify: (request: PlainRequest) => headerOf(request, 'x-service-actas') ?? identify(request),
    };
    expect(await decideExposure([caches, escalation, exposure], escalating)).toEqual(['user.isolation: pass']);
  });
});
