import { describe, expect, test } from 'vitest';
import { catalogue } from '../testing/small-world.ts';
import { lifetimeProblem, tokenProblem, tokenProblems } from './token-problems.ts';

const SECRET = 'sesame-3f9a77c1d2';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3600;
const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part({ jti: SECRET, ...claims })}.c2lnbmF0dXJl`;
const atHour = (hours: number) => Math.floor(NOW / 1000) + hours * HOUR;

describe('a token alone', () => {
  test.each([
    ['with its scheme', `Bearer ${SECRET}`, /begins with Bearer/],
    ['of two words', `${SECRET} ${SECRET}`, /holds a blank/],
    ['in quotes', `'${SECRET}'`, /quotes or brackets/],
    ['that is half quoted', `"${SECRET}`, /quotes or brackets/],
    ['in the brackets of a template', `<${SECRET}>`, /quotes or brackets/],
    ['with a line break', `${SECRET}\nx`, /line break/],
    ['behind a blank', ` ${SECRET}`, /begins or ends with a blank/],
  ])('is refused %s, without being shown', (_how, token, message) => {
    expect(tokenProblem(token)).toMatch(message);
    expect(tokenProblem(token)).not.toContain(SECRET);
  });

  test.each([SECRET, `1|${SECRET}`, `prefix_${SECRET}==`, jwt({}), `a:${SECRET}~+/`])('is taken: %s', (token) => {
    expect(tokenProblem(token)).toBeUndefined();
  });
});

describe('the time of a JWT', () => {
  test.each<[string, string, object, string | undefined]>([
    ['that should be in force has passed', 'valid', { exp: atHour(-1) }, 'expired at 2026-11-21T11:00:00Z'],
    ['of another client has passed', 'foreign', { exp: atHour(-1) }, 'expired at 2026-11-21T11:00:00Z'],
    ['that should be in force is to come', 'valid', { nbf: atHour(1) }, 'counts only from 2026-11-21T13:00:00Z'],
    ['that should have expired lies ahead', 'expired', { exp: atHour(1) }, 'expires only at 2026-11-21T13:00:00Z'],
    ['in force is right', 'valid', { exp: atHour(1), nbf: atHour(-1) }, undefined],
    ['expired is right', 'expired', { exp: atHour(-1) }, undefined],
    ['has no end, and is its own affair', 'expired', {}, undefined],
    ['is no time at all', 'valid', { exp: 'yesterday' }, undefined],
    ['is beyond what a date can show', 'expired', { exp: 1e300 }, undefined],
    ['may be a clock that is half a minute off', 'valid', { exp: atHour(0) - 30 }, undefined],
  ])('%s', (_what, validity, claims, said) => {
    const problem = lifetimeProblem(jwt(claims), validity, NOW);
    if (said === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(said);
    expect(problem ?? '').not.toContain(SECRET);
  });

  test('is not looked for in a token that is no JWT', () => {
    for (const token of [SECRET, 'a.b.c', `${part({})}.%.x`])
      expect(lifetimeProblem(token, 'valid', NOW)).toBeUndefined();
  });
});

describe('two tokens', () => {
  const problems = (values: Readonly<Record<string, string>>, now?: number) =>
    tokenProblems(catalogue, new Map(Object.entries(values)), now);

  test.each([
    ['of other scopes', 'USER_TOKEN', 'USER_TOKEN_CHAT'],
    ['of other kinds', 'GLOBAL_TOKEN', 'USER_TOKEN'],
    ['of which one has expired', 'OKTA_TOKEN', 'OKTA_TOKEN_EXPIRED'],
  ])('%s are refused when they are the same', (_how, one, other) => {
    expect(problems({ [other]: SECRET, [one]: SECRET })).toEqual([
      `${one} and ${other} are one token, yet differ in kind, validity or scopes`,
    ]);
  });

  test.each([
    ['USER_TOKEN_UNSCOPED', 'USER_TOKEN_PEOPLE'],
    ['USER_TOKEN', 'USER_TOKEN_FUTURE_EXPIRY'],
    ['OKTA_TOKEN_CHAT', 'OKTA_TOKEN_ALL_BUT_SEARCH'],
  ])('%s and %s may be one, since they may do the same', (one, other) => {
    expect(problems({ [one]: SECRET, [other]: SECRET })).toEqual([]);
  });

  test('are each named, and held against no clock where none is given', () => {
    const values = { AZURE_TOKEN: jwt({ exp: atHour(-2) }), OKTA_TOKEN: jwt({ exp: atHour(-3) }) };
    expect(problems(values, NOW).map((problem) => problem.split(' ')[0])).toEqual(['AZURE_TOKEN', 'OKTA_TOKEN']);
    expect(problems(values)).toEqual([]);
  });
});
