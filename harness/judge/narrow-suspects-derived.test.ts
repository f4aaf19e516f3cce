import { describe, expect, test } from 'vitest';
import { makeCase, neutralCase } from '../plan/case.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import { expandOnce } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { readSettings } from '../settings/read-settings.ts';
import { read } from '../testing/small-contract.ts';
import { answer, exchangeOf } from '../testing/small-world.ts';
import { narrowSuspects } from './findings.ts';
import { gather, judgeCases } from './judge-cases.ts';

/** A contract whose keys may act as somebody, or must, and the plan of all its cases. */
async function planOf(acting: 'optional' | 'required') {
  const contract = await read(
    {},
    `acting: { header: X-Switch-User, by: KEY, is: ${acting} }`,
    'identity: { operation: list, pointer: /login }',
  );
  const catalogue = catalogueOf(contract);
  const environment = {
    TARGET_BASE_URL: 'http://127.0.0.1:1',
    ...Object.fromEntries(catalogue.tokens.map(({ name }) => [name, `${name}-of-a-key`])),
    ...{ ACT_AS_EMAIL: 'ada@people.example', USER_EMAIL: 'uma@people.example' },
  };
  const { variables, claims } = readSettings(catalogue, { environment, dotenv: {} });
  const credentials = createCredentials({ catalogue, variables, unknownToken: 'nobody-issued-this-key' });
  const people = peopleOf(contract, variables, 'test');
  const casesAt = expandOnce(contract);
  return { contract, plan: makePlan({ catalogue, casesAt, depth: 'full', claims, credentials, people }) };
}
type World = Awaited<ReturnType<typeof planOf>>;

/** What each of these cases is blamed on if all of them get this answer twice. */
function blamed({ contract, plan }: World, cases: readonly PlannedCase[], seen = answer(200)) {
  const exchanges = cases.flatMap((planned, at) => [2 * at, 2 * at + 1].map((seq) => exchangeOf(planned, seen, seq)));
  const missed = judgeCases({ contract, plan, trusted: true }, cases, gather(exchanges)).flatMap((verdict) =>
    verdict.miss ? [{ verdict: { ...verdict, miss: verdict.miss }, suspects: verdict.miss.suspects }] : [],
  );
  return narrowSuspects(contract, missed).map(({ suspects }) => suspects.map(({ requirement }) => requirement).join());
}

/** The well-made request of a key with other values. */
function caseWith({ contract, plan }: World, changes: Readonly<Record<string, string>>, operation = 'list') {
  const { kind = 'KEY' } = changes;
  const { id } = makeCase(contract, { ...neutralCase(contract, operation, kind).values, ...changes });
  const found = plan.cases.get(id);
  if (!found) throw new Error(`not planned: ${id}`);
  return found;
}

describe('a request that names nobody who exists and is let in is blamed', () => {
  const unknown = { 'act-as': 'unknown' };
  const unknownInLowerCase = { ...unknown, 'header-case': 'lower' };

  test('on the letter case of the name, if only another spelling of the header is not minded', async () => {
    const world = await planOf('optional');
    expect(blamed(world, [caseWith(world, unknownInLowerCase)])).toEqual(['headers.case']);
  });

  test('on the person, if the documented name is not minded either', async () => {
    const world = await planOf('optional');
    const cases = [unknownInLowerCase, unknown].map((changes) => caseWith(world, changes));
    expect(blamed(world, cases)).toEqual(['act-as.unknown', 'act-as.unknown']);
  });

  test('on the letter case for the operation that minds the documented name', async () => {
    const world = await planOf('optional');
    const cases = [caseWith(world, unknown, 'find'), caseWith(world, unknownInLowerCase)];
    expect(blamed(world, cases)).toEqual(['act-as.unknown', 'headers.case']);
  });

  test('on the letter case, if the documented name lets in for another reason', async () => {
    const world = await planOf('optional');
    const cases = [{ validity: 'tampered' }, unknownInLowerCase].map((changes) => caseWith(world, changes));
    expect(blamed(world, cases)).toEqual(['token.tampered', 'headers.case']);
  });

  test('on the person, if the answer is a wrong refusal', async () => {
    const world = await planOf('optional');
    expect(blamed(world, [caseWith(world, unknownInLowerCase)], answer(500))).toEqual(['act-as.unknown']);
  });

  test('on the person, if a request without the header must be refused', async () => {
    const world = await planOf('required');
    expect(blamed(world, [caseWith(world, unknownInLowerCase)])).toEqual(['act-as.unknown']);
  });
});

describe('a refusal that only a request without a header may get is blamed', () => {
  const lower = { 'header-case': 'lower' };
  const tampered = { ...lower, validity: 'tampered' };

  test('on the letter case, if a well-made request in other letters gets it, too', async () => {
    const world = await planOf('required');
    const cases = [tampered, lower].map((changes) => caseWith(world, changes));
    expect(blamed(world, cases.slice(0, 1), answer(428))).toEqual(['token.tampered']);
    expect(blamed(world, cases, answer(428))[0]).toBe('headers.case');
    // No request without a header may get this.
    expect(blamed(world, cases, answer(500))[0]).toBe('token.tampered');
  });

  test('on the letter case, if it is that of a request without a token', async () => {
    const world = await planOf('optional');
    const cases = [{ ...lower, holding: 'none' }, lower].map((changes) => caseWith(world, changes));
    expect(blamed(world, cases, answer(401))[0]).toBe('headers.case');
  });

  test('on the token, if the documented name gets it, too', async () => {
    const world = await planOf('required');
    const cases = [tampered, lower, {}].map((changes) => caseWith(world, changes));
    expect(blamed(world, cases, answer(428))[0]).toBe('token.tampered');
    const elsewhere = [...cases.slice(0, 2), caseWith(world, {}, 'find')];
    expect(blamed(world, elsewhere, answer(428))[0]).toBe('headers.case');
  });
});

test('who lets in anybody, or any token, is blamed for that, and not for what a token lacks', async () => {
  const world = await planOf('optional');
  const [none, unknown] = [{ kind: 'none' }, { kind: 'unknown' }];
  const [tampered, unscoped] = [{ validity: 'tampered' }, { holding: 'none' }];
  const letIn = (...all: readonly Readonly<Record<string, string>>[]) =>
    blamed(
      world,
      all.map((changes) => caseWith(world, changes)),
    );
  expect(letIn(none, unscoped)).toEqual(['authorization.required', 'authorization.required']);
  expect(letIn(unknown, tampered)).toEqual(['token.unknown', 'token.unknown']);
  expect(letIn(unknown, unscoped)).toEqual(['token.unknown', 'token.unknown']);
  expect(letIn(tampered, unscoped)).toEqual(['token.tampered', 'scope.list']);
});

test('a warning explains no failure: 404 without a token is tolerated, and with an unknown one it is not', async () => {
  const world = await planOf('optional');
  const cases = ['none', 'unknown'].map((kind) => caseWith(world, { kind }));
  expect(blamed(world, cases, answer(404))).toEqual(['authorization.required', 'token.unknown']);
});
