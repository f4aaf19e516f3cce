import type { Operation } from './operations.ts';

/**
 * How many chats may be accepted: an operation without a documented success body thinks before it answers, and costs its
 * owner more than a search.
 */
export interface ChatBudget {
  /** @returns undefined when it may be sent, else why not. What may be sent must be settled. */
  take(operation: Operation | undefined): string | undefined;
  settle(operation: Operation | undefined, accepted: boolean): void;
}

/** Without a documented success body it may stream, and be slow to begin. */
export function thinks({ success }: Operation): boolean {
  return success.validate === undefined;
}

/** @param most undefined is unlimited. */
export function createChatBudget(most: number | undefined): ChatBudget {
  let [accepted, underWay] = [0, 0];
  const costs = (operation: Operation | undefined) =>
    most !== undefined && operation !== undefined && thinks(operation);
  return {
    take(operation) {
      if (!costs(operation)) return undefined;
      // What is under way may be accepted as well.
      if (accepted + underWay >= (most ?? 0)) return `the CONFORMANCE_CHAT_BUDGET of ${most} accepted chats is spent`;
      underWay += 1;
      return undefined;
    },
    settle(operation, isAccepted) {
      if (!costs(operation)) return;
      underWay -= 1;
      accepted += Number(isAccepted);
    },
  };
}
