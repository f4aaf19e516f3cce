import { type Failure, isAccepted, type Observation, observe, type RawAnswer } from '../record/observation.ts';
import { pauseBeforeRetry, sendUntilAnswered } from '../send/retry.ts';
import type { Call, CheckAnswer } from './check.ts';
import type { CheckWorld } from './check-world.ts';

/** What a request of a check is about; nothing for one that is written by hand or goes elsewhere. */
type About = Partial<Pick<Call, 'operation' | 'credential'>>;

/** Sends a request of a check until it is answered, and records every answer. */
export type Deliver = (about: About, once: () => Promise<RawAnswer | Failure>) => Promise<CheckAnswer>;

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
      // A request without an operation may go unanswered: that says nothing of the target's health.
      const isSilence = operation === undefined && observation.kind === 'failure';
      return isSilence ? undefined : pauseBeforeRetry(gate, observation, attempt);
    });
    return answer ?? unsent(gate.closed ?? 'the gate is closed');
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
