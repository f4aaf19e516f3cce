import { describe, expect, test } from 'vitest';
import type { Dimension } from '../contract/contract.ts';
import { expect as oracle } from '../plan/expectation.ts';
import type { Observation } from '../record/observation.ts';
import {
  accepted,
  answer,
  caseOf,
  contract,
  messageText,
  plannedCase,
  planWith,
  reset,
} from '../testing/small-world.ts';
import { freedomsOf } from './freedoms.ts';
import type { CaseVerdict, Verdict } from './judge-cases.ts';

const any = plannedCase(planWith(), 'search', 'USER');
const said = (status: number, id: string) => answer(status, JSON.stringify({ error: messageText(id) }));

/** A case that got an answer. */
function answered(
  kind: string,
  changes: Readonly<Record<Dimension, string>>,
  observation: Observation,
  verdict: Verdict = 'pass',
): CaseVerdict {
  const { id, values } = caseOf('search', kind, changes);
  const planned = { ...any, id, values, expectation: oracle(contract, values) };
  return { case: planned, verdict, satisfied: [], sent: 1, observation };
}
const choice = (freedom: string, ...verdicts: readonly CaseVerdict[]) =>
  freedomsOf(contract, verdicts).find((row) => row.freedom === freedom)?.choice;

describe('the choice of a freedom', () => {
  const open = (seen: Observation, verdict: Verdict = 'observed') =>
    answered('USER', { 'act-as': 'existing' }, seen, verdict);
  const notNeeded = (...verdicts: readonly CaseVerdict[]) => choice('act as, not needed', ...verdicts);

  test('names the most frequent answers first, in words, and sorts equals by name', () => {
    const [a, b, c] = [answer(400), said(401, 'invalid-identity'), accepted].map((seen) => open(seen)) as [
      CaseVerdict,
      CaseVerdict,
      CaseVerdict,
    ];
    expect(notNeeded(a, b, b)).toBe('401 "Invalid identity"; 400');
    expect(notNeeded(b, b, a)).toBe('401 "Invalid identity"; 400');
    expect(notNeeded(c, b, a)).toBe('400; 401 "Invalid identity"; accepted');
  });

  test('names four answers at most', () => {
    expect(notNeeded(...[405, 404, 402, 401, 400].map((status) => open(answer(status))))).toBe('400; 401; 402; 404');
  });

  test('is read only from cases that were decided and that nothing else can explain', () => {
    expect(notNeeded(open(answer(400), 'fail'), open(answer(400), 'inconclusive'), open(reset))).toBeUndefined();
    expect(notNeeded(answered('USER', { 'act-as': 'existing', holding: 'none' }, answer(400)))).toBeUndefined();
    expect(notNeeded(answered('USER', {}, accepted))).toBeUndefined();
  });

  test('is given for a blank act-as and a missing auth type', () => {
    const blank = answered('GLOBAL', { 'act-as': 'blank' }, said(400, 'act-as-missing'));
    expect(choice('blank act-as', blank)).toBe(`400 "${messageText('act-as-missing')}"`);
    const untyped = answered('OKTA', { 'auth-type': 'absent' }, said(422, 'invalid-secret'));
    expect(choice('missing auth type', untyped)).toBe('422 "Invalid Secret"');
  });
});

test('what the specification states is no freedom', () => {
  const verdicts = [
    answered('USER', { validity: 'expired' }, answer(401)),
    answered('USER', { holding: 'none' }, answer(403)),
  ];
  expect(freedomsOf(contract, verdicts).map(({ freedom }) => freedom)).toEqual(['error body']);
});

describe('the choice of error bodies', () => {
  const refusal = (text: string, headers: Readonly<Record<string, string>>) =>
    answered('USER', { validity: 'expired' }, answer(401, text, headers), 'fail');

  test('names their forms with the content type, the most frequent first', () => {
    const json = refusal('{}', { 'content-type': 'application/json; charset=utf-8' });
    expect(choice('error body', refusal('', {}), json, json, refusal('no', {}))).toBe(
      'json (application/json); empty; text (no content type)',
    );
  });

  test('names four forms at most, and none of successes', () => {
    const types = ['a/a', 'b/b', 'c/c', 'd/d', 'e/e'].map((type) => refusal('no', { 'content-type': type }));
    expect(choice('error body', ...types)).toBe('text (a/a); text (b/b); text (c/c); text (d/d)');
    expect(choice('error body', answered('USER', {}, accepted), answered('USER', {}, reset))).toBeUndefined();
  });
});

describe('the order of checks', () => {
  const order = (...verdicts: readonly CaseVerdict[]) => choice('order of checks', ...verdicts);
  const tokenAndScope = (seen: Observation) => answered('USER', { validity: 'expired', holding: 'none' }, seen);
  const tokenAndBody = (seen: Observation) => answered('USER', { validity: 'expired', body: 'missing-field' }, seen);

  test('is that of the fault that the answer to two faults is about', () => {
    expect(order(tokenAndScope(answer(401)))).toBe('token > scope');
    expect(order(tokenAndScope(answer(403)))).toBe('scope > token');
    const untyped = { 'auth-type': 'absent', holding: 'none' };
    expect(order(answered('OKTA', untyped, said(401, 'invalid-secret')))).toBe('auth type > scope');
    expect(order(answered('GLOBAL', { 'act-as': 'absent', holding: 'none' }, answer(403)))).toBe('scope > act-as');
  });

  test('puts the body first only if the answer is about nothing else', () => {
    expect(order(tokenAndBody(answer(401)))).toBe('token > body');
    expect(order(tokenAndBody(answer(400)))).toBe('body > token');
    const contentType = answered('USER', { validity: 'expired', body: 'other-content-type' }, answer(415));
    expect(order(contentType)).toBe('body > token');
  });

  test('says nothing of two steps that no case compared', () => {
    const found = order(tokenAndScope(answer(401)), tokenAndBody(answer(401)));
    expect(found).toBe('token > scope; token > body');
    expect(order(tokenAndScope(answer(403)), tokenAndBody(answer(400)))).toBe('scope > token; body > token');
    const actAsAndAuthType = answered('GLOBAL', { 'act-as': 'absent', holding: 'none' }, answer(403));
    const untyped = answered('OKTA', { 'auth-type': 'absent', validity: 'expired' }, said(400, 'invalid-secret'));
    expect(order(actAsAndAuthType, untyped)).toBe('auth type > token; scope > act-as');
  });

  test('follows from more than two steps in a row, and says once what several pairs show', () => {
    const actAs = (changes: Readonly<Record<Dimension, string>>, seen: Observation) =>
      answered('GLOBAL', { 'act-as': 'absent', ...changes }, seen);
    const all = [
      tokenAndScope(answer(401)),
      actAs({ validity: 'expired' }, answer(401)),
      actAs({ holding: 'none' }, said(400, 'act-as-missing')),
      tokenAndBody(answer(401)),
    ];
    expect(order(...all)).toBe('token > act-as > scope; token > body');
  });

  test('that depends on the request shows every comparison', () => {
    const actAs = (changes: Readonly<Record<Dimension, string>>, seen: Observation) =>
      answered('GLOBAL', { 'act-as': 'absent', ...changes }, seen);
    const all = [
      tokenAndScope(answer(403)),
      actAs({ validity: 'expired' }, answer(401)),
      actAs({ holding: 'none' }, said(400, 'act-as-missing')),
    ];
    expect(order(...all)).toBe('token > act-as > scope; scope > token');
  });

  test('follows from pairs of neighbours', () => {
    const tokenAndActAs = answered('GLOBAL', { 'act-as': 'absent', validity: 'expired' }, answer(401));
    const actAsAndScope = answered('GLOBAL', { 'act-as': 'absent', holding: 'none' }, said(400, 'act-as-missing'));
    expect(order(tokenAndActAs, actAsAndScope)).toBe('token > act-as > scope');
    expect(order(actAsAndScope, tokenAndActAs)).toBe('token > act-as > scope');
  });

  test('names every pair of steps that comes in either order', () => {
    const all = [401, 403].map((status) => tokenAndScope(answer(status)));
    const bodies = [401, 400].map((status) => tokenAndBody(answer(status)));
    expect(order(...all, ...bodies)).toBe('in either order: token and scope, token and body');
  });

  test('is either order as soon as one case shows the other one, the more frequent first', () => {
    const [first, second] = [tokenAndScope(answer(401)), tokenAndScope(answer(403))];
    expect(order(first, second)).toBe('in either order: token and scope');
    expect(order(first, second, second)).toBe('in either order: scope and token');
    expect(order(first, second, tokenAndBody(answer(401)))).toBe('token > body; in either order: token and scope');
  });

  test('follows from no case with one fault, three faults, no answer, or an answer to neither fault alone', () => {
    const three = { 'act-as': 'absent', validity: 'expired', holding: 'none' };
    expect(order(answered('USER', { validity: 'expired' }, answer(401)))).toBeUndefined();
    expect(order(answered('GLOBAL', three, answer(403)))).toBeUndefined();
    expect(order(tokenAndScope(reset))).toBeUndefined();
    expect(order(answered('OAUTH', { validity: 'foreign', holding: 'none' }, answer(403)))).toBeUndefined();
    expect(order(answered('GLOBAL', { 'act-as': 'unknown', validity: 'expired' }, answer(400)))).toBeUndefined();
    expect(order(answered('USER', { 'act-as': 'existing' }, answer(400), 'observed'))).toBeUndefined();
  });
});
