import { describe, expect, test } from 'vitest';
import type { Answer, Failure, Observation } from '../record/observation.ts';
import { outcomeOf, readIn } from './outcome.ts';

const answered = (status: number, more: Partial<Answer> = {}): { observation: Observation } => ({
  observation: { kind: 'answer', status, contentType: undefined, form: 'empty', whole: [], embedded: [], ...more },
});
const failed = (failure: Failure['failure'], detail: string) => ({
  observation: { kind: 'failure', failure, detail } as const,
});

describe('what became of a request of a check', () => {
  test.each([200, 202, 299])('%d accepts it', (status) => {
    expect(outcomeOf(answered(status))).toEqual({ kind: 'accepted', status });
  });

  test.each([302, 400, 401, 403, 404, 500, 501, 505])('%d refuses it', (status) => {
    expect(outcomeOf(answered(status))).toEqual({ kind: 'refused', status });
  });

  test.each([408, 425, 429, 502, 503, 504, 520, 525])('with %d it is lost', (status) => {
    expect(outcomeOf(answered(status))).toEqual({ kind: 'lost', why: `status ${status}` });
  });

  test.each([
    failed('timeout', 'no answer within 10000 ms'),
    failed('reset', 'the connection was reset'),
    failed('other', 'not sent: the CONFORMANCE_CHAT_BUDGET of 30 accepted chats is spent'),
  ])('without an answer it is lost, and the reason is kept', (answer) => {
    expect(outcomeOf(answer)).toEqual({ kind: 'lost', why: answer.observation.detail });
  });
});

describe('what an answer does not show', () => {
  const documented = { documentsBody: true };
  const free = { documentsBody: false };
  const cut = answered(200, { truncated: true });

  test('is not in it when it was read to its end', () => {
    expect(readIn(answered(200), documented)).toEqual({ kind: 'accepted', status: 200 });
    expect(readIn(answered(403, { truncated: true }), documented)).toEqual({ kind: 'refused', status: 403 });
  });

  test('may be in the part of it that was not read, or in an answer that never came', () => {
    expect(readIn(cut, documented)).toEqual({ kind: 'lost', why: 'the answer was not read to its end' });
    expect(readIn(answered(504), documented)).toEqual({ kind: 'lost', why: 'status 504' });
  });

  test('proves nothing where the body is free, which may go on for ever', () => {
    expect(readIn(cut, free)).toEqual({ kind: 'accepted', status: 200 });
  });
});
