import type { Operation } from '../contract/openapi.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, isTokenRefusal, type Observation, transportReason } from '../record/observation.ts';
import type { ChatBudget } from './chat-budget.ts';
import type { Gate } from './gate.ts';
import { pauseBeforeRetry } from './retry.ts';

/** What tells a limit, which refuses every request, from a guard that refuses one sort of request with the same status. */
export interface Answering {
  /** Notes what a request got. @param mustBeRefused a guard may count only refused tokens. */
  note(planned: PlannedCase, to: Operation, mustBeRefused: boolean, got: Observation): void;
  /**
   * Whether the target answers, at this moment, what it answered last as it must: to this operation, or to any. It is sent
   * as a part of a job of `gate.alone`.
   */
  isAnswering(operation: Operation | undefined, mustBeRefused: boolean): Promise<boolean>;
}
interface AnsweringOptions {
  readonly gate: Gate;
  readonly chats: ChatBudget;
  /** Sends it once. Undefined if nothing was sent. */
  readonly send: (planned: PlannedCase) => Promise<Exchange | undefined>;
}

/** For so many milliseconds a chat that was answered is not sent again: it is expensive. A fast request is sent in its place. */
const CHAT_COUNTS_MS = 60_000;

export function createAnswering({ gate, chats, send }: AnsweringOptions): Answering {
  const answered = new Map<string, { readonly planned: PlannedCase; readonly to: Operation }>();
  const countsUntil = new Map<string, number>();
  return {
    note(planned, to, mustBeRefused, got) {
      const isRight = mustBeRefused ? isTokenRefusal(got) : isAccepted(got);
      if (!isRight || planned.expectation.kind === 'open') return;
      const keys = keysOf(to, mustBeRefused);
      for (const key of to.isSlow ? keys : [...keys, fastKey(mustBeRefused)]) answered.set(key, { planned, to });
    },
    async isAnswering(operation, mustBeRefused) {
      const [own, any] = keysOf(operation, mustBeRefused);
      const known = answered.get(own) ?? answered.get(any);
      if (!known) return false;
      const [key] = keysOf(known.to, mustBeRefused);
      const isRecent = known.to.isSlow && gate.clock.now() < (countsUntil.get(key) ?? 0);
      const last = isRecent ? answered.get(fastKey(mustBeRefused)) : known;
      if (!last) return true;
      const budgeted = mustBeRefused ? undefined : last.to;
      if (chats.take(budgeted) !== undefined) return false;
      const exchange = await send(last.planned);
      chats.settle(budgeted, exchange?.observation);
      if (!exchange) return false;
      const { observation, ms } = exchange;
      pauseBeforeRetry(gate, observation, 0, { ms, retries: 0, isDenial: mustBeRefused });
      if (transportReason(observation) !== undefined) return false;
      if (!isRecent) countsUntil.set(key, gate.clock.now() + CHAT_COUNTS_MS);
      return true;
    },
  };
}

function keysOf(operation: Operation | undefined, mustBeRefused: boolean): readonly [own: string, any: string] {
  return [`${operation?.id} ${mustBeRefused}`, `${mustBeRefused}`];
}

const fastKey = (mustBeRefused: boolean): string => `fast ${mustBeRefused}`;
