import { type Failure, isAccepted, type Observation, observe, type RawAnswer } from '../record/observation.ts';
import { pauseBeforeRetry, sendUntilAnswered } from '../send/retry.ts';
import type { Call, CheckAnswer } from './check.ts';
import type { CheckWorld } from './check-world.ts';

/** The operation and the credential of a request. A raw request and a request to another server have neither. */
type About = Partial<Pick<Call, 'operation' | 'credential'>>;

/** Sends a request of a check, retries after transport outcomes, and records every answer. */
export type Deliver = (about: About, once: () => Promise<RawAnswer | Failure>) => Promise<CheckAnswer>;

export const RUN_STOPPED = 'the run was stopped';

export function createDelivery({ gate, sender, observer }: CheckWorld, check: string): Deliver {
  return async ({ operation, credential }, once) => {
    const recipe = credential?.recipe ?? (operation ? 'no token' : 'a raw request');
    const send = async () => {
      const raw = await gate.pass(once);
      if (raw === undefined) return undefined;
      const observation = 'kind' in raw ? raw : observe(observer, raw, operation);
      sender.record({ case: check, role: 'check', credential: recipe, observation });
      return answerOf(raw, observation);
    };
    const answer = await sendUntilAnswered(gate, send, ({ observation }, attempt) => {
      // A target need not answer a raw request. Silence then does not mean that the target is gone.
      const mayBeSilent = operation === undefined && observation.kind === 'failure';
      return mayBeSilent ? undefined : pauseBeforeRetry(gate, observation, attempt);
    });
    return answer ?? unsent(gate.closed ?? RUN_STOPPED);
  };
}

function answerOf(raw: RawAnswer | Failure, observation: Observation): CheckAnswer {
  const [text, headers] = 'kind' in raw ? ['', {}] : [raw.text, raw.headers];
  return { observation, text, headers, accepted: isAccepted(observation) };
}

export function unsent(reason: string): CheckAnswer {
  const failure: Failure = { kind: 'failure', failure: 'other', detail: `not sent: ${reason}` };
  return answerOf(failure, failure);
}
