import { createHash } from 'node:crypto';

interface CacheOptions {
  /** The service's clock, in epoch milliseconds. */
  readonly now: () => number;
  /** In milliseconds. */
  readonly maxAge: number;
}

/**
 * Caches one value, which is fetched on demand. A failure is not cached: the next call fetches again. Calls during a fetch
 * share it.
 *
 * @returns a function that gets the value and accepts a lower maximum age for this call
 */
export function cacheValue<T>(fetch: () => Promise<T>, { now, maxAge }: CacheOptions): (maxAge?: number) => Promise<T> {
  let cached: { readonly value: T; readonly since: number } | undefined;
  let pending: Promise<T> | undefined;
  const refresh = async () => {
    const since = now();
    const value = await fetch();
    cached = { value, since };
    return value;
  };

  return async (wanted = maxAge) => {
    const age = cached ? now() - cached.since : Number.NaN;
    // A negative age means that the clock was set back, so the real age is unknown.
    if (cached && age >= 0 && age < Math.min(wanted, maxAge)) return cached.value;
    pending ??= refresh().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

interface AnswerCacheOptions<T> extends CacheOptions {
  /** When the cache is full, the oldest answer is removed. */
  readonly maxEntries: number;
  /** The same limits for refusals. */
  readonly refusals: { readonly maxAge: number; readonly maxEntries: number };
  /** When the token itself expires, in epoch milliseconds. NaN: unknown; the answer is not cached. */
  readonly expiryOf: (token: string, answer: T) => number;
}

/**
 * Caches an issuer's answers about tokens, never beyond the expiry of the token. The key is a hash of the whole token: no
 * secret stays in memory, and no two tokens share an answer. Refusals (undefined) have a cache of their own and a lower
 * maximum age: the issuer may accept the token soon, and many wrong tokens must not push out the valid ones.
 *
 * @param ask learns whether the issuer accepted the token before, as far as that is remembered
 */
export function cacheAnswers<T>(
  ask: (token: string, wasAccepted: boolean) => Promise<T | undefined>,
  { now, maxAge, maxEntries, refusals, expiryOf }: AnswerCacheOptions<T>,
): (token: string) => Promise<T | undefined> {
  const answers = createCache<T>(now, maxEntries);
  const refused = createCache<undefined>(now, refusals.maxEntries);
  const pending = new Map<string, Promise<T | undefined>>();
  const refresh = async (key: string, token: string) => {
    const since = now();
    const answer = await ask(token, answers.has(key));
    if (answer === undefined) refused.add(key, { value: undefined, since, until: since + refusals.maxAge });
    else answers.add(key, { value: answer, since, until: Math.min(since + maxAge, expiryOf(token, answer)) });
    return answer;
  };

  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64url');
    const found = answers.find(key) ?? refused.find(key);
    if (found) return found.value;
    const asked = pending.get(key) ?? refresh(key, token).finally(() => pending.delete(key));
    pending.set(key, asked);
    return asked;
  };
}

interface Entry<T> {
  readonly value: T;
  readonly since: number;
  /** NaN: the entry is not cached. */
  readonly until: number;
}

function createCache<T>(now: () => number, maxEntries: number) {
  const entries = new Map<string, Entry<T>>();
  return {
    find(key: string): Entry<T> | undefined {
      const found = entries.get(key);
      return found && now() >= found.since && now() < found.until ? found : undefined;
    },
    /** Also if it is too old. */
    has: (key: string) => entries.has(key),
    add(key: string, entry: Entry<T>): void {
      entries.delete(key);
      if (entry.until > now()) entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
    },
  };
}

/**
 * Limits the number of pending calls. A call above the limit fails at once. It does not wait in a queue, because the queue
 * could grow without a limit.
 *
 * @param tooMany makes the error for a call above the limit
 */
export function limitConcurrency(limit: number, tooMany: () => Error): <T>(call: () => Promise<T>) => Promise<T> {
  let pending = 0;
  return async (call) => {
    if (pending >= limit) throw tooMany();
    pending += 1;
    try {
      return await call();
    } finally {
      pending -= 1;
    }
  };
}
