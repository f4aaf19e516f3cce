import { type Credential, isFresh } from './credentials.ts';
import type { PlannedCase } from './plan.ts';

/** The well-made requests with one full token, one for each operation. All must be accepted. */
export interface FullToken {
  readonly credential: Credential;
  readonly requests: readonly PlannedCase[];
}

/** The full tokens that the operator set. Tokens that were made for this run need no trial (outcomes 2). */
export function fullTokens(acceptances: readonly PlannedCase[]): readonly FullToken[] {
  const tokens = new Map<string, { readonly credential: Credential; readonly requests: PlannedCase[] }>();
  for (const planned of acceptances) {
    const { credential, deviations } = planned;
    if (deviations > 0 || credential === undefined || isFresh(credential)) continue;
    const known = tokens.get(credential.recipe) ?? { credential, requests: [] };
    known.requests.push(planned);
    tokens.set(credential.recipe, known);
  }
  return [...tokens.values()];
}
