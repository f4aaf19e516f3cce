import type { Contract } from '../contract/contract.ts';
import { visible } from '../contract/visible-text.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { curlFor } from '../plan/curl.ts';
import { fullTokens } from '../plan/full-tokens.ts';
import { sentenceOf } from '../record/body-sentence.ts';
import type { Exchange } from '../record/exchange.ts';
import { type Answer, isAccepted, isTokenRefusal } from '../record/observation.ts';

/** A full token that no request of the run was accepted with. */
export interface RefusedToken {
  /** `$USER_TOKEN`. */
  readonly token: string;
  /** The status of the first refusal. */
  readonly status: number;
  /** What the body of that refusal says, in one line. Null if it says nothing. */
  readonly said: string | null;
  /** The kind that the token seems to be of, because the target answers with a message for that kind alone. */
  readonly seems: string | null;
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
      return planned && observation.kind === 'answer' && isTokenRefusal(observation) ? [{ planned, observation }] : [];
    });
    const [first] = refusals;
    if (!first) return [];
    const { planned, observation } = first;
    return [
      {
        token: credential.recipe,
        status: observation.status,
        said: saidIn(observation),
        seems: kindThatGets(facts.contract, observation, planned.values.kind),
        requests: refusals.length,
        curl: curlFor(parts, settings, planned),
      },
    ];
  });
}

/** It is printed before there is a report, so it is made visible here. */
function saidIn(observation: Answer): string | null {
  const said = sentenceOf(observation);
  return said === undefined ? null : visible(said.slice(0, MOST_CHARACTERS));
}
const MOST_CHARACTERS = 200;

/** The one kind for which the contract allows a message of this refusal, if that is another kind. */
function kindThatGets({ rules }: Contract, { whole }: Answer, own: string): string | null {
  for (const id of whole) {
    const kinds = new Set(rules.messages[id]?.allowed.map(({ kind }) => kind));
    const [kind] = kinds;
    if (kinds.size === 1 && typeof kind === 'string' && kind !== own) return kind;
  }
  return null;
}

/** `$USER_TOKEN was refused on every request (401: Unauthorized). Check the token first.` */
export function refusedInWords({ token, status, said, seems, requests }: RefusedToken): string {
  const often = requests === 1 ? '' : ' on every request';
  const name = token.replace('$', '');
  const advice =
    seems === null
      ? 'Check the token first.'
      : `It seems to be a ${seems} token: set ${seems}_TOKEN to it, and ${name} to a token of its own kind.`;
  return `${token} was refused${often} (${status}${said === null ? '' : `: ${said}`}). ${advice}`;
}
