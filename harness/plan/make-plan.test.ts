import { describe, expect, test } from 'vitest';
import type { Dimension, Rule } from '../contract/contract.ts';
import { caseOf, casesAt, catalogue, contract, plannedCase, planWith } from '../testing/small-world.ts';
import { differing, neutralCase, textOfLack, variableLack } from './case.ts';
import { controlOf } from './control.ts';
import { nearestAcceptance, type Plan } from './plan.ts';

type Changes = Readonly<Record<Dimension, string>>;
const plan = planWith();
const casesIn = (from: Plan) => from.groups.flatMap(({ cases }) => cases);
const withStatus = (from: Plan, status: string) => from.undecidable.filter((found) => found.status === status);

describe('the control of a case', () => {
  test.each<[string, Changes, string, Changes]>([
    ['USER', { validity: 'expired' }, 'USER', {}],
    ['USER', { validity: 'tampered' }, 'USER', {}],
    ['USER', { holding: 'only:CHAT' }, 'USER', {}],
    ['OAUTH', { holding: 'none' }, 'OAUTH', {}],
    ['OAUTH', { validity: 'expired', 'auth-type': 'OAUTH' }, 'OAUTH', { 'auth-type': 'OAUTH' }],
    ['OKTA', { 'auth-type': 'absent' }, 'OKTA', {}],
    ['GLOBAL', { 'act-as': 'unknown' }, 'GLOBAL', {}],
    ['GLOBAL', { 'act-as': 'absent', validity: 'expired', holding: 'none' }, 'GLOBAL', {}],
    ['GLOBAL', { 'act-as': 'absent', 'header-case': 'lower' }, 'GLOBAL', { 'header-case': 'lower' }],
    ['USER', { body: 'missing-field' }, 'USER', {}],
    ['USER', { authorization: 'basic' }, 'USER', {}],
    // It differs only in the faulty dimension: the header case stays, and so does what no silent rule of the case names.
    ['OAUTH', { 'act-as': 'existing', 'auth-type': 'OAUTH' }, 'OAUTH', { 'auth-type': 'OAUTH' }],
    ['USER', { validity: 'expired', 'header-case': 'upper' }, 'USER', { 'header-case': 'upper' }],
    // An answer that the specification leaves open proves nothing, so the open dimension becomes ordinary.
    ['USER', { 'act-as': 'existing' }, 'USER', {}],
    ['OAUTH', { 'auth-type': 'other-value', 'header-case': 'lower' }, 'OAUTH', { 'header-case': 'lower' }],
    ['USER', { validity: 'expired', 'act-as': 'existing' }, 'USER', {}],
    [
      'USER',
      { holding: 'none', 'auth-type': 'other-value', 'header-case': 'lower' },
      'USER',
      { 'header-case': 'lower' },
    ],
    // A case without an issued token has a control of a claimed kind.
    ['none', {}, 'USER', {}],
    ['unknown', { 'auth-type': 'OAUTH' }, 'USER', {}],
  ])('%s %j is %s %j', (kind, denied, controlKind, control) => {
    expect(controlOf(contract, caseOf('search', kind, denied), neutralCase(contract, 'search', controlKind))?.id).toBe(
      caseOf('search', controlKind, control).id,
    );
  });

  test('has every scope, if a rule depends on how many scopes a token holds', () => {
    const rule: Rule = {
      id: 'scope.alone',
      requirement: 'scope.search',
      when: { 'holding-form': 'single' },
      outcome: [{ status: 403 }],
      basis: 'stated',
    };
    const stricter = { ...contract, rules: { ...contract.rules, refusals: [...contract.rules.refusals, rule] } };
    const denied = caseOf('search', 'USER', { holding: 'only:SEARCH', 'header-case': 'lower' });
    expect(controlOf(stricter, denied, neutralCase(contract, 'search', 'USER'))?.id).toBe(
      caseOf('search', 'USER', { 'header-case': 'lower' }).id,
    );
  });

  test('is a planned case that must be accepted, and only a case that must be accepted has no control', () => {
    for (const { id, expectation, control } of casesIn(plan)) {
      expect([id, control === undefined]).toEqual([id, expectation.kind === 'accept']);
      const planned = control === undefined ? undefined : plan.cases.get(control);
      expect([id, planned?.expectation.kind]).toEqual([id, control === undefined ? undefined : 'accept']);
    }
  });

  test('has the first claimed kind with a token, if the denial has no token', () => {
    const controlKind = (changes: Readonly<Record<string, string | undefined>>) =>
      planWith(changes).cases.get(plannedCase(planWith(changes), 'search', 'none').control ?? '')?.values.kind;
    expect(controlKind({})).toBe('USER');
    expect(controlKind({ CONFORMANCE_CLAIMS: 'okta onelogin' })).toBe('OKTA');
    expect(controlKind({ CONFORMANCE_CLAIMS: 'user okta', USER_TOKEN: undefined })).toBe('OKTA');
    expect(controlOf(contract, caseOf('search', 'none'), undefined)).toBeUndefined();
  });
});

describe('a plan', () => {
  test('has every case once, in the group of its operation, kind and first fault', () => {
    const ids = casesIn(plan).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, cases } of plan.groups)
      for (const { values, expectation } of cases)
        expect(id).toBe(
          `${values.operation}/${values.kind}/${expectation.kind === 'accept' ? 'accepted' : expectation.admissible[0]?.rule}`,
        );
  });

  test('starts with the acceptances, and knows which tokens an acceptance can prove', () => {
    const denials = plan.groups.map(({ cases }) => cases.some(({ expectation }) => expectation.kind !== 'accept'));
    expect(denials).toEqual([...denials].sort());
    expect([...plan.provable]).toEqual(expect.arrayContaining(['$USER_TOKEN', '$USER_TOKEN_CHAT', '$OKTA_TOKEN']));
    for (const recipe of ['$USER_TOKEN_PINS', '$USER_TOKEN_EXPIRED', '$USER_TOKEN_UNSCOPED', 'a random token'])
      expect([recipe, plan.provable.has(recipe)]).toEqual([recipe, false]);
  });

  test('is the same every time', () => {
    const again = planWith();
    expect(casesIn(again).map(({ id }) => id)).toEqual(casesIn(plan).map(({ id }) => id));
    expect(again.undecidable).toEqual(plan.undecidable);
  });

  test('gives each case its credential', () => {
    const recipe = (kind: string, changes: Changes) => plannedCase(plan, 'search', kind, changes).credential?.recipe;
    expect(recipe('USER', { holding: 'only:CHAT' })).toBe('$USER_TOKEN_CHAT');
    expect(recipe('GLOBAL', { validity: 'expired' })).toBe('$GLOBAL_TOKEN_EXPIRED');
    expect(recipe('OKTA', { holding: 'none' })).toBe('$OKTA_TOKEN_UNSCOPED');
    expect(recipe('USER', { validity: 'tampered' })).toMatch(/^\$USER_TOKEN, character \d+ of 43 changed$/);
    expect(recipe('unknown', {})).toBe('a random token');
    expect(recipe('none', {})).toBeUndefined();
  });

  test('leaves nothing claimed untestable if every variable is set', () => {
    expect(withStatus(plan, 'not-testable')).toEqual([]);
    expect(withStatus(plan, 'not-applicable')).toEqual([]);
  });
});

describe('a case that cannot be sent is', () => {
  test.each([
    ['USER_TOKEN_EXPIRED', 'USER'],
    ['USER_TOKEN_CHAT', 'USER'],
    ['GLOBAL_TOKEN_UNSCOPED', 'GLOBAL'],
    ['OAUTH_TOKEN_UNSCOPED', 'OAUTH'],
    ['ACT_AS_EMAIL', 'GLOBAL'],
  ])('not testable if a claim requires its variable: %s', (name, kind) => {
    const lacking = withStatus(planWith({ [name]: undefined }), 'not-testable');
    expect(lacking.length).toBeGreaterThan(0);
    expect(new Set(lacking.map(({ lack }) => textOfLack(lack)))).toEqual(new Set([name]));
    expect(lacking.map((found) => found.case.values.kind)).toContain(kind);
  });

  test.each(['USER_TOKEN_FUTURE_EXPIRY', 'USER_TOKEN_EXPIRED_UNSCOPED', 'GOOGLE_TOKEN_FOREIGN', 'OKTA_TOKEN_UNSCOPED'])(
    'out of plan if no claim requires its variable: %s',
    (name) => {
      const changed = planWith({ [name]: undefined });
      expect(withStatus(changed, 'not-testable')).toEqual([]);
      expect(withStatus(changed, 'out-of-plan').map(({ lack }) => textOfLack(lack))).toContain(name);
    },
  );

  test('out of plan if only TOKEN_COMMAND can supply its token', () => {
    const reasons = withStatus(plan, 'out-of-plan').map(({ lack }) => textOfLack(lack));
    expect(reasons).toContain('TOKEN_COMMAND for USER valid set:search-application');
  });

  test('not applicable if its kind is not claimed', () => {
    const claimed = planWith({ CONFORMANCE_CLAIMS: 'user' });
    expect(new Set(casesIn(claimed).map(({ values }) => values.kind))).toEqual(new Set(['none', 'unknown', 'USER']));
    const left = withStatus(claimed, 'not-applicable');
    expect(new Set(left.map(({ lack }) => textOfLack(lack)))).toContain('GLOBAL is not claimed');
    expect(left.map((found) => found.case.values.kind)).not.toContain('USER');
  });

  test('not testable if its control cannot be sent', () => {
    const changed = planWith({ USER_TOKEN: undefined, CONFORMANCE_CLAIMS: 'user' });
    const expired = caseOf('search', 'USER', { validity: 'expired' }).id;
    expect(withStatus(changed, 'not-testable').find((found) => found.case.id === expired)?.lack).toEqual(
      variableLack('USER_TOKEN'),
    );
    expect(casesIn(changed).filter(({ expectation }) => expectation.kind === 'refuse')).toEqual([]);
  });
});

describe('the nearest acceptance of a case', () => {
  test('is its control', () => {
    const denied = plannedCase(plan, 'chat', 'USER', { holding: 'only:SEARCH' });
    expect(nearestAcceptance(contract, plan, denied)?.id).toBe(caseOf('chat', 'USER').id);
  });

  test('is the nearest other acceptance, if the case itself must be accepted', () => {
    const planned = plannedCase(plan, 'chat', 'OKTA', { 'header-case': 'lower' });
    const nearest = nearestAcceptance(contract, plan, planned);
    expect(nearest?.expectation.kind).toBe('accept');
    expect(nearest && differing(contract, nearest.values, planned.values)).toHaveLength(1);
  });
});

const onlyUserToken = Object.fromEntries(
  catalogue.tokens.flatMap(({ name }) => (name === 'USER_TOKEN' ? [] : [[name, undefined]])),
);

test.each<[string, Readonly<Record<string, string | undefined>>]>([
  ['every token', {}],
  ['one token', onlyUserToken],
  ['no ACT_AS_EMAIL', { ACT_AS_EMAIL: undefined }],
  ['no full GLOBAL token', { GLOBAL_TOKEN: undefined }],
])('with %s, a plan can send exactly the cases that it finds', (_what, env) => {
  const found = planWith(env);
  const all = casesAt('full').filter((_, index) => index % 7 === 0);
  const [can, cannot] = [all.filter(found.canSend), all.filter((one) => !found.canSend(one))];
  expect(can.filter(({ id }) => !found.find(id))).toEqual([]);
  expect(cannot.filter(({ id }) => found.find(id))).toEqual([]);
  expect(can.length).toBeGreaterThan(10);
});
