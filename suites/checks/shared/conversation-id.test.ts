import { describe, expect, test } from 'vitest';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import { PAUSES_MS } from './confirm.ts';
import { type ConversationId, continueOneOf, conversationIds } from './conversation-id.ts';

test.each<[text: string, ids: readonly string[]]>([
  ['{"conversationId": "a1"}', ['own a1']],
  ['{"parent":{"conversationId":"p1"},"conversationId":"a1","id":"m1"}', ['own a1']],
  ['data: {"conversationId":"a1"}\n\ndata: {"conversationId":"a1","id":"m1"}\n\n', ['own a1']],
  ['{"conversationId":"p1"}\n{"conversationId":"a1"}\n', ['some p1', 'some a1']],
  ['{"parent":{"conversationId":"p1"},"answer":{"conversationId":"a1"}}', ['some p1', 'some a1']],
  ['{"conversationId": 7, "turn": {"conversationId":"a1"}}', ['some a1', 'unsaid 7']],
  ['data: {"delta":"Hello"}\n\ndata: {"conversation_id":"a2","id":"m1"}\n\n', ['some a2', 'unsaid m1']],
  ['{"text":"Hello"}\n{"conversation":{"title":"x","id":"a3"}}', ['some a3']],
  ['{"chatId":"a4"}', ['unsaid a4']],
  ['{"thread":{"id":"a5"},"id":"m1"}', ['unsaid a5']],
  [
    '[1,2,3,4].map({"conversationId":"1","of":{"conversationId":"2"}}{"conversationId":"3"}{"conversationId":"4"})',
    ['some 1', 'some 2', 'some 3'],
  ],
  ['{"conversationId": 1001, "messages": [{"id": 3}]}', ['unsaid 1001', 'unsaid 3']],
  ['{"session":{"key":"a6"}}', ['unsaid a6']],
  ['{"text":"conversationId"}', []],
  ['', []],
])('the ids that may name a conversation in %j', (text, ids) => {
  expect(idsIn(text)).toEqual(ids);
});

test('a header may name a conversation, if it is named like one', () => {
  const headers = { 'x-conversation-id': 'a7', 'x-request-id': 'r1', 'set-cookie': ['a=1'] };
  expect(idsIn('{"id":"m1"}', headers)).toEqual(['unsaid a7', 'unsaid m1']);
});

const idsIn = (text: string, headers: CheckAnswer['headers'] = {}) =>
  conversationIds({ text, headers }).map(({ id, names }) => `${names} ${id}`);

describe('a message with one of several ids', () => {
  const [own, some, unsaid] = (['own', 'some', 'unsaid'] as const).map(
    (names): ConversationId => ({ id: names, names }),
  );
  const answer = (status: number): CheckAnswer => ({
    observation: { kind: 'answer', status, contentType: undefined, form: 'empty', whole: [], embedded: [] },
    accepted: status === 200,
    ...{ seq: 1, operation: undefined, text: '', headers: {} },
  });
  /** What was sent and waited for until one of the answers was no refusal. */
  async function send(ids: readonly (ConversationId | undefined)[], ...statuses: readonly number[]) {
    const log: string[] = [];
    const left = [...statuses];
    const [first, ...others] = ids.filter((id) => id !== undefined);
    if (!first) throw new Error('there is no id');
    const { named, pauses } = await continueOneOf(
      { wait: async (ms) => void log.push(`${ms}`) },
      [first, ...others],
      async ({ id }) => {
        log.push(id);
        return answer(left.shift() ?? 404);
      },
    );
    return { log: log.join(' '), got: `${named.id} after ${pauses}` };
  }

  test('is sent once if it is accepted', async () => {
    expect(await send([own, some], 200)).toEqual({ log: 'own', got: 'own after 0' });
  });

  test('is sent with the next id if it is refused, and does not wait for that', async () => {
    expect(await send([some, unsaid], 404, 200)).toEqual({ log: 'some unsaid', got: 'unsaid after 0' });
  });

  test('is sent again after a pause, with the ids that are named as conversations', async () => {
    expect(await send([some, unsaid], 404, 404, 404, 200)).toEqual({
      log: `some unsaid ${PAUSES_MS[0]} some ${PAUSES_MS[1]} some`,
      got: 'some after 2',
    });
  });

  test('is not sent again after a pause if no name says that an id is of a conversation', async () => {
    expect(await send([unsaid])).toEqual({ log: 'unsaid', got: 'unsaid after 0' });
  });

  test('is sent until the patience ends, and the likeliest id stands for all', async () => {
    const { log, got } = await send([own, some]);
    expect(got).toBe(`own after ${PAUSES_MS.length}`);
    expect(log).toBe(['own some', ...PAUSES_MS.map((ms) => `${ms} own some`)].join(' '));
  });

  test('is not sent again if no answer came', async () => {
    expect(await send([own, some], 504)).toEqual({ log: 'own', got: 'own after 0' });
  });
});
