import { createHash } from 'node:crypto';

export interface Upkeep {
  /** The service's clock, in epoch milliseconds. */
  readonly now: () => number;
  /** How long something may be kept, in milliseconds. */
  readonly longest: number;
}

/**
 * One value, fetched when it is needed and kept for a while. A failure is not kept, so the next caller tries again.
 *
 * @returns the value, fetched anew where the kept one is older than asked for; no age beyond `longest` is ever good
 */
export function keepValue<T>(fetch: () => Promise<T>, { now, longest }: Upkeep): (oldest?: number) => Promise<T> {
  let kept: { readonly value: T; readonly since: number } | undefined;
  let underWay: Promise<T> | undefined;
  const renew = async () => {
    const since = now();
    const value = await fetch();
    kept = { value, since };
    return value;
  };

  return async (oldest = longest) => {
    const age = kept ? now() - kept.since : Number.NaN;
    // Below zero, the clock was set back, and nobody knows how old it is.
    if (kept && age >= 0 && age < Math.min(oldest, longest)) return kept.value;
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

export interface AnswerUpkeep<T> extends Upkeep {
  /** The most answers that are kept; the oldest goes first. */
  readonly most: number;
  /** How long a refusal may be kept, in milliseconds, and the most of them. */
  readonly refusals: { readonly longest: number; readonly most: number };
  /** When the token itself ends, in epoch milliseconds; NaN: unknown, and then nothing is kept. */
  readonly endOf: (token: string, answer: T) => number;
}

/**
 * What somebody else says about tokens, kept for a while and never beyond the token's own end. Under a hash of the whole
 * token, so that no secret stays in memory and no two tokens share an answer. Refusals are kept apart, and for less long: one
 * may be lifted the next moment, and a flood of wrong tokens must not push out the right ones.
 */
export function keepAnswers<T>(
  ask: (token: string) => Promise<T | undefined>,
  { now, longest, most, refusals, endOf }: AnswerUpkeep<T>,
): (token: string) => Promise<T | undefined> {
  const answers = keepSome<T>(now, most);
  const refused = keepSome<undefined>(now, refusals.most);
  const underWay = new Map<string, Promise<T | undefined>>();
  const askAnew = async (key: string, token: string) => {
    const since = now();
    const answer = await ask(token);
    if (answer === undefined) refused.keep(key, { value: undefined, since, end: since + refusals.longest });
    else answers.keep(key, { value: answer, since, end: Math.min(since + longest, endOf(token, answer)) });
    return answer;
  };

  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64url');
    const found = answers.find(key) ?? refused.find(key);
    if (found) return found.value;
    const asked = underWay.get(key) ?? askAnew(key, token).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}

interface Kept<T> {
  readonly value: T;
  readonly since: number;
  /** NaN: it is not kept at all. */
  readonly end: number;
}

function keepSome<T>(now: () => number, most: number) {
  const kept = new Map<string, Kept<T>>();
  return {
    find(key: string): Kept<T> | undefined {
      const found = kept.get(key);
      if (found && now() >= found.since && now() < found.end) return found;
      kept.delete(key);
      return undefined;
    },
    keep(key: string, it: Kept<T>): void {
      if (it.end > now()) kept.set(key, it);
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(oldest);
      }
    },
  };
}
