import { describe, expect, test } from 'vitest';
import { isAnswer } from '../record/observation.ts';
import { answer, contract } from '../testing/small-world.ts';
import { acceptanceFrom, countLook, type LookCounts, looksAccepted } from './acceptance.ts';

const [operation] = contract.operations;
const seen = (...answers: readonly ReturnType<typeof answer>[]): LookCounts => {
  const counts: LookCounts = new Map();
  for (const one of answers.filter(isAnswer)) countLook(counts, one);
  return counts;
};
const json = answer(200, '{"results":[]}');
const page = answer(200, '<h1>Sign in</h1>', { 'content-type': 'text/html; charset=utf-8' });

describe('a 2xx looks like an acceptance of the target', () => {
  test('if it is the first', () => {
    expect(looksAccepted(page, seen())).toBe(true);
  });

  test('if no other form is more frequent', () => {
    expect(looksAccepted(json, seen(page, json))).toBe(true);
    expect(looksAccepted(page, seen(json))).toBe(true);
    expect(looksAccepted(page, seen(json, json))).toBe(false);
    expect(looksAccepted(answer(200, '{}', { 'content-type': 'Application/JSON; x=y' }), seen(json, json))).toBe(true);
  });

  test('and no other answer does', () => {
    expect(looksAccepted(answer(401, '{}'), seen())).toBe(false);
    expect(looksAccepted({ kind: 'failure', failure: 'timeout', detail: 'timeout' }, seen())).toBe(false);
  });
});

describe('evidence of an acceptance', () => {
  const accepted = { observation: json, seq: 7, operation, accepted: true };

  test('names its place in the journal', async () => {
    expect(await acceptanceFrom(accepted, async () => true)).toEqual({ seq: 7 });
  });

  test.each([
    ['an answer that is no acceptance', { ...accepted, accepted: false }],
    ['a request that was not sent', { ...accepted, seq: undefined }],
    ['a page of another server', { ...accepted, operation: undefined, observation: page }],
  ])('cannot be made of %s', async (_what, answered) => {
    expect(await acceptanceFrom(answered, async () => true)).toBeUndefined();
  });

  test('cannot be made of an answer of a target that refuses nothing', async () => {
    expect(await acceptanceFrom(accepted, async () => false)).toBeUndefined();
  });
});
