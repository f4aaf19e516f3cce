import type { Operation } from '../contract/openapi.ts';
import { isCommandLine } from '../record/command-line.ts';
import type { Step } from '../record/exchange.ts';
import { type Failure, isAnswer, observe, type RawAnswer } from '../record/observation.ts';
import { pauseBeforeRetry, sendUntilAnswered } from '../send/retry.ts';
import { timed } from '../send/timed.ts';
import type { CheckAnswer } from './check.ts';
import type { CheckWorld } from './check-world.ts';

/** A request of a check: its step, and the recipe of its credential. `operation` is undefined for any other request. */
export interface Delivery {
  readonly step: Step;
  readonly recipe: string;
  readonly operation?: Operation | undefined;
  /**
   * Whether the target may count the token as refused, whatever it answers (outcomes 6).
   * @param status what came. Undefined if no answer came.
   */
  readonly isDenial: (status: number | undefined) => boolean;
  /** A target need not answer a raw request: a missing answer then does not mean that the target is gone. */
  readonly mayBeSilent?: boolean;
}

/** Sends a request of a check, retries after transport outcomes, and records every answer. */
export type Deliver = (delivery: Delivery, once: () => Promise<RawAnswer | Failure>) => Promise<CheckAnswer>;

export const RUN_STOPPED = 'the run was stopped';

export function createDelivery(world: CheckWorld, check: string): Deliver {
  const { gate, sender, observer, soFar } = world;
  return async (delivery, once) => {
    const { recipe, operation, isDenial, mayBeSilent = false } = delivery;
    const step = withPastableCurl(delivery.step);
    const send = async () => {
      const sent = await gate.pass(() => timed(once));
      if (sent === undefined) return undefined;
      const { got: raw, ms } = sent;
      const observation = 'kind' in raw ? raw : observe(observer, raw, operation);
      const accepted = soFar.isAcceptance(observation, operation);
      const { seq } = sender.record({ case: check, role: 'check', credential: recipe, observation, ms, step });
      const [text, headers] = 'kind' in raw ? ['', {}] : [raw.text, raw.headers];
      return { observation, seq, step, operation, accepted, text, headers };
    };
    const answer = await sendUntilAnswered(gate, send, ({ observation }, attempt) => {
      const status = isAnswer(observation) ? observation.status : undefined;
      return pauseBeforeRetry(gate, observation, attempt, { isDenial: isDenial(status), mayBeSilent });
    });
    return answer ?? unsent(gate.closed ?? RUN_STOPPED, { step, operation });
  };
}

/** A token in another spelling is left out of its command line, and what is left cannot be pasted. */
function withPastableCurl({ curl, ...step }: Step): Step {
  return curl === undefined || !isCommandLine(curl) ? step : { ...step, curl };
}

export function unsent(reason: string, { step, operation }: Pick<Delivery, 'step' | 'operation'>): CheckAnswer {
  const observation: Failure = { kind: 'failure', failure: 'other', detail: `not sent: ${reason}` };
  return { observation, seq: undefined, step, operation, accepted: false, text: '', headers: {} };
}
