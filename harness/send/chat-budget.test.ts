import { describe, expect, test } from 'vitest';
import { answer, contract } from '../testing/small-world.ts';
import { createChatBudget } from './chat-budget.ts';

const chat = contract.operations.find(({ isSlow }) => isSlow);
const search = contract.operations.find(({ isSlow }) => !isSlow);

describe('a chat budget', () => {
  test('is spent by accepted chats and by chats in flight', () => {
    const budget = createChatBudget({ max: 2, isTight: false });
    expect([budget.take(chat), budget.take(chat)]).toEqual([undefined, undefined]);
    expect(budget.take(chat)).toContain('is spent');
    budget.settle(chat, answer(403));
    expect(budget.take(chat)).toBeUndefined();
    expect(budget.take(search)).toBeUndefined();
  });

  test('is not spent by the page of a firewall, whatever its status', () => {
    const budget = createChatBudget({ max: 1, isTight: false });
    for (const answered of [answer(200, '<html>Blocked</html>'), answer(200, '{"answer":"a"}')]) {
      expect(budget.take(chat)).toBeUndefined();
      budget.settle(chat, answered);
    }
    expect(budget.take(chat)).toContain('is spent');
  });

  test('that is too small for all chats skips those that show nothing new', () => {
    const budget = createChatBudget({ max: 2, isTight: true });
    expect(budget.skip(chat, 'first', ['a', 'b'])).toBeUndefined();
    expect(budget.skip(chat, 'second', ['b', 'c'])).toBeUndefined();
    expect(budget.skip(chat, 'third', ['a', 'c'])).toMatch(
      /other chats show the same, and the CONFORMANCE_CHAT_BUDGET of 2/,
    );
    expect(budget.skip(chat, 'first', ['a', 'b'])).toBeUndefined();
    expect(budget.skip(search, 'search', ['a'])).toBeUndefined();
  });

  test.each([
    ['unlimited', createChatBudget(undefined)],
    ['large enough', createChatBudget({ max: 3, isTight: false })],
  ])('that is %s skips nothing', (_what, budget) => {
    expect([1, 2, 3].map(() => budget.skip(chat, 'any', ['a']))).toEqual([undefined, undefined, undefined]);
  });
});
