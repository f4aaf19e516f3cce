import type { Operation } from '../contract/openapi.ts';

/**
 * How many chats may be accepted: an operation that thinks before it answers costs its owner more than a search.
 */
export interface ChatBudget {
  /** @returns undefined when it may be sent, else why not. What may be sent must be settled. */
  take(operation: Operation | undefined): string | undefined;
  settle(operation: Operation | undefined, accepted: boolean): void;
  /** Why a cell is better left out: it shows nothing new, and the budget does not last for all. */
  spare(operation: Operation | undefined, id: string, shows: readonly string[]): string | undefined;
}

/**
 * @param most undefined is unlimited.
 * @param wanted how many a target would accept that accepts whatever it may.
 */
export function createChatBudget(most: number | undefined, wanted = 0): ChatBudget {
  const shown = new Set<string>();
  /** What was sent may be sent again. */
  const sent = new Set<string>();
  let [accepted, underWay] = [0, 0];
  const costs = (operation: Operation | undefined) => most !== undefined && operation?.isSlow === true;
  return {
    take(operation) {
      if (!costs(operation)) return undefined;
      // What is under way may be accepted as well.
      if (accepted + underWay >= (most ?? 0)) return `the CONFORMANCE_CHAT_BUDGET of ${most} accepted chats is spent`;
      underWay += 1;
      return undefined;
    },
    spare(operation, id, shows) {
      if (sent.has(id)) return undefined;
      if (!costs(operation) || wanted <= (most ?? 0)) return undefined;
      const isNew = shows.some((one) => !shown.has(one));
      for (const one of shows) shown.add(one);
      if (isNew) sent.add(id);
      return isNew
        ? undefined
        : `others show the same, and the CONFORMANCE_CHAT_BUDGET of ${most} does not last for all`;
    },
    settle(operation, isAccepted) {
      if (!costs(operation)) return;
      underWay -= 1;
      accepted += Number(isAccepted);
    },
  };
}
