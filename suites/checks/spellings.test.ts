import { describe, expect, test } from 'vitest';
import { advice } from '../../fixtures/deviants/advice.ts';
import { plainChecks, replaceCheck } from '../../fixtures/plain/checks.ts';
import { headerOf, type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { ofChecks as variants } from '../../fixtures/variants/influences.ts';
import type { CheckApi } from '../../harness/checks/check.ts';
import { contract } from '../../harness/testing/contract.ts';
import { checkOf } from '../testing/checks.ts';
import { answering, blameOnPlain, runOnPlain, saying, tellingOnPlain } from '../testing/one-check.ts';
import { ofPlain, optionsOfRow, plainDeviants } from '../testing/plain-deviants.ts';
import { spellings } from './spellings.ts';
import { tokenPlaces } from './token-places.ts';

const deviants = plainDeviants(/^plain\.spelling\./);

const isGlobal = ({ record }: PlainRequest) => record?.kind === 'GLOBAL';

test('passes on the plain target, with every requirement on the kinds that it concerns', async () => {
  const { decisions, requests } = await runOnPlain(spellings);
  expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  const ofTokens = ['authorization.malformed', 'token.unknown', 'token.tampered'];
  const onSearch = decisions.filter(({ operation }) => operation === 'search');
  expect(onSearch.map(({ kind, requirement }) => `${kind} ${requirement}`)).toEqual([
    ...ofTokens.map((id) => `USER ${id}`),
    // The last one is of the header under other names.
    ...['GLOBAL act-as.unknown', 'GLOBAL act-as.missing', 'GLOBAL act-as.missing'],
    ...ofTokens.map((id) => `OAUTH ${id}`),
    ...[...ofTokens, 'auth-type.missing'].map((id) => `GOOGLE ${id}`),
  ]);
  expect(requests).toBeLessThan(720);
});

test.each(deviants)('$what: found and named', async ({ breaks, options }) => {
  const check = breaks === 'authorization.required' ? tokenPlaces : spellings;
  const { blamed, why } = await blameOnPlain(check, options());
  expect(blamed).toEqual([breaks]);
  expect(why).toMatch(/is accepted with (?:the \w+ token|the token in|X-Service-Act-As)/);
});

test.each([
  ['X_Service_ActAs', 'act-as.missing', { 'x-service-actas': '$x_service_actas' }, { x_service_actas: '.+' }],
  ['the scheme Token', 'authorization.malformed', { authorization: 'Bearer $t' }, { authorization: 'Token (?<t>.+)' }],
])('a chat that reads %s, which a search does not, is found', async (_what, breaks, reads, when) => {
  const row = { reads, when: { operation: 'chat', ...when } };
  expect((await blameOnPlain(spellings, optionsOfRow(row))).blamed).toEqual([breaks]);
});

test('a token in a header of the catalogues is found and named', async () => {
  const row = { takes: '$x-vault-token', when: { authorization: null, 'x-vault-token': '.*' } };
  const { blamed, why } = await blameOnPlain(tokenPlaces, optionsOfRow(row));
  expect(blamed).toEqual(['authorization.required']);
  expect(why).toMatch(/without Authorization is accepted with the token in the header X-Vault-Token/);
});

describe('blames nothing', () => {
  const blamedFor = async (options: PlainOptions) => (await blameOnPlain(spellings, options)).blamed;

  test('if emails are read in any case, with a plus-tag or with blanks around', async () => {
    const same = (value: string) =>
      value
        .trim()
        .toLowerCase()
        .replace(/\+\w+@/, '@');
    const lenient: PlainOptions = {
      checks: replaceCheck('act-as.unknown', (request, original) => {
        const named = same(headerOf(request, 'x-service-actas') ?? '');
        return original({ ...request, headers: { ...request.headers, 'x-service-actas': [named] } });
      }),
    };
    expect(await blamedFor(lenient)).toEqual([]);
  });

  test('if any name is taken, so that a blank of another alphabet is one, too', async () => {
    const isNamed = (request: PlainRequest) => (headerOf(request, 'x-service-actas') ?? '') !== '';
    const checks = replaceCheck('act-as.unknown', () => undefined).map((one) =>
      one.id === 'act-as.missing'
        ? { ...one, check: (request: PlainRequest) => (isNamed(request) ? undefined : one.check(request)) }
        : one,
    );
    expect(await blamedFor({ checks })).toEqual([]);
  });

  test('if emails are read without regard to the width of their characters, which is observed', async () => {
    const [wide] = ofPlain(variants, /^plain\.act-as-in-full-width$/);
    const { decisions } = await runOnPlain(spellings, wide.options());
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(decisions.map(({ detail }) => detail).join()).toMatch(/left open: .*a full-width @: accepted/);
  });

  test('if a spelling is the email of another person, who finds nothing of the one that it resembles', async () => {
    const [similar] = ofPlain(variants, /^plain\.people-of-similar-emails$/);
    const { decisions } = await runOnPlain(spellings, similar.options());
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(decisions.map(({ detail }) => detail).join()).toMatch(/left open: .*the beginning of the email: accepted/);
  });

  test('if the matrix already blames a target that knows no identity or no scheme', async () => {
    expect(await blamedFor({ checks: plainChecks.filter(({ id }) => id !== 'act-as.unknown') })).toEqual([]);
    const readToken: PlainOptions['readToken'] = (request) =>
      /(\S+)$/.exec(headerOf(request, 'authorization') ?? '')?.[1];
    expect(await blamedFor({ readToken })).toEqual([]);
  });

  test('and is inconclusive if the control is refused before or after', async () => {
    for (const times of [1, Number.POSITIVE_INFINITY]) {
      const { decisions } = await runOnPlain(spellings, answering(isGlobal, saying(403), times));
      const onSearch = decisions.filter(({ kind, operation }) => kind === 'GLOBAL' && operation === 'search');
      const ofGlobal = onSearch.filter(({ requirement }) => requirement === 'act-as.unknown');
      expect(new Set(ofGlobal.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
    }
  });
});

/** The verdicts on the plain target with pieces replaced, by requirement. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(tokenPlaces, options);
  const of = (id: string) => decisions.flatMap(({ requirement, verdict }) => (requirement === id ? [verdict] : []));
  return { query: [...new Set(of('rfc.query-token'))], body: [...new Set(of('rfc.body-token'))] };
}
const isSearch = ({ path, method }: PlainRequest) => path === plainOperations[0]?.path && method === 'POST';

describe('a token elsewhere than in Authorization', () => {
  test('is refused by the plain target', async () => {
    expect(await decide()).toEqual({ query: ['pass'], body: ['pass'] });
  });

  const inPlaces = ofPlain(advice.filter(({ breaks }) => breaks.endsWith('-token')));
  test.each(inPlaces)('$what: a warning', async ({ breaks, options }) => {
    expect((await blameOnPlain(tokenPlaces, options())).blamed).toEqual([breaks]);
  });

  test('is sent in a query on this machine only, and elsewhere the run says so', async () => {
    const elsewhere = {
      ...checkOf(tokenPlaces),
      run: (api: CheckApi) => tokenPlaces({ ...api, trusted: false, variable: () => 'https://staging.example' }),
    };
    const { decisions } = await runOnPlain(elsewhere);
    const ofQuery = decisions.filter(({ requirement }) => requirement === 'rfc.query-token');
    expect(new Set(ofQuery.map(({ verdict, untried, steps }) => `${verdict} ${untried} ${steps.length}`))).toEqual(
      new Set(['observed true 0']),
    );
  });

  test('is sent in a body with one kind of each family on another machine', async () => {
    const decisions = await tellingOnPlain([tokenPlaces]);
    const ofBody = decisions.filter(({ requirement }) => requirement === 'rfc.body-token');
    expect(ofBody.map(({ operation, kind }) => `${operation}/${kind}`)).toEqual([
      'search/USER',
      'search/OAUTH',
      'search/GOOGLE',
    ]);
  });

  test('is counted where a row says where it stands, and not under each header that is known', async () => {
    const { decisions } = await runOnPlain(tokenPlaces);
    const counts = decisions.map(({ varied }) => varied?.counts.place ?? 0);
    const known = contract.variations.rows.filter(({ kind }) => kind === 'place').flatMap(({ values }) => values);
    expect(Math.max(...counts)).toBeGreaterThan(20);
    expect(Math.max(...counts)).toBeLessThanOrEqual(known.length);
  });

  test('is inconclusive if no answer comes', async () => {
    const inQuery = ({ query }: PlainRequest) => query.includes('access_token');
    expect(await decide(answering(inQuery, saying(503)))).toEqual({ query: ['inconclusive'], body: ['pass'] });
  });

  test('is not blamed if requests without a token are accepted, or if the token is refused in Authorization', async () => {
    for (const status of [200, 403]) {
      const { query, body } = await decide(answering(isSearch, saying(status)));
      expect([...query, ...body]).not.toContain('warn');
    }
  });
});
