import { describe, expect, test } from 'vitest';
import { type Answer, type Failure, isAnswer, type Observation } from '../record/observation.ts';
import { answer, contract } from '../testing/small-world.ts';
import { acceptanceFrom, countLook, type LookCounts, looksAccepted, outcomeOf, readIn } from './acceptance.ts';

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

  test('if it has the documented body, whatever its content type is', () => {
    const other = { ...json, contentType: 'application/vnd.acme+json' };
    expect(
      [[], ['/results: is missing']].map((schemaErrors) => looksAccepted({ ...other, schemaErrors }, seen(json, json))),
    ).toEqual([true, false]);
  });

  test('if it is a stream of events, which no gateway writes', () => {
    const stream = answer(200, 'data: {"text":"I know"}\n\n', { 'content-type': 'text/event-stream' });
    expect(looksAccepted(stream, seen(json, json, json))).toBe(true);
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

const answered = (status: number, more: Partial<Answer> = {}): { observation: Observation; accepted: boolean } => ({
  accepted: status >= 200 && status < 300,
  observation: { kind: 'answer', status, contentType: undefined, form: 'empty', whole: [], embedded: [], ...more },
});
const failed = (failure: Failure['failure'], detail: string) => ({
  accepted: false,
  observation: { kind: 'failure', failure, detail } as const,
});

describe('a request of a check', () => {
  test.each([200, 202, 299])('is accepted with %d', (status) => {
    expect(outcomeOf(answered(status))).toEqual({ kind: 'accepted', status, got: `${status}` });
  });

  test.each([302, 400, 401, 403, 404, 500, 501, 505])('is refused with %d', (status) => {
    expect(outcomeOf(answered(status))).toEqual({ kind: 'refused', status, got: `${status}` });
  });

  test.each([408, 425, 429, 502, 503, 504, 520, 525])('is lost with %d', (status) => {
    expect(outcomeOf(answered(status))).toEqual({ kind: 'lost', why: `status ${status}` });
  });

  test.each([
    failed('timeout', 'no answer within 10000 ms'),
    failed('other', 'not sent: the CONFORMANCE_CHAT_BUDGET of 30 accepted chats is spent'),
  ])('is lost without an answer, for the reason of the failure', (answer) => {
    expect(outcomeOf(answer)).toEqual({ kind: 'lost', why: answer.observation.detail });
  });
});

test('a request without an answer is named, with what to look at', () => {
  const step = { shows: 'an email in quotes is refused', wanted: 'refused' as const };
  expect(outcomeOf({ ...failed('reset', 'reset (ECONNRESET)'), step })).toEqual({
    kind: 'lost',
    why: 'reset (ECONNRESET): something closes the connection, such as a firewall in front of the target, where an email in quotes is refused',
  });
});

test.each([
  [failed('reset', 'reset (ECONNRESET)'), 0, 'reset (ECONNRESET)'],
  [answered(502), 502, 'status 502'],
  [{ ...answered(200), accepted: false }, 200, 'a page with 200'],
])('what recurs while others are answered is a refusal: %j', (answer, status, got) => {
  expect(outcomeOf({ ...answer, recurs: true })).toEqual({ kind: 'refused', status, got });
});

test('a 2xx that looks unlike what the target accepts is lost', () => {
  expect(outcomeOf({ ...answered(200), accepted: false })).toEqual({
    kind: 'lost',
    why: 'a 200 that looks unlike what this target accepts, as from a gateway',
  });
});

describe('an answer that is searched for something', () => {
  const documented = { documentsBody: true };
  const free = { documentsBody: false };
  const truncated = answered(200, { truncated: true });

  test('has its outcome if it is a refusal or was read to its end', () => {
    expect(readIn(answered(200), documented)).toEqual({ kind: 'accepted', status: 200, got: '200' });
    expect(readIn(answered(403, { truncated: true }), documented)).toEqual({
      kind: 'refused',
      status: 403,
      got: '403',
    });
  });

  test('is lost if an acceptance was not read to its end, or did not come', () => {
    expect(readIn(truncated, documented)).toEqual({
      kind: 'lost',
      why: 'the body is too long or too slow to be read to its end',
    });
    expect(readIn(answered(504), documented)).toEqual({ kind: 'lost', why: 'status 504' });
  });

  test('has its outcome if the body is free, because such a body may never end', () => {
    expect(readIn(truncated, free)).toEqual({ kind: 'accepted', status: 200, got: '200' });
  });
});
