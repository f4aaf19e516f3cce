import { describe, expect, test } from 'vitest';
import type { Dimension, Outcome } from '../contract/contract.ts';
import { casesAt } from '../testing/contract.ts';
import { caseOf, contract } from '../testing/small-world.ts';
import { type Expectation, faultsOf, levelOf, expect as oracle, refusesToken, silentRulesOf } from './expectation.ts';

type Changes = Readonly<Record<Dimension, string>>;

const expectation = (kind: string, changes: Changes, operation = 'search') =>
  oracle(contract, caseOf(operation, kind, changes).values);

/** `401`, `400 act-as-missing`, `4xx none`, `4xx warn`. */
function shown({ admissible }: Expectation): string[] {
  const text = ({ status, message, verdict }: Outcome) =>
    [[status].flat().join('|'), ...(message === undefined ? [] : [[message].flat().join('|')]), verdict ?? '']
      .join(' ')
      .trim();
  return [...new Set(admissible.map(({ outcome }) => text(outcome)))].sort();
}

const UNTYPED = '4xx auth-type-missing|invalid-secret';
/** What a service says that deletes expired tokens. */
const FORGOTTEN = `${UNTYPED} warn`;

describe('a case with one fault must be refused with what the specification says', () => {
  test.each<[string, Changes, readonly string[], string]>([
    ['none', {}, ['401', '4xx|3xx warn'], 'authorization.required'],
    ['none', { authorization: 'empty' }, ['400|401', '4xx warn'], 'authorization.malformed'],
    ['USER', { authorization: 'no-scheme' }, ['400|401', '4xx warn'], 'authorization.malformed'],
    ['USER', { authorization: 'basic' }, ['400|401', '4xx warn'], 'authorization.malformed'],
    ['unknown', { 'auth-type': 'OAUTH' }, ['401'], 'token.unknown'],
    ['unknown', {}, ['401', UNTYPED], 'token.unknown'],
    ['USER', { validity: 'tampered' }, ['401', UNTYPED], 'token.tampered'],
    ['OKTA', { validity: 'tampered' }, ['401'], 'token.tampered'],
    ['OAUTH', { validity: 'foreign' }, ['401|403', '4xx auth-type-missing|invalid-secret'], 'token.foreign'],
    ['OAUTH', { validity: 'foreign', 'auth-type': 'OAUTH' }, ['401|403'], 'token.foreign'],
    ['GOOGLE', { validity: 'expired' }, ['401'], 'token.expired'],
    ['USER', { validity: 'expired' }, ['401', FORGOTTEN], 'token.expired'],
    ['GLOBAL', { validity: 'expired', 'auth-type': 'OAUTH' }, ['401', '4xx'], 'token.expired'],
    ['USER', { holding: 'none' }, ['403'], 'scope.search'],
    ['USER', { holding: 'only:CHAT' }, ['403'], 'scope.search'],
    ['GLOBAL', { holding: 'all-but:SEARCH' }, ['403'], 'scope.search'],
    ['GLOBAL', { holding: 'set:analytics-dashboard' }, ['403'], 'scope.search'],
    ['OAUTH', { holding: 'none' }, ['403'], 'scope.search'],
    ['AZURE', { holding: 'none' }, ['403'], 'scope.search'],
    ['GLOBAL', { 'act-as': 'absent' }, ['400 act-as-missing'], 'act-as.missing'],
    ['GLOBAL', { 'act-as': 'blank' }, ['400 act-as-missing', '401 invalid-identity'], 'act-as.missing'],
    ['GLOBAL', { 'act-as': 'unknown' }, ['401 invalid-identity'], 'act-as.unknown'],
    ['GLOBAL', { 'act-as': 'unknown-domain' }, ['401 invalid-identity'], 'act-as.unknown'],
    ['GLOBAL', { 'act-as': 'malformed' }, ['401 invalid-identity'], 'act-as.unknown'],
    ['ONELOGIN', { 'auth-type': 'absent' }, [UNTYPED], 'auth-type.missing'],
    ['ONELOGIN', { 'auth-type': 'blank' }, [UNTYPED], 'auth-type.missing'],
    ['AZURE', { 'auth-type': 'other-value' }, ['4xx'], 'auth-type.other'],
    ['USER', { body: 'missing-field' }, ['4xx none'], 'search.request'],
    ['USER', { body: 'mistyped-field' }, ['4xx none'], 'search.request'],
    ['USER', { body: 'mistyped-option' }, ['4xx none'], 'search.options'],
    ['USER', { body: 'not-json' }, ['4xx none'], 'request.json'],
    ['USER', { body: 'other-content-type' }, ['4xx none'], 'request.content-type'],
  ])('%s %j: %j (%s)', (kind, changes, outcomes, requirement) => {
    const found = expectation(kind, changes);
    expect(found.kind).toBe('refuse');
    expect(shown(found)).toEqual(outcomes);
    expect([...new Set(found.suspects.map((suspect) => suspect.requirement))]).toEqual([requirement]);
  });
});

describe('a case without a fault must succeed', () => {
  test.each<[string, Changes]>([
    ['USER', {}],
    ['GLOBAL', {}],
    ['OAUTH', {}],
    ['OAUTH', { 'auth-type': 'OAUTH' }],
    ['GOOGLE', {}],
    ['OKTA', { 'header-case': 'lower' }],
    ['USER', { validity: 'future-expiry' }],
    ['USER', { holding: 'only:SEARCH' }],
    ['USER', { holding: 'all-but:CHAT' }],
    ['GLOBAL', { holding: 'set:chat-integration', 'header-case': 'upper' }],
  ])('%s %j', (kind, changes) => {
    const found = expectation(kind, changes);
    expect([found.kind, found.admissible]).toEqual(['accept', []]);
    expect(found.suspects.at(-1)).toMatchObject({ template: '{operation}.success', requirement: 'search.success' });
  });

  test('and every requirement that its success shows is a suspect if it is refused', () => {
    const { suspects } = expectation('GLOBAL', { holding: 'only:SEARCH', 'header-case': 'lower' });
    expect(suspects.map(({ requirement }) => requirement)).toEqual([
      'headers.case',
      'scope.sole',
      'global.accepted',
      'search.success',
    ]);
  });
});

describe('a case that the specification leaves open may succeed or be refused', () => {
  test.each<[string, Changes, string]>([
    ['USER', { authorization: 'scheme-case' }, 'authorization.form'],
    ['USER', { authorization: 'spaces' }, 'authorization.form'],
    ['USER', { authorization: 'trailing' }, 'authorization.form'],
    ['USER', { authorization: 'doubled' }, 'authorization.doubled'],
    ['USER', { 'act-as': 'existing' }, 'act-as.not-needed'],
    ['OAUTH', { 'act-as': 'unknown' }, 'act-as.not-needed'],
    ['AZURE', { 'act-as': 'blank' }, 'act-as.not-needed'],
    ['GLOBAL', { 'act-as': 'doubled' }, 'act-as.doubled'],
    ['USER', { 'auth-type': 'OAUTH' }, 'auth-type.not-needed'],
    ['GLOBAL', { 'auth-type': 'other-value' }, 'auth-type.other'],
    ['GOOGLE', { 'auth-type': 'other-case' }, 'auth-type.other'],
    ['OAUTH', { 'auth-type': 'doubled' }, 'auth-type.other'],
    ['OAUTH', { 'auth-type': 'blank' }, 'auth-type.other'],
    ['USER', { 'auth-type': 'blank' }, 'auth-type.other'],
  ])('%s %j (%s)', (kind, changes, requirement) => {
    const found = expectation(kind, changes);
    expect(found.kind).toBe('open');
    expect(shown(found)).toEqual(['4xx']);
    expect(found.silent.map((suspect) => suspect.requirement)).toContain(requirement);
  });
});

describe('a case with several faults may get the outcome of each fault and nothing else', () => {
  test.each<[string, Changes, readonly string[]]>([
    ['GLOBAL', { 'act-as': 'absent', validity: 'expired' }, ['400 act-as-missing', '401', FORGOTTEN]],
    ['GLOBAL', { 'act-as': 'unknown', holding: 'only:CHAT' }, ['401 invalid-identity', '403']],
    [
      'GLOBAL',
      { 'act-as': 'absent', validity: 'expired', holding: 'none' },
      ['400 act-as-missing', '401', '403', FORGOTTEN],
    ],
    ['OKTA', { 'auth-type': 'absent', holding: 'none' }, ['403', UNTYPED]],
    ['USER', { body: 'missing-field', validity: 'expired' }, ['401', FORGOTTEN, '4xx none']],
    // A silent rule also admits any 4xx. It never turns the refusal into an acceptance.
    ['USER', { 'act-as': 'existing', validity: 'expired' }, ['401', '4xx', FORGOTTEN]],
    ['USER', { authorization: 'scheme-case', validity: 'expired', 'auth-type': 'OAUTH' }, ['401', '4xx']],
    ['USER', { 'auth-type': 'OAUTH', holding: 'none' }, ['403', '4xx']],
  ])('%s %j: %j', (kind, changes, outcomes) => {
    const found = expectation(kind, changes);
    expect(found.kind).toBe('refuse');
    expect(shown(found)).toEqual(outcomes);
  });
});

describe('a documented message is allowed only where a condition in rules.yaml allows it', () => {
  const authType = ['auth-type-missing', 'invalid-secret'];
  test.each<[string, Changes, readonly string[]]>([
    ['none', {}, ['auth-type-missing', 'invalid-secret']],
    ['USER', {}, []],
    ['USER', { holding: 'none' }, []],
    ['USER', { 'act-as': 'existing' }, ['invalid-identity']],
    ['USER', { validity: 'expired' }, authType],
    ['USER', { 'auth-type': 'other-value' }, authType],
    ['unknown', {}, authType],
    ['GLOBAL', { 'act-as': 'absent' }, ['act-as-missing']],
    ['GLOBAL', { 'act-as': 'blank' }, ['act-as-missing', 'invalid-identity']],
    ['GLOBAL', { 'act-as': 'unknown' }, ['invalid-identity']],
    ['OKTA', { 'auth-type': 'absent' }, authType],
    ['OKTA', {}, []],
  ])('%s %j: %j', (kind, changes, messages) => {
    expect([...expectation(kind, changes).messages].sort()).toEqual(messages);
  });
});

describe('the oracle', () => {
  test.each([
    ['search.success', 'must'],
    ['search.request', 'should'],
    ['authorization.form', 'advisory'],
  ])('reads the level of %s from the ledger: %s', (requirement, level) => {
    expect(levelOf(contract, requirement)).toBe(level);
  });

  test('counts an excluded requirement, which has no level, as a must', () => {
    const excluded = contract.requirements.find((requirement) => requirement.excluded !== undefined);
    expect(excluded?.level).toBeUndefined();
    expect(levelOf(contract, excluded?.id ?? '')).toBe('must');
    expect(levelOf(contract, 'no such requirement')).toBe('must');
  });

  test('fills in the operation in the name of a requirement', () => {
    expect(expectation('USER', { holding: 'only:SEARCH' }, 'chat').suspects).toMatchObject([
      {
        template: 'scope.{operation}',
        requirement: 'scope.chat',
        level: 'must',
        attribution: { basis: 'stated' },
      },
    ]);
  });

  test('gives each case of core one expectation, which agrees with its faults', () => {
    for (const { id, values } of casesAt('core')) {
      const { kind, admissible, suspects } = oracle(contract, values);
      expect([id, kind === 'refuse']).toEqual([id, faultsOf(contract, values).length > 0]);
      expect([id, kind === 'accept']).toEqual([id, admissible.length === 0]);
      expect([id, suspects.length > 0]).toEqual([id, true]);
    }
  });
});

describe('a refusal counts against the pace of wrong tokens', () => {
  test.each<[string, [kind: string, changes: Changes], number | undefined, boolean]>([
    ['for a token out of force', ['USER', { validity: 'expired' }], 401, true],
    ['for a token without the scope', ['USER', { holding: 'none' }], 403, true],
    ['if no answer came', ['USER', { holding: 'none' }], undefined, true],
    ['but not if 400 is admitted and came', ['none', { authorization: 'empty' }], 400, false],
    ['and if 401 came where 400 is admitted, too', ['none', { authorization: 'empty' }], 401, true],
    ['and if a 400 came that is not admitted', ['USER', { validity: 'expired', 'auth-type': 'OAUTH' }], 400, true],
    ['but not for a missing header', ['GLOBAL', { 'act-as': 'absent' }], 401, false],
    ['but not for a request that must be accepted', ['USER', {}], 401, false],
  ])('%s', (_when, request, status, counts) => {
    expect(refusesToken(expectation(...request), status)).toBe(counts);
  });

  test('but not for a request that is left open, whatever the freedom admits', () => {
    const open: Expectation = { ...expectation('USER', { validity: 'expired' }), kind: 'open' };
    expect(refusesToken(open, 401)).toBe(false);
  });
});

test('silent rules are those that hold and leave something open', () => {
  const { values } = caseOf('search', 'USER', { validity: 'expired', 'auth-type': 'OAUTH' });
  const silent = silentRulesOf(contract, values);
  expect(silent.length).toBeGreaterThan(0);
  expect(silent.filter((rule) => rule.silent === undefined || faultsOf(contract, values).includes(rule))).toEqual([]);
});

test('the suspects of a request that must be accepted name no rule of a refusal', () => {
  expect(new Set(expectation('USER', {}).suspects.map(({ rule }) => rule))).toEqual(new Set(['acceptance']));
});
