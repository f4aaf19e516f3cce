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
  /** When the token itself ends, in epoch milliseconds; NaN: unknown, and then nothing is kept. */
  readonly endOf: (token: string, answer: T) => number;
}

/**
 * What somebody else says about tokens, kept for a while and never beyond the token's own end. Under a hash of the whole
 * token, so that no secret stays in memory and no two tokens share an answer. Only good answers are kept: a refusal may be
 * lifted the next moment, and keeping it would let a flood of wrong tokens push out the right ones.
 */
export function keepAnswers<T>(
  ask: (token: string) => Promise<T | undefined>,
  { now, longest, most, endOf }: AnswerUpkeep<T>,
): (token: string) => Promise<T | undefined> {
  const kept = new Map<string, { readonly answer: T; readonly since: number; readonly end: number }>();
  const underWay = new Map<string, Promise<T | undefined>>();
  const askAnew = async (key: string, token: string) => {
    const since = now();
    const answer = await ask(token);
    if (answer === undefined) return undefined;
    const end = Math.min(since + longest, endOf(token, answer));
    if (end > now()) kept.set(key, { answer, since, end });
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return answer;
  };

  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64url');
    const found = kept.get(key);
    if (found && now() >= found.since && now() < found.end) return found.answer;
    kept.delete(key);
    const asked = underWay.get(key) ?? askAnew(key, token).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}
