import type { Operation } from '../contract/openapi.ts';
import { isCommandLine } from '../record/command-line.ts';
import type { Exchange, Step } from '../record/exchange.ts';
import {
  type Failure,
  isAccepted,
  isAnswer,
  type Observation,
  observe,
  type RawAnswer,
} from '../record/observation.ts';
import { pauseBeforeRetry, sendUntilAnswered } from '../send/retry.ts';
import { timed } from '../send/timed.ts';
import { countLook, isTo, looksAccepted } from './acceptance.ts';
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

export function createDelivery(world: CheckWorld, check: string, looks: Looks): Deliver {
  const { gate, sender, observer } = world;
  return async (delivery, once) => {
    const { recipe, operation, isDenial, mayBeSilent = false } = delivery;
    const step = withPastableCurl(delivery.step);
    const send = async () => {
      const sent = await gate.pass(() => timed(once));
      if (sent === undefined) return undefined;
      const { got: raw, ms } = sent;
      const observation = 'kind' in raw ? raw : observe(observer, raw, operation);
      const accepted = looks(observation, operation);
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

/** Whether a 2xx looks like an acceptance of the operation. Without one, any 2xx does. */
export type Looks = (observation: Observation, operation: Operation | undefined) => boolean;

/**
 * Knows how the target answers requests that must be accepted. A 2xx to another request may be a page. It reads each
 * exchange once: a run has twenty thousand, and a check asks after each request.
 */
export function createLooks({ sender, plan, contract }: Pick<CheckWorld, 'sender' | 'plan' | 'contract'>): Looks {
  const known = [...contract.operations, ...contract.mcp];
  const accepted = new Map(known.map((operation) => [operation, new Map<string, number>()]));
  const isDue = ({ step, case: id }: Exchange) =>
    step ? step.wanted === 'accepted' : plan.cases.get(id)?.expectation.kind === 'accept';
  let read = 0;
  const readOn = () => {
    for (const exchange of sender.exchanges.slice(read)) {
      const { observation } = exchange;
      if (!isAnswer(observation) || !isAccepted(observation) || !isDue(exchange)) continue;
      for (const [operation, counts] of accepted) if (isTo(operation)(exchange)) countLook(counts, observation);
    }
    read = sender.exchanges.length;
  };
  return (observation, operation) => {
    if (operation === undefined) return isAccepted(observation);
    readOn();
    return looksAccepted(observation, accepted.get(operation) ?? new Map());
  };
}

export function unsent(reason: string, { step, operation }: Pick<Delivery, 'step' | 'operation'>): CheckAnswer {
  const observation: Failure = { kind: 'failure', failure: 'other', detail: `not sent: ${reason}` };
  return { observation, seq: undefined, step, operation, accepted: false, text: '', headers: {} };
}
