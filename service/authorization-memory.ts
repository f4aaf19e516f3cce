import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  /** Epoch seconds; absent: kept for good, as registered clients are. */
  readonly expiresAt: number | undefined;
}

/**
 * Where the authorization server keeps clients, sessions, grants and tokens: in memory, so a restart forgets them.
 * oidc-provider itself never believes an entry beyond its end; ended ones are swept out here to give the memory back.
 */
export function authorizationMemory(): AdapterFactory {
  const models = new Map<string, Map<string, Entry>>();
  let nextSweep = 0;
  const sweep = (now: number) => {
    if (now < nextSweep) return;
    nextSweep = now + 60;
    for (const entries of models.values()) {
      for (const [id, { expiresAt }] of entries) if (expiresAt !== undefined && expiresAt < now) entries.delete(id);
    }
  };

  return (model) => {
    const entries = new Map<string, Entry>();
    models.set(model, entries);
    const where = (matches: (payload: AdapterPayload) => boolean) =>
      [...entries.values()].find(({ payload }) => matches(payload))?.payload;

    return {
      async upsert(id, payload, expiresIn) {
        const now = Math.floor(Date.now() / 1000);
        sweep(now);
        entries.set(id, { payload, expiresAt: expiresIn === undefined ? undefined : now + expiresIn });
      },
      find: async (id) => entries.get(id)?.payload,
      findByUid: async (uid) => where((payload) => payload.uid === uid),
      findByUserCode: async (code) => where((payload) => payload.userCode === code),
      async consume(id) {
        const entry = entries.get(id);
        if (entry) entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1000) };
      },
      async destroy(id) {
        entries.delete(id);
      },
      async revokeByGrantId(grantId) {
        for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id);
      },
    };
  };
}
