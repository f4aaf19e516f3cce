import { describe, expect, test } from 'vitest';
import { succeed } from '../../fixtures/plain/answers.ts';
import { plainChecks, replaceCheck } from '../../fixtures/plain/checks.ts';
import { type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { OTHER_REQUESTS } from '../../harness/judge/alike-causes.ts';
import { answering, runOnPlain, saying } from '../testing/one-check.ts';
import { plainDeviants } from '../testing/plain-deviants.ts';
import { caches } from './caches.ts';

const CLAIMS = { CONFORMANCE_CLAIMS: 'user global' };

async function decide(options: PlainOptions = {}, env: Readonly<Record<string, string>> = CLAIMS) {
  const { decisions, requests } = await runOnPlain(caches, options, env);
  return { decisions, requests, verdicts: new Set(decisions.map(({ verdict }) => verdict)) };
}

describe('the same search by another person or token', () => {
  test('passes if each gets an answer of its own, in a few requests', async () => {
    const { decisions, requests, verdicts } = await decide();
    expect(verdicts).toEqual(new Set(['pass']));
    const ofTokens = ['token.expired', 'scope.search', 'token.unknown', 'authorization.required'];
    expect(new Set(decisions.map(({ kind, requirement }) => `${kind} ${requirement}`))).toEqual(
      new Set([
        ...['user.isolation', ...ofTokens].map((id) => `USER ${id}`),
        ...['act-as.effective', ...ofTokens].map((id) => `GLOBAL ${id}`),
        'GLOBAL act-as.missing',
        'GLOBAL act-as.unknown',
      ]),
    );
    expect(requests).toBeLessThanOrEqual(100);
  });

  test('includes external tokens without their header', async () => {
    const { decisions } = await decide({}, { CONFORMANCE_CLAIMS: 'global google' });
    const missing = decisions.find(({ requirement }) => requirement === 'auth-type.missing');
    expect(missing).toMatchObject({ kind: 'GOOGLE', verdict: 'pass' });
  });

  test('fails what a cache shows or accepts, and nothing else', async () => {
    for (const deviant of plainDeviants(/^plain\.cache-(?!of-refusals)/)) {
      const { decisions } = await decide(deviant.options());
      const failed = decisions.filter(({ verdict }) => verdict === 'fail');
      const blamed = [...new Set(failed.map(({ requirement }) => requirement))];
      expect(blamed).toContain(deviant.breaks);
      expect([deviant.breaks, ...Object.keys(deviant.also ?? {})]).toEqual(expect.arrayContaining(blamed));
    }
  });

  test('blames the request before for what a cache in front accepts, and not for what is accepted each time', async () => {
    const kept = new Map<string, ReturnType<typeof succeed>>();
    const keyOf = ({ headers, path, body }: PlainRequest) => `${headers.authorization} ${path} ${body}`;
    const inFront: PlainOptions = {
      checks: [{ id: 'cache', check: (request) => kept.get(keyOf(request)) }, ...plainChecks],
      succeed: (request, person) => {
        const answer = succeed(request, person);
        kept.set(keyOf(request), answer);
        return answer;
      },
    };
    const influences = async (options: PlainOptions) => {
      const { decisions } = await decide(options);
      return new Set(decisions.filter(({ verdict }) => verdict === 'fail').map(({ influence }) => influence));
    };
    expect(await influences(inFront)).toEqual(new Set([OTHER_REQUESTS]));
    expect(await influences({ checks: replaceCheck('scope', () => undefined) })).toEqual(new Set([undefined]));
  });

  test('fails what a body that is no JSON is answered with, because it was answered last', async () => {
    let last: ReturnType<typeof succeed> | undefined;
    const stale: PlainOptions = {
      checks: replaceCheck('body.json', (request, original) =>
        last && request.path === searchPath && original(request) ? last : original(request),
      ),
      succeed: (request, person) => {
        const answer = succeed(request, person);
        if (request.path === searchPath) last = answer;
        return answer;
      },
    };
    const { decisions } = await decide(stale);
    const failed = decisions.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement);
    expect(new Set(failed)).toEqual(new Set(['user.isolation', 'act-as.effective']));
  });

  test('decides nothing of isolation if no search finds a private document', async () => {
    const { decisions } = await decide({ succeed: (request) => succeed(request, '') });
    const verdictsOn = (id: string) => {
      const isolated = decisions.filter(({ requirement }) => /isolation|effective/.test(requirement));
      return new Set(isolated.flatMap(({ operation, verdict }) => (operation === id ? [verdict] : [])));
    };
    expect(verdictsOn('search')).toEqual(new Set(['inconclusive']));
    // A chat may say anything.
    expect(verdictsOn('chat')).toEqual(new Set(['observed']));
  });

  test.each([403, 500, 503])('decides nothing if every search gets %d', async (status) => {
    const { decisions } = await decide(answering(({ path }) => path === searchPath, saying(status)));
    const ofSearch = decisions.filter(({ operation }) => operation === 'search');
    expect(new Set(ofSearch.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });
});
