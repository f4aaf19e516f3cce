import type { Operation } from '../contract/openapi.ts';
import { isAccepted, isAnswer, type Observation } from '../record/observation.ts';

/** Limits how many chats a target accepts, because a chat costs its owner more than a search (outcomes 6). */
export interface ChatBudget {
  /** The budget is too small for all chats of the run: those that show nothing new are left out. */
  readonly isTight: boolean;
  /** @returns why the request may not be sent, or undefined. A request that is sent must be settled. */
  take(operation: Operation | undefined): string | undefined;
  settle(operation: Operation | undefined, observation: Observation | undefined): void;
  /**
   * @param shows the requirements that the cell may decide.
   * @returns why the cell is left out: the budget is too small for all chats, and others decide the same requirements.
   */
  skip(operation: Operation | undefined, id: string, shows: readonly string[]): string | undefined;
}

/** How many chats a target may accept, and whether that is too few for all chats of the run. */
export interface ChatLimit {
  readonly max: number;
  readonly isTight: boolean;
}

/** @param limit undefined is unlimited. */
export function createChatBudget(limit: ChatLimit | undefined): ChatBudget {
  const { max = 0, isTight = false } = limit ?? {};
  const shown = new Set<string>();
  /** Cells that were not left out. They may be sent again. */
  const kept = new Set<string>();
  let [accepted, inFlight] = [0, 0];
  const costs = (operation: Operation | undefined) => limit !== undefined && operation?.isSlow === true;
  return {
    isTight,
    take(operation) {
      if (!costs(operation)) return undefined;
      // Requests in flight may be accepted too.
      if (accepted + inFlight >= max) return `the CONFORMANCE_CHAT_BUDGET of ${max} accepted chats is spent`;
      inFlight += 1;
      return undefined;
    },
    skip(operation, id, shows) {
      if (kept.has(id)) return undefined;
      if (!costs(operation) || !isTight) return undefined;
      const isNew = shows.some((requirement) => !shown.has(requirement));
      for (const requirement of shows) shown.add(requirement);
      if (!isNew)
        return `other chats show the same, and the CONFORMANCE_CHAT_BUDGET of ${max} is too small for all of them`;
      kept.add(id);
      return undefined;
    },
    settle(operation, observation) {
      if (!costs(operation)) return;
      inFlight -= 1;
      accepted += Number(observation !== undefined && isChat(observation));
    },
  };
}

/** The page of a firewall costs no chat. */
const isChat = (observation: Observation): boolean =>
  isAccepted(observation) && isAnswer(observation) && observation.form !== 'markup';
