import { describe, expect, test } from 'vitest';
import type { Exchange, LeftRecord } from '../record/exchange.ts';
import { noJournal } from '../record/journal.ts';
import { startSession } from '../run/start-session.ts';
import { answer, casesAt, exchangeOf, plannedCase, settingsWith } from '../testing/small-world.ts';
import { leftInWords, leftOn } from './left.ts';

const session = startSession(settingsWith(), { journal: noJournal, casesAt });
const chat = plannedCase(session.plan, 'chat', 'USER');
const search = plannedCase(session.plan, 'search', 'USER');
const token = (type: 'created' | 'removed', id: string, failed?: string): LeftRecord =>
  ({ type, what: 'token', check: 'administration', id, ...(failed !== undefined && { failed }) }) as LeftRecord;
const answers = (...bodies: readonly string[]): Exchange[] =>
  bodies.map((body, index) => exchangeOf(chat, answer(200, body, undefined, 'chat'), index + 1));
const left = (records: readonly LeftRecord[], exchanges: readonly Exchange[] = []) =>
  leftOn({ ...session, left: records }, { exchanges });

describe('what a run left on the target', () => {
  test('is nothing if it created nothing', () => {
    const refused = exchangeOf(chat, answer(401), 1);
    const found = exchangeOf(search, answer(200, '{"conversationId":"c1"}'), 2);
    expect(left([], [refused, found])).toEqual([]);
  });

  test('has the tokens that could not be revoked, and why', () => {
    const [tokens] = left([
      token('created', 't1'),
      token('created', 't2'),
      token('created', 't3'),
      token('removed', 't1'),
      token('removed', 't1', 'it could not be revoked: it is revoked already'),
      token('removed', 't2', 'it could not be revoked: not here'),
    ]);
    const reasons = ['it could not be revoked: not here', 'the run did not come to removing it'];
    expect(tokens).toEqual({ what: 'token', created: 3, removed: 1, ids: ['t2', 't3'], reasons });
    expect(tokens && leftInWords(tokens)).toBe(
      `3 tokens created by ADMINISTRATION_COMMAND, 1 revoked, 2 still there: ${reasons.join('; ')}`,
    );
  });

  test('counts a conversation once, and each chat that names none', () => {
    const [found] = left(
      [],
      answers('{"conversationId":"c1"}', 'data: {"conversationId": "c1"}\n', '{"chat_id":"c2"}', 'an answer', ''),
    );
    expect(found).toMatchObject({ what: 'conversation', created: 4, removed: 0, ids: ['c1', 'c2'] });
    expect(found && leftInWords(found)).toBe(
      '4 conversations begun, still there: the contract has no request that removes one',
    );
  });

  test('shows no name that is not made of letters, digits and a few marks', () => {
    const [found] = left([], answers('{"conversationId":"<script>"}', `{"conversationId":"${'x'.repeat(65)}"}`));
    expect(found).toMatchObject({ created: 2, ids: [] });
  });

  test('has the tokens that TOKEN_COMMAND made', () => {
    const minted = new Map([
      ['USER valid all', { token: 'x' }],
      ['USER expired all', { unsupported: 'no' }],
    ]);
    const [found] = leftOn({ ...session, settings: { ...session.settings, minted } }, { exchanges: [] });
    expect(found).toMatchObject({ what: 'minted token', created: 1, removed: 0 });
  });

  test('is nothing on the embedded service, which ends with the run', () => {
    const embedded = { ...session, settings: { ...session.settings, trusted: true }, left: [token('created', 't1')] };
    expect(leftOn(embedded, { exchanges: answers('') })).toEqual([]);
  });
});
