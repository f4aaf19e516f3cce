import { isSuccess, type Observation } from '../record/observation.ts';

/** Equal for answers that count as the same: status, documented messages and schema errors of the body. */
export function answerKey(observation: Observation | undefined): string {
  switch (observation?.kind) {
    case undefined:
      return 'no answer';
    case 'failure':
      return observation.failure;
    case 'answer': {
      const { status, whole, schemaErrors = [] } = observation;
      return [status, ...whole, ...schemaErrors].join(' ');
    }
  }
}

/** What a target does with a request. */
export const OUTCOMES = ['accepted', 'refused', 'no answer'] as const;

export function outcomeOf(observation: Observation | undefined): (typeof OUTCOMES)[number] {
  if (observation?.kind !== 'answer') return 'no answer';
  return isSuccess(observation.status) ? 'accepted' : 'refused';
}

/** The status of an answer, for a reader. */
export function statusOf(observation: Observation | undefined): string {
  return observation?.kind === 'answer' ? String(observation.status) : 'no answer';
}
