import type { Observation } from '../record/observation.ts';

/** One text for answers that count as the same: status, documented messages and what is wrong with the body. */
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
