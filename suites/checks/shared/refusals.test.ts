import { expect, test } from 'vitest';
import type { Check } from '../../../harness/checks/check.ts';
import { contract } from '../../../harness/testing/contract.ts';
import { rule } from '../../proof/second-oracle.ts';
import { runOnPlain } from '../../testing/one-check.ts';
import { belongsTo } from './private-documents.ts';
import { type Refusal, refusalsOf, refusalsWithoutToken } from './refusals.ts';

/** The refusals that the plan has for every token of the plain target. */
async function refusalsOnPlain(): Promise<readonly Refusal[]> {
  const found: Refusal[] = [];
  const check: Check = {
    id: 'reader',
    title: 'Reads the refusals of the plan',
    requirements: [],
    intrusive: false,
    run: async (api) => {
      for (const operation of contract.operations)
        for (const kind of api.claims.kinds)
          found.push(...refusalsOf(api, operation, kind), ...refusalsWithoutToken(api, operation, kind));
      return [];
    },
  };
  await runOnPlain(check);
  return found;
}
const refusals = await refusalsOnPlain();

test('the second oracle refuses each request that the plan says must be refused, and leaves nothing open', () => {
  expect(refusals.length).toBeGreaterThan(80);
  for (const { planned } of refusals) {
    const { success, refusals: admitted } = rule(planned.values);
    expect([planned.id, success]).toEqual([planned.id, false]);
    expect([planned.id, admitted.filter(({ status, texts }) => status === '4xx' && !texts)]).toEqual([planned.id, []]);
  }
});

test('each documented refusal is among them, for either person where a token can act as both', () => {
  const described = refusals.map(({ requirement, kind, acting }) => `${requirement} ${kind} ${acting ?? '-'}`);
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

test('the words of a refusal name its fault', () => {
  expect(new Set(refusals.filter(({ kind }) => kind === 'GLOBAL').map(({ what }) => what))).toEqual(
    new Set([
      'an expired GLOBAL token',
      'an expired GLOBAL token acting as $USER_EMAIL',
      'a tampered GLOBAL token',
      'a tampered GLOBAL token acting as $USER_EMAIL',
      'a GLOBAL token without the scope',
      'a GLOBAL token without the scope acting as $USER_EMAIL',
      'a GLOBAL token without X-Service-ActAs',
      'a GLOBAL token and X-Service-ActAs, an email at a known domain that names nobody',
      'a GLOBAL token and Authorization, the token without a scheme',
      'a GLOBAL token and Authorization, the token without a scheme acting as $USER_EMAIL',
    ]),
  );
});

test.each([
  [{ USER_EMAIL: 'uma@people.example' }, 'user'],
  [{ USER_EMAIL: 'uma@people.example', OAUTH_EMAIL: 'Uma@people.example' }, 'user'],
  [{ USER_EMAIL: 'uma@people.example', OAUTH_EMAIL: 'olaf@people.example' }, 'third person'],
  [{ USER_EMAIL: 'uma@people.example', OAUTH_EMAIL: 'nobody' }, 'nobody'],
])('with %o, OAUTH tokens belong to: %s', (variables, owner) => {
  expect(belongsTo({ contract, variable: (name) => new Map(Object.entries(variables)).get(name) }, 'OAUTH')).toBe(
    owner,
  );
});
