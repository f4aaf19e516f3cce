import { describe, expect, test } from 'vitest';
import { contract } from '../testing/small-world.ts';
import { createChatBudget } from './chat-budget.ts';

const chat = contract.operations.find(({ isSlow }) => isSlow);
const search = contract.operations.find(({ isSlow }) => !isSlow);

describe('a chat budget', () => {
  test('is spent by what is accepted, and by what is under way', () => {
    const budget = createChatBudget(2);
    expect([budget.take(chat), budget.take(chat)]).toEqual([undefined, undefined]);
    expect(budget.take(chat)).toContain('is spent');
    budget.settle(chat, false);
    expect(budget.take(chat)).toBeUndefined();
    expect(budget.take(search)).toBeUndefined();
  });

  test('that does not last for all spares what shows nothing new', () => {
    const budget = createChatBudget(2, 3);
    expect(budget.spare(chat, 'first', ['a', 'b'])).toBeUndefined();
    expect(budget.spare(chat, 'second', ['b', 'c'])).toBeUndefined();
    expect(budget.spare(chat, 'third', ['a', 'c'])).toMatch(
      /others show the same, and the CONFORMANCE_CHAT_BUDGET of 2/,
    );
    expect(budget.spare(chat, 'first', ['a', 'b'])).toBeUndefined();
    expect(budget.spare(search, 'search', ['a'])).toBeUndefined();
  });

  test.each([
    ['unlimited', createChatBudget(undefined, 100)],
    ['enough', createChatBudget(3, 3)],
  ])('that is %s spares nothing', (_what, budget) => {
    expect([1, 2, 3].map(() => budget.spare(chat, 'any', ['a']))).toEqual([undefined, undefined, undefined]);
  });
});
