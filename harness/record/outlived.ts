import type { Credential } from '../plan/credentials.ts';
import { dateOf } from '../settings/token-problems.ts';
import { type Observation, transportReason } from './observation.ts';

/** How far the clocks of the target and of this machine may differ, in milliseconds. What expires has its end in whole seconds. */
const DIFFER_MS = 5_000;

/**
 * What an observation says of the target. A refusal of a token that has expired since the run began is right, whatever else
 * the request was to show, and so it is a failure: the run has outlived the token (outcomes 2).
 * @param now milliseconds since the epoch.
 */
export function unlessOutlived(
  observation: Observation,
  credential: Credential | undefined,
  now: number = Date.now(),
): Observation {
  if (credential?.endsAt === undefined || now < credential.endsAt - DIFFER_MS) return observation;
  if (observation.kind === 'failure' || transportReason(observation) !== undefined) return observation;
  const { status } = observation;
  if (status < 400 || status > 499) return observation;
  const detail = `${status} to ${credential.recipe}, which expired at ${dateOf(credential.endsAt)}, during the run`;
  return { kind: 'failure', failure: 'ended', detail };
}

export function isOutlived(observation: Observation): boolean {
  return observation.kind === 'failure' && observation.failure === 'ended';
}
