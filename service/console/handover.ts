/** How long a secret waits for its reader, and a form that was sent is remembered, in milliseconds. */
const patience = 10 * 60 * 1000;

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Between a form and the page that follows it. A page that answered a form itself would, reloaded, send the form again; so
 * the secret of a new token waits here for that page, in memory alone, and is gone with its first reading (spec 8.3).
 */
export function openHandover<T>(now: () => number) {
  const secrets = new Map<string, Kept<string>>();
  const sent = new Map<string, Kept<Promise<T>>>();
  const sweep = (kept: Map<string, Kept<unknown>>) => {
    for (const [key, { until }] of kept) if (until <= now()) kept.delete(key);
  };

  return {
    leave(key: string, secret: string): void {
      sweep(secrets);
      secrets.set(key, { value: secret, until: now() + patience });
    },

    /** The secret that was left under this key, for the first who asks in time. */
    take(key: string): string | undefined {
      const kept = secrets.get(key);
      secrets.delete(key);
      return kept && kept.until > now() ? kept.value : undefined;
    },

    /** Does the work once for each key: a form sent twice, by two clicks, has one effect and one answer. */
    once(key: string, work: () => Promise<T>): Promise<T> {
      sweep(sent);
      const known = sent.get(key);
      if (known) return known.value;
      const value = work();
      sent.set(key, { value, until: now() + patience });
      // What went wrong may be tried again.
      value.catch(() => sent.delete(key));
      return value;
    },
  };
}
