import { describe, expect, test } from 'vitest';
import type { Check } from '../harness/checks/check.ts';
import type { WireRequest } from '../harness/plan/request.ts';
import type { RawAnswer } from '../harness/record/observation.ts';
import { everyVariable } from '../harness/testing/small-world.ts';
import { checks } from './testing/checks.ts';
import { type Instead, simulate } from './testing/simulated-run.ts';

const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1);
const redirect: RawAnswer = {
  status: 302,
  headers: { location: 'https://login.example/' },
  text: '',
  truncated: false,
};

/** A gateway that answers 302 to this share of all requests, by chance. */
function redirecting(share: number, seed: number, target: Instead): Instead {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (right, ...rest) => (draw() < share ? redirect : target(right, ...rest));
}

const sends = (request: WireRequest | undefined, variable: string): boolean =>
  request?.headers.some(([, value]) => value.includes(everyVariable[variable] ?? '')) ?? false;
const accepting: RawAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ results: [], trackingToken: 't', requestId: 'r' }),
  truncated: false,
};

const faithful: Instead = (right) => right();
const withStatus =
  (change: (answer: RawAnswer) => RawAnswer): Instead =>
  async (right) => {
    const answer = await right();
    return 'status' in answer ? change(answer) : answer;
  };

/** Each answers otherwise than the contract wants, and what it answers has nothing to do with the gateway, or looks like it. */
const broken: Readonly<Record<string, () => Instead>> = {
  'accepts expired tokens': () => async (right, _clock, request) =>
    sends(request, 'USER_TOKEN_EXPIRED') ? accepting : right(),
  'redirects expired tokens itself': () => async (right, _clock, request) =>
    sends(request, 'USER_TOKEN_EXPIRED') ? redirect : right(),
  'answers 401 where the scope is missing': () =>
    withStatus((answer) => (answer.status === 403 ? { ...answer, status: 401 } : answer)),
};

/** Refuses every second valid request. */
function everySecond(): Instead {
  let count = 0;
  return withStatus((answer) => {
    if (answer.status !== 200) return answer;
    count += 1;
    return count % 2 === 0 ? { ...redirect, status: 403 } : answer;
  });
}

/** The run, by the seed in its name if it fails. */
async function endingOf(seed: number, target: Instead, checked: readonly Check[]): Promise<string> {
  const variables = { CONFORMANCE_CLAIMS: checked.length > 0 ? 'user global' : 'user' };
  const { judged } = await simulate(redirecting(2 / 100, seed, target), { checks: checked, variables });
  const failing = judged.findings.filter(({ verdict }) => verdict === 'fail').map(({ template }) => template);
  return `seed ${seed}: ${[judged.ending, ...failing].join(' ')}`;
}

describe('behind a gateway that redirects two requests in a hundred to its sign-in page', () => {
  test('a faithful target never deviates', { timeout: 300_000 }, async () => {
    const endings: string[] = [];
    for (const seed of SEEDS) endings.push(await endingOf(seed, faithful, checks));
    expect(endings.filter((ending) => ending.includes('deviates'))).toEqual([]);
    // Most runs decide everything all the same.
    expect(endings.filter((ending) => ending.includes('conforms')).length).toBeGreaterThan(SEEDS.length / 2);
  });

  // The matrix alone: no check helps it.
  test.each(Object.entries(broken))('a target that %s never conforms', { timeout: 300_000 }, async (_what, target) => {
    const endings: string[] = [];
    for (const seed of SEEDS) endings.push(await endingOf(seed, target(), []));
    expect(endings.filter((ending) => ending.includes('conforms'))).toEqual([]);
    expect(endings.filter((ending) => ending.includes('deviates')).length).toBeGreaterThan(SEEDS.length / 2);
  });

  test('a target that refuses every second valid request deviates', { timeout: 300_000 }, async () => {
    const endings: string[] = [];
    for (const seed of SEEDS.slice(0, 10)) endings.push(await endingOf(seed, everySecond(), []));
    expect(endings.filter((ending) => !ending.includes('deviates'))).toEqual([]);
  });
});

test('a target that refuses every second valid request deviates without any gateway', async () => {
  const { judged } = await simulate(everySecond(), { checks: [] });
  expect(judged.ending).toBe('deviates');
});
