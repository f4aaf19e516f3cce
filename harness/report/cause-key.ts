import { createHash } from 'node:crypto';
import type { Finding } from '../judge/findings.ts';

/**
 * Names the same cause in every run: the requirements and the conditions, without what differs from run to run, such as
 * the number of its cases. Of a cause that only checks found, the conditions are these checks. Pure.
 */
export function causeKey({ requirements, places, scattered, example, decisions }: Finding): string {
  const conditions = example
    ? [
        ...places.map((place) => place.map(({ aspect, value }) => `${aspect}=${value}`).join(' ')),
        ...(scattered > 0 ? ['scattered'] : []),
      ]
    : decisions.map(({ check }) => check);
  const named = [[...requirements].sort(), [...new Set(conditions)].sort()];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 12);
}
