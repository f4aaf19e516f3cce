import type { Answered } from '../../../harness/checks/acceptance.ts';
import { isAnswer } from '../../../harness/record/observation.ts';

/**
 * Whether an answer serves the operation, as one that is known to do so: a 2xx of the same form with the documented
 * body, or with the same skeleton if the body is free. A page or a health check shows no data.
 */
export function isServed({ accepted, observation }: Answered, { observation: like }: Answered): boolean {
  if (!accepted || !isAnswer(observation) || !isAnswer(like)) return false;
  if (observation.schemaErrors) return observation.schemaErrors.length === 0;
  return outlineOf(observation.skeleton) === outlineOf(like.skeleton);
}

/** A skeleton without lengths. */
const outlineOf = (skeleton = '') => skeleton.replace(/\d+/g, '');
