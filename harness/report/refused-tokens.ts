import type { RunFacts } from '../judge/run-facts.ts';
import { curlFor } from '../plan/curl.ts';
import { fullTokens } from '../plan/full-tokens.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, isTokenRefusal } from '../record/observation.ts';

/** A full token that no request of the run was accepted with. */
export interface RefusedToken {
  /** `$USER_TOKEN`. */
  readonly token: string;
  /** The status of the first refusal. */
  readonly status: number;
  /** How many requests that must be accepted were refused. */
  readonly requests: number;
  /** A command line that sends the first of them again. */
  readonly curl: string;
}

/** The full tokens that the target refused every time. Nothing that depends on them is decided (outcomes 2). Pure. */
export function refusedTokens(facts: RunFacts, exchanges: readonly Exchange[]): readonly RefusedToken[] {
  const { plan, parts, settings } = facts;
  if (settings.trusted) return [];
  const mustBeAccepted = new Map(plan.acceptances.map((planned) => [planned.id, planned]));
  return fullTokens(plan.acceptances).flatMap(({ credential }): RefusedToken[] => {
    const sent = exchanges.filter((exchange) => exchange.credential === credential.recipe);
    if (sent.some(({ observation }) => isAccepted(observation))) return [];
    const refusals = sent.flatMap(({ case: id, observation }) => {
      const planned = mustBeAccepted.get(id);
      // Only these statuses are about the token (outcomes 4). 429 asks to slow down.
      return planned && observation.kind === 'answer' && isTokenRefusal(observation)
        ? [{ planned, status: observation.status }]
        : [];
    });
    const [first] = refusals;
    if (!first) return [];
    const curl = curlFor(parts, settings, first.planned);
    return [{ token: credential.recipe, status: first.status, requests: refusals.length, curl }];
  });
}

/** `$USER_TOKEN was refused on every request (401). Check the token first.` */
export function refusedInWords({ token, status, requests }: RefusedToken): string {
  const often = requests === 1 ? '' : ' on every request';
  return `${token} was refused${often} (${status}). Check the token first.`;
}
