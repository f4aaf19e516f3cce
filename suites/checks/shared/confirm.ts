import { type Acceptance, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { CONFIRMATIONS } from '../../../harness/judge/judge-cases.ts';

/** `wrong at once`: a wrong acceptance; `unlike`: a 2xx unlike what the target accepts; `lost`: no answer. */
export type Assessment = 'right' | 'wrong' | 'wrong at once' | 'unlike' | 'lost';

/** The result of asking up to four times. `fleeting`: the first answer was wrong, a later one was not. */
export interface Confirmation<T> {
  readonly kind: 'right' | 'wrong' | 'fleeting' | 'lost';
  readonly got: T;
}

/**
 * Asks again after a wrong refusal, which counts only if it comes every time: a gateway may give it to any request, now and
 * then, and a run asks hundreds. A wrong acceptance counts at once (outcomes 3).
 */
export async function confirm<T>(ask: () => Promise<T>, assess: (got: T) => Assessment): Promise<Confirmation<T>> {
  const first = await ask();
  const assessment = assess(first);
  if (assessment === 'right' || assessment === 'lost') return { kind: assessment, got: first };
  let got = first;
  for (let left = MORE_TIMES[assessment]; left > 0; left -= 1) {
    got = await ask();
    const again = assess(got);
    if (again === 'wrong at once') break;
    if (again !== assessment) return { kind: 'fleeting', got: first };
  }
  return { kind: 'wrong', got };
}

/** How often it must come again. A page of a gateway may come often, so that an answer that looks like one must come most. */
const MORE_TIMES = { 'wrong at once': 0, wrong: CONFIRMATIONS, unlike: 7 };

/** What an answer to a request is that must be refused, with this status if one is given. */
export const refusedWith =
  (status: number | undefined) =>
  (answer: CheckAnswer): Assessment => {
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') return 'lost';
    if (outcome.kind === 'accepted') return 'wrong at once';
    return status === undefined || outcome.status === status ? 'right' : 'wrong';
  };

/** Milliseconds to wait for an answer to an odd request, which many servers never give. */
export const PATIENCE_MS = 3_000;

/**
 * How long to wait before each further try of what a target may still be doing in the background. No answer says that it is
 * done. The pauses grow, so that most targets cost little, and together they are as long as the patience for an answer.
 */
export const PAUSES_MS: readonly number[] = [300, 900, 1_800];

/** The pauses before a refusal to continue a conversation may be blamed: ten seconds of tries (outcomes 2). */
export const LONG_PAUSES_MS: readonly number[] = [...PAUSES_MS, 3_000, 4_000];

/** The first of these kinds whose documented request is accepted: the control of requests without an issued token (outcomes 2). */
export async function controlOf(
  api: CheckApi,
  operation: string,
  kinds: readonly string[] = api.claims.kinds,
): Promise<Acceptance | undefined> {
  for (const kind of kinds) {
    const planned = api.planned(operation, kind, {});
    const sent = planned && (await api.send(planned, `the documented request with the ${kind} token is accepted`));
    const acceptance = sent && (await api.acceptance(sent.answer));
    if (acceptance) return acceptance;
  }
  return undefined;
}
