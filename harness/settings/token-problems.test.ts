import { describe, expect, test } from 'vitest';
import { read } from '../testing/small-contract.ts';
import { catalogue } from '../testing/small-world.ts';
import { catalogueOf } from './catalogue.ts';
import { readExtraHeaders } from './parse-values.ts';
import { lifetimeProblem, tokenProblem, tokenProblems } from './token-problems.ts';
import { variableProblems } from './variable-problems.ts';

const SECRET = 'sesame-3f9a77c1d2';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3600;
const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part({ jti: SECRET, ...claims })}.c2lnbmF0dXJl`;
const atHour = (hours: number) => Math.floor(NOW / 1000) + hours * HOUR;

describe('one token', () => {
  test.each([
    ['with its scheme', `Bearer ${SECRET}`, /starts with Bearer/],
    ['of two words', `${SECRET} ${SECRET}`, /contains whitespace/],
    ['in quotes', `'${SECRET}'`, /quotes or brackets/],
    ['with only an opening quote', `"${SECRET}`, /quotes or brackets/],
    ['in angle brackets', `<${SECRET}>`, /quotes or brackets/],
    ['with a line break', `${SECRET}\nx`, /line break/],
    ['after a space', ` ${SECRET}`, /starts or ends with whitespace/],
    ['with an umlaut', `${SECRET}ü`, /not in ASCII/],
  ])('is refused %s, without showing it', (_how, token, message) => {
    expect(tokenProblem(token)).toMatch(message);
    expect(tokenProblem(token)).not.toContain(SECRET);
  });

  test.each([
    '$USER_TOKEN',
    '$\u007bUSER_TOKEN}',
    '$(USER_TOKEN)',
    '$(user-token)',
    '$\u007b{secrets.X}}',
    '%USER_TOKEN%',
    '***',
    '...',
  ])('is refused if it is the placeholder %s, which nothing replaced', (token) =>
    expect(tokenProblem(token)).toMatch(/placeholder that nothing replaced; set the token itself/),
  );

  test.each([
    '$ecret-token',
    '$2a$10$abc',
    '%7Eabc%',
    '.a.',
    '*',
    SECRET,
    `1|${SECRET}`,
    `prefix_${SECRET}==`,
    jwt({}),
    `a:${SECRET}~+/`,
  ])('is accepted: %s', (token) => {
    expect(tokenProblem(token)).toBeUndefined();
  });
});

test.each([
  ['Cookie: sid={token}', `sid=${SECRET}`, ['KEY_TOKEN starts with sid=; set only the token']],
  ['X-Api-Key: Basic {token}', `basic ${SECRET}`, ['KEY_TOKEN starts with Basic; set only the token']],
  ['X-Api-Key: {token}', `X-Api-Key: ${SECRET}`, ['KEY_TOKEN starts with X-Api-Key:; set only the token']],
  ['Cookie: sid={token}', `sid-${SECRET}`, []],
  ['X-Api-Key: se{token}', SECRET, []],
  ['X-Api-Key: {token}', SECRET, []],
])('a token of the line %s has no more of it: %s', async (credential, token, said) => {
  const own = catalogueOf(await read({ credential: `credential: "${credential}"` }));
  const problems = tokenProblems(own, new Map([['KEY_TOKEN', token]]), undefined);
  expect(problems.map((problem) => problem.split(', the suite')[0])).toEqual(said);
});

describe('a JWT', () => {
  test.each<[string, string, object, string | undefined]>([
    [
      'in place of a valid token is refused if it has expired',
      'valid',
      { exp: atHour(-1) },
      'expired at 2026-11-21T11:00:00Z',
    ],
    [
      'for another client is refused if it has expired',
      'foreign',
      { exp: atHour(-1) },
      'expired at 2026-11-21T11:00:00Z',
    ],
    ['that is not valid yet is refused', 'valid', { nbf: atHour(1) }, 'not valid before 2026-11-21T13:00:00Z'],
    [
      'in place of an expired token is refused if it has not expired',
      'expired',
      { exp: atHour(1) },
      'expires at 2026-11-21T13:00:00Z',
    ],
    [
      'in place of an expired token is refused with a minute left',
      'expired',
      { exp: atHour(0) + 60 },
      'expires at 2026-11-21T12:01:00Z; it must have expired at least five minutes ago',
    ],
    [
      'in place of an expired token is refused if a target with leeway may still accept it',
      'expired',
      { exp: atHour(0) - 299 },
      'expired at 2026-11-21T11:55:01Z; it must have expired at least five minutes ago',
    ],
    ['that expired five minutes ago is accepted as an expired token', 'expired', { exp: atHour(0) - 300 }, undefined],
    ['that is valid is accepted', 'valid', { exp: atHour(1), nbf: atHour(-1) }, undefined],
    ['that has expired is accepted as an expired token', 'expired', { exp: atHour(-1) }, undefined],
    ['without an expiry is accepted as an expired token', 'expired', {}, undefined],
    ['with an expiry that is not a number is accepted', 'valid', { exp: 'yesterday' }, undefined],
    ['with an expiry that no date can represent is accepted', 'expired', { exp: 1e300 }, undefined],
    ['that expired half a minute ago is accepted, because clocks differ', 'valid', { exp: atHour(0) - 30 }, undefined],
  ])('%s', (_what, validity, claims, message) => {
    const problem = lifetimeProblem(jwt(claims), validity, NOW);
    if (message === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(message);
    expect(problem ?? '').not.toContain(SECRET);
  });
});

test.each([SECRET, 'a.b.c', `${part({})}.%.x`])('a token that is not a JWT has no times to check: %s', (token) => {
  expect(lifetimeProblem(token, 'valid', NOW)).toBeUndefined();
});

test('what made a token says when it expires, and a JWT says it itself', () => {
  const [early, late] = [atHour(-1) * 1000, atHour(1) * 1000];
  expect(lifetimeProblem(SECRET, 'valid', NOW, early)).toBe('expired at 2026-11-21T11:00:00Z; get a new one');
  expect(lifetimeProblem(SECRET, 'expired', NOW, late)).toContain('it must have expired at least five minutes ago');
  expect(lifetimeProblem(SECRET, 'future-expiry', NOW, late)).toBeUndefined();
  expect(lifetimeProblem(jwt({ exp: atHour(1) }), 'valid', NOW, early)).toBeUndefined();
});

describe('two tokens', () => {
  const problems = (values: Readonly<Record<string, string>>, now?: number) =>
    tokenProblems(catalogue, new Map(Object.entries(values)), now);

  test.each([
    ['of different scopes', 'USER_TOKEN', 'USER_TOKEN_CHAT'],
    ['of different kinds', 'GLOBAL_TOKEN', 'USER_TOKEN'],
    ['of which one has expired', 'OKTA_TOKEN', 'OKTA_TOKEN_EXPIRED'],
  ])('%s are refused if they are the same', (_how, one, other) => {
    expect(problems({ [other]: SECRET, [one]: SECRET })).toEqual([
      `${one} and ${other} are the same token; they must differ in kind, validity or scopes`,
    ]);
  });

  test.each([
    ['USER_TOKEN_UNSCOPED', 'USER_TOKEN_PEOPLE'],
    ['USER_TOKEN', 'USER_TOKEN_FUTURE_EXPIRY'],
    ['OKTA_TOKEN_CHAT', 'OKTA_TOKEN_ALL_BUT_SEARCH'],
  ])('%s and %s may be the same, because they permit the same', (one, other) => {
    expect(problems({ [one]: SECRET, [other]: SECRET })).toEqual([]);
  });

  test('are each checked for their times, unless no time is given', () => {
    const values = { AZURE_TOKEN: jwt({ exp: atHour(-2) }), OKTA_TOKEN: jwt({ exp: atHour(-3) }) };
    expect(problems(values, NOW).map((problem) => problem.split(' ')[0])).toEqual(['AZURE_TOKEN', 'OKTA_TOKEN']);
    expect(problems(values)).toEqual([]);
  });
});

test.each(['...', '$(GATEWAY_KEY)', 'Bearer $\u007bGATEWAY_KEY}', 'Basic ***'])(
  'an extra header whose value is the placeholder %j is refused',
  (value) => {
    const problems: string[] = [];
    readExtraHeaders(JSON.stringify({ 'X-Gateway-Key': value, 'X-Other': 'a b ...' }), [], problems);
    expect(problems).toEqual([expect.stringMatching(/EXTRA_HEADERS has a placeholder for X-Gateway-Key that nothing/)]);
  },
);

test('a person is no placeholder, whatever a contract calls people', () => {
  const contract = { ...catalogue.contract, people: { suffix: 'LOGIN' } };
  const variables = new Map([['USER_LOGIN', { value: '$(USER_LOGIN)', origin: 'environment' } as const]]);
  expect(variableProblems({ ...catalogue, contract }, variables)).toEqual([
    'USER_LOGIN is a placeholder that nothing replaced; set the text itself, or remove the variable',
  ]);
});
