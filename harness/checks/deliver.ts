import type { Operation } from '../contract/openapi.ts';
import type { Exchange, Step } from '../record/exchange.ts';
import {
  type Answer,
  type Failure,
  isAccepted,
  isAnswer,
  type Observation,
  observe,
  type RawAnswer,
} from '../record/observation.ts';
import { pauseBeforeRetry, sendUntilAnswered } from '../send/retry.ts';
import { isTo, looksAccepted } from './acceptance.ts';
import type { CheckAnswer } from './check.ts';
import type { CheckWorld } from './check-world.ts';

/** A request of a check: its step, and the recipe of its credential. `operation` is undefined for any other request. */
export interface Delivery {
  readonly step: Step;
  readonly recipe: string;
  readonly operation?: Operation | undefined;
  /** A target need not answer a raw request. Silence then does not mean that the target is gone. */
  readonly mayBeSilent?: boolean;
}

/** Sends a request of a check, retries after transport outcomes, and records every answer. */
export type Deliver = (delivery: Delivery, once: () => Promise<RawAnswer | Failure>) => Promise<CheckAnswer>;

export const RUN_STOPPED = 'the run was stopped';

export function createDelivery(world: CheckWorld, check: string): Deliver {
  const { gate, sender, observer } = world;
  return async ({ step, recipe, operation, mayBeSilent = false }, once) => {
    const send = async () => {
      const raw = await gate.pass(once);
      if (raw === undefined) return undefined;
      const observation = 'kind' in raw ? raw : observe(observer, raw, operation);
      const accepted =
        operation === undefined
          ? isAccepted(observation)
          : looksAccepted(observation, acceptedAnswers(world, operation));
      const { seq } = sender.record({ case: check, role: 'check', credential: recipe, observation, step });
      const [text, headers] = 'kind' in raw ? ['', {}] : [raw.text, raw.headers];
      return { observation, seq, step, operation, accepted, text, headers };
    };
    const answer = await sendUntilAnswered(gate, send, ({ observation }, attempt) => {
      if (step.wanted === 'refused' && !isCounted(observation)) gate.denied();
      const isSilence = mayBeSilent && observation.kind === 'failure';
      return isSilence ? undefined : pauseBeforeRetry(gate, observation, attempt);
    });
    return answer ?? unsent(gate.closed ?? RUN_STOPPED, { step, recipe, operation });
  };
}

/** Whether the gate counts the answer as a refused token anyway. A denial counts whatever comes back (outcomes 6). */
function isCounted(observation: Observation): boolean {
  return isAnswer(observation) && (observation.status === 401 || observation.status === 403);
}

/** What the target answered to requests to the operation that must be accepted. A 2xx to another may be a page. */
export function acceptedAnswers({ sender, plan }: Pick<CheckWorld, 'sender' | 'plan'>, operation: Operation): Answer[] {
  const isDue = ({ step, case: id }: Exchange) =>
    step ? step.wanted === 'accepted' : plan.cases.get(id)?.expectation.kind === 'accept';
  return sender.exchanges
    .filter((exchange) => isTo(operation)(exchange) && isDue(exchange))
    .flatMap(({ observation }) => (isAnswer(observation) && isAccepted(observation) ? [observation] : []));
}

export function unsent(reason: string, { step, operation }: Delivery): CheckAnswer {
  const observation: Failure = { kind: 'failure', failure: 'other', detail: `not sent: ${reason}` };
  return { observation, seq: undefined, step, operation, accepted: false, text: '', headers: {} };
}
