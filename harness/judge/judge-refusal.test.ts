import { describe, expect, test } from 'vitest';
import type { Dimension } from '../contract/contract.ts';
import { expect as oracle } from '../plan/expectation.ts';
import type { Answer } from '../record/observation.ts';
import { answer, caseOf, contract, messageText } from '../testing/small-world.ts';
import { judgeAnswer } from './judge-answer.ts';

const identity = messageText('invalid-identity');
const [search] = contract.operations;
if (!search) throw new Error('no operation');

const judged = (kind: string, changes: Readonly<Record<Dimension, string>>, seen: Answer) =>
  judgeAnswer(contract, search, oracle(contract, caseOf('search', kind, changes).values), seen);
const cut = (status: number, text: string): Answer => ({ ...answer(status, text), truncated: true });

describe('a refusal with a wrong status and a misplaced message is blamed on the fault', () => {
  test.each<[string, Readonly<Record<Dimension, string>>, number, string]>([
    ['USER', { holding: 'none' }, 404, 'scope.search'],
    ['USER', { body: 'missing-field' }, 500, 'search.request'],
    // Here the status is right and the wanted message is missing, so that the fault misses its own message.
    ['GLOBAL', { 'act-as': 'absent' }, 400, 'act-as.missing'],
  ])('%s %j: %i misses %s', (kind, changes, status, requirement) => {
    expect(judged(kind, changes, answer(status, identity))).toMatchObject({
      kind: 'miss',
      suspects: [{ requirement }],
    });
  });
});

describe('a refusal of a request with two faults that fits one of them only with a warning', () => {
  test('is blamed on that one alone', () => {
    const found = judged('GLOBAL', { authorization: 'basic', 'act-as': 'absent' }, answer(404));
    expect(found).toMatchObject({
      kind: 'miss',
      level: 'should',
      suspects: [{ requirement: 'authorization.malformed' }],
    });
    expect(found.kind === 'miss' && found.suspects).toHaveLength(1);
  });

  test('passes if it fits the other one without a warning', () => {
    expect(judged('GLOBAL', { authorization: 'basic', holding: 'none' }, answer(403)).kind).toBe('pass');
  });
});

describe('a refusal whose body was not read to its end', () => {
  test('is undecided if the unread part may have the wanted message', () => {
    expect(judged('GLOBAL', { 'act-as': 'absent' }, cut(400, 'a long story')).kind).toBe('undecided');
    const both = { 'act-as': 'blank', body: 'missing-field' };
    expect(judged('GLOBAL', both, cut(400, identity)).kind).toBe('undecided');
  });

  test('is a miss if its status is wrong, whatever the unread part says', () => {
    expect(judged('GLOBAL', { 'act-as': 'absent' }, cut(404, 'a long story')).kind).toBe('miss');
  });

  test('passes if no message is wanted', () => {
    expect(judged('USER', { validity: 'expired' }, cut(401, 'a long story')).kind).toBe('pass');
  });
});

describe('a refusal of a request that also leaves something open', () => {
  test.each([302, 501])('is only observed with %i, which may answer what is open', (status) => {
    for (const changes of [
      { validity: 'expired', 'act-as': 'existing' },
      { body: 'missing-field', 'auth-type': 'OAUTH' },
    ])
      expect(judged('USER', changes, answer(status)).kind).toBe('observed');
    expect(judged('USER', { validity: 'expired' }, answer(status)).kind).toBe('miss');
  });

  test('is still blamed for a success, a server error and a misplaced message', () => {
    const changes = { validity: 'expired', 'act-as': 'existing' };
    for (const seen of [answer(200, '{}'), answer(500), answer(302, messageText('act-as-missing'))])
      expect(judged('USER', changes, seen).kind).toBe('miss');
  });
});
