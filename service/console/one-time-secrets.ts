/** How long a secret waits for its page, in milliseconds. */
const keptFor = 10 * 60 * 1000;

export interface OneTimeSecrets {
  put(key: string, secret: string): void;
  /** Returns the secret and deletes it. */
  take(key: string): string | undefined;
}

/**
 * Keeps the secret of a new token for the page after the form, in memory only. The page can take it once (spec 8). The answer
 * to the form redirects to that page, because reloading an answer to a form would submit the form again.
 */
export function createOneTimeSecrets(now: () => number): OneTimeSecrets {
  const secrets = new Map<string, { readonly secret: string; readonly until: number }>();

  return {
    put(key, secret) {
      for (const [other, { until }] of secrets) if (until <= now()) secrets.delete(other);
      secrets.set(key, { secret, until: now() + keptFor });
    },
    take(key) {
      const found = secrets.get(key);
      secrets.delete(key);
      return found && found.until > now() ? found.secret : undefined;
    },
  };
}
