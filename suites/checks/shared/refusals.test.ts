import { describe, expect, test } from 'vitest';
import type { CheckApi } from '../../../harness/checks/check.ts';
import { caseOf, contract, plannedCase, planWith, settingsWith } from '../../../harness/testing/small-world.ts';
import { rule } from '../../proof/second-oracle.ts';
import { chat, search } from '../../testing/engine.ts';
import {
  baseOf,
  isInHeader,
  kindHeaders,
  type Refusal,
  refusalsOf,
  refusalsOfBarred,
  refusalsOfKinds,
  refusalsWithoutToken,
} from './refusals.ts';

const plan = planWith();
const people = {
  ...{ actAs: 'ada@people.example', user: 'uma@people.example' },
  ...{ nobody: 'nobody@people.example', nobodyElsewhere: 'nobody@elsewhere.example', former: undefined },
};
/** What these functions ask of a run with every token. */
const api = {
  ...{ contract, breadth: 'whole', people },
  ...{ unknownToken: 'nobody-issued-this', claims: settingsWith().claims },
  full: (kind: string) => plannedCase(plan, 'search', kind).credential,
  planned: (operation: string, kind: string, values: Readonly<Record<string, string>>) =>
    plan.find(caseOf(operation, kind, values).id),
} as unknown as CheckApi;
const inPlan = () =>
  [search, chat].flatMap((operation) =>
    api.claims.kinds.flatMap((kind) => [
      ...refusalsOf(api, operation, kind),
      ...refusalsWithoutToken(api, operation, kind),
    ]),
  );
const words = (refusals: readonly Refusal[]) => refusals.map(({ requirement, what }) => `${requirement}: ${what}`);

test('the second oracle refuses each request that the plan says must be refused, and leaves nothing open', () => {
  const refusals = inPlan();
  expect(refusals.length).toBeGreaterThan(80);
  for (const { planned } of refusals) {
    const { success, refusals: admitted } = rule(planned.values);
    expect([planned.id, success]).toEqual([planned.id, false]);
    expect([planned.id, admitted.filter(({ status, texts }) => status === '4xx' && !texts)]).toEqual([planned.id, []]);
  }
});

test('each documented refusal is among them, for either person where a token can act as both', () => {
  const described = inPlan().map(({ requirement, kind, acting }) => `${requirement} ${kind} ${acting ?? '-'}`);
  const own = (kind: string) =>
    ['token.expired', 'scope.search', 'scope.chat', 'token.tampered'].map((id) => `${id} ${kind}`);
  expect(described).toEqual(
    expect.arrayContaining([
      ...['USER', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'].flatMap((kind) => own(kind).map((one) => `${one} -`)),
      ...own('GLOBAL').flatMap((one) => [`${one} actAs`, `${one} user`]),
      ...['act-as.missing', 'act-as.unknown'].map((id) => `${id} GLOBAL -`),
      ...['GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'].flatMap((kind) => [
        `auth-type.missing ${kind} -`,
        `token.foreign ${kind} -`,
      ]),
      'authorization.required none -',
      'token.unknown unknown -',
      'token.unknown unknown actAs',
    ]),
  );
});

describe('the refusals of a kind', () => {
  test('say what is wrong, and who the token acts as if that is the other person', () => {
    const either = (text: string) => [text, `${text} acting as $USER_EMAIL`];
    expect(words(refusalsOf(api, search, 'GLOBAL'))).toEqual([
      ...either('token.expired: an expired GLOBAL token'),
      ...either('token.tampered: a tampered GLOBAL token'),
      ...either('scope.search: a GLOBAL token with all-but:SEARCH'),
      'act-as.missing: a GLOBAL token without X-Service-ActAs',
      'act-as.unknown: a GLOBAL token and X-Service-ActAs, an email at a known domain that names nobody',
      ...either('authorization.malformed: a GLOBAL token and Authorization, the token without a scheme'),
    ]);
    expect(words(refusalsOf(api, search, 'GOOGLE'))).toEqual([
      'token.expired: an expired GOOGLE token',
      'token.foreign: a foreign GOOGLE token',
      'token.tampered: a tampered GOOGLE token',
      'scope.search: a GOOGLE token with all-but:SEARCH',
      'auth-type.missing: a GOOGLE token without X-Service-Auth-Type',
      'authorization.malformed: a GOOGLE token and Authorization, the token without a scheme',
    ]);
  });

  test('are one for each requirement, or one for each value: first what lacks the least, or has what another operation needs', () => {
    const unscoped = (which?: 'one' | 'every') =>
      refusalsOf(api, search, 'USER', which).flatMap(({ fault, what }) => (fault === 'holding' ? [what] : []));
    const every = unscoped('every');
    expect(unscoped()).toEqual(every.slice(0, 1));
    expect([...every.slice(0, 2), every.at(-1)]).toEqual(
      ['with all-but:SEARCH', 'with only:CHAT', 'without the scope'].map((words) => `a USER token ${words}`),
    );
  });

  test('name who no longer exists as nobody, too, with the whole breadth', () => {
    const former = 'gone@people.example';
    const named = (breadth: CheckApi['breadth']) =>
      refusalsOf({ ...api, breadth, people: { ...people, former } }, search, 'GLOBAL').flatMap((one) =>
        one.requirement === 'act-as.unknown' ? one.headers.map(([, value]) => value) : [],
      );
    expect([named('telling'), named('whole')]).toEqual([[people.nobody], [people.nobody, former]]);
  });

  test('are for one person if nobody knows the other', () => {
    const alone = { ...api, people: { ...people, user: undefined } } as unknown as CheckApi;
    const persons = refusalsOf(alone, search, 'GLOBAL').map(({ acting }) => acting);
    expect(persons).toEqual(['actAs', 'actAs', 'actAs', undefined, undefined, 'actAs']);
  });

  test('write a line of their own only where the line of the token is wrong', () => {
    const all = refusalsOf(api, search, 'GLOBAL');
    const lines = all.map(({ requirement, authorization, headers }) => [requirement, authorization, ...headers]);
    const actAs = (person: string) => ['X-Service-ActAs', person];
    expect(lines.filter(([, authorization]) => authorization === undefined)).toHaveLength(8);
    expect(lines.slice(-2)).toEqual(
      [people.actAs, people.user].map((person) => [
        'authorization.malformed',
        api.full('GLOBAL')?.token,
        actAs(person),
      ]),
    );
    expect(lines).toContainEqual(['token.expired', undefined, actAs(people.user)]);
    expect(lines).toContainEqual(['act-as.missing', undefined]);
    expect(lines).toContainEqual(['act-as.unknown', undefined, actAs(people.nobody)]);
  });

  test('do not exist for a kind or a case that the contract does not have', () => {
    expect(refusalsOf(api, search, 'PIGEON')).toEqual([]);
    expect(refusalsOf({ ...api, planned: () => undefined }, search, 'USER')).toEqual([]);
    expect(refusalsWithoutToken({ ...api, planned: () => undefined }, search, 'USER')).toEqual([]);
  });

  const must = (requirement: string) => ({ requirement, level: 'must' });
  const expired = must('token.expired');
  test.each([
    ['it is accepted', { kind: 'accept', suspects: [expired], silent: [] }],
    ['something is left open', { kind: 'refuse', suspects: [expired], silent: ['host'] }],
    ['nothing is broken', { kind: 'refuse', suspects: [], silent: [] }],
    ['two requirements are broken', { kind: 'refuse', suspects: [expired, must('scope.search')], silent: [] }],
    ['advice is broken', { kind: 'refuse', suspects: [{ ...expired, level: 'should' }], silent: [] }],
  ])('leave out a request if %s', (_why, expectation) => {
    const planned: CheckApi['planned'] = (...named) => {
      const real = api.planned(...named);
      return real && ({ ...real, expectation } as unknown as typeof real);
    };
    expect(refusalsOf({ ...api, planned }, search, 'USER')).toEqual([]);
    expect(refusalsWithoutToken({ ...api, planned }, search, 'USER')).toEqual([]);
  });
});

describe('the refusals without an issued token', () => {
  const linesOf = (kind: string) =>
    refusalsWithoutToken(api, search, kind).map(({ what, acting: person, authorization, headers }) => [
      what,
      person,
      authorization,
      ...headers,
    ]);

  test('have the headers of the kind, and its person', () => {
    expect(linesOf('USER')).toEqual([
      ['a request without a token', undefined, null],
      ['a token that nobody issued', undefined, undefined],
    ]);
    const actAs = ['X-Service-ActAs', people.actAs];
    expect(linesOf('GLOBAL')).toEqual([
      ['a request without a token', 'actAs', null, actAs],
      ['a token that nobody issued', 'actAs', undefined, actAs],
    ]);
    expect(linesOf('GOOGLE')[0]?.slice(-1)).toEqual([['X-Service-Auth-Type', 'OAUTH']]);
    const sources = refusalsWithoutToken(api, search, 'USER').map(({ credential }) => credential?.source);
    expect(sources).toEqual([undefined, 'random']);
  });
});

test('the refusals of kinds that may not use an operation are one for each family, with the whole breadth for each kind', () => {
  const barred: CheckApi['barred'] = (operation, kind) => api.planned(operation, kind, { validity: 'expired' });
  const of = (breadth: CheckApi['breadth']) =>
    refusalsOfBarred({ ...api, breadth, barred }, search, 'OKTA').map(({ what, acting = '-' }) => `${what} ${acting}`);
  const own = ['USER token -', 'GLOBAL token actAs', 'OAUTH token -'];
  const external = ['GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'].map((kind) => `${kind} token -`);
  expect(of('whole').map((what) => what.replace(/^an? /, ''))).toEqual([...own, ...external]);
  expect(of('telling')).toEqual(['a USER token -', 'an OAUTH token -', 'a GOOGLE token -']);
  expect(refusalsOfBarred({ ...api, barred: () => undefined }, search, 'OKTA')).toEqual([]);
});

describe('the refusals of several kinds', () => {
  const kinds = ['USER', 'GLOBAL', 'GOOGLE', 'AZURE'];
  const of = (breadth: CheckApi['breadth'], which: 'first' | 'last') =>
    refusalsOfKinds({ ...api, breadth }, search, { kinds, which }).map(({ requirement, kind, controlKind, acting }) =>
      [
        requirement,
        kind,
        ...(kind === controlKind ? [] : [`for ${controlKind}`]),
        ...(acting === 'user' ? ['as user'] : []),
      ].join(' '),
    );

  test('are all those of issued tokens, an unknown one and none, with the whole breadth', () => {
    expect(of('whole', 'first').filter((one) => one.includes('USER'))).toEqual([
      'token.expired USER',
      'scope.search USER',
      'token.unknown unknown for USER',
      'authorization.required none for USER',
    ]);
    expect(of('whole', 'first')).toHaveLength(24);
    expect(of('whole', 'last')).toEqual(of('whole', 'first'));
  });

  test('are otherwise one for each family and part of a request that decides, of the first or the last kind', () => {
    expect(of('telling', 'first')).toEqual([
      'token.expired USER',
      'scope.search USER',
      'token.unknown unknown for USER',
      'act-as.missing GLOBAL',
      'token.expired GOOGLE',
      'scope.search GOOGLE',
      'auth-type.missing GOOGLE',
    ]);
    expect(of('telling', 'last')).toEqual([
      'token.expired GLOBAL',
      'scope.search GLOBAL',
      'act-as.missing GLOBAL',
      'token.expired AZURE',
      'scope.search AZURE',
      'auth-type.missing AZURE',
      'token.unknown unknown for AZURE',
    ]);
  });
});

test('a header is wrong or missing, or the token is', () => {
  const inHeader = refusalsOf(api, search, 'GLOBAL').filter((one) => isInHeader(api, one));
  expect(inHeader.map(({ requirement }) => requirement)).toEqual(['act-as.missing', 'act-as.unknown']);
});

test('the documented request of a kind has the header lines that it needs', () => {
  expect(baseOf(api, 'USER')).toEqual({ credential: api.full('USER'), headers: [] });
  expect(baseOf(api, 'USER', people.user).headers).toEqual([['X-Service-ActAs', people.user]]);
  expect(baseOf(api, 'GLOBAL').headers).toEqual([['X-Service-ActAs', people.actAs]]);
  expect(baseOf(api, 'GOOGLE').headers).toEqual([['X-Service-Auth-Type', 'OAUTH']]);
  expect(kindHeaders(api, 'PIGEON')).toEqual([]);
});
