import { createHash } from 'node:crypto';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Database } from './database.ts';
import { errors } from './oidc-provider.ts';
import { authorizationRecords, authorizationSecrets } from './schema.ts';

export type AuthorizationRecords = ReturnType<typeof openAuthorizationRecords>;
export type AuthorizationSecret = typeof authorizationSecrets.$inferSelect.name;

/** Registration is open to everyone, so a client without any consent is deleted after this many seconds. */
const unusedClientLifetime = 7 * 24 * 3600;
/** The least time between two clean-ups, in seconds. */
const cleanUpInterval = 60;

/** Whether `jti` is left out of the stored payload, because it is the key. A session is also found by `uid`, so it keeps it. */
const hasJtiAsKey = (model: string) => model !== 'Session' && model !== 'Client';

/**
 * Stores the clients, sessions, grants, codes and refresh tokens of the authorization server, and its own keys. The key of a
 * record is a hash, so the database holds no code or refresh token in clear text.
 *
 * @param now the clock in epoch milliseconds; oidc-provider uses the clock of the machine
 */
export function openAuthorizationRecords(db: Database, now: () => number = Date.now) {
  const table = authorizationRecords;
  const seconds = () => Math.floor(now() / 1000);
  let nextCleanUp = 0;
  const cleanUp = async () => {
    if (seconds() < nextCleanUp) return;
    nextCleanUp = seconds() + cleanUpInterval;
    await db.delete(table).where(lt(table.expiresAt, seconds()));
  };

  const adapter: AdapterFactory = (model) => {
    const at = (id: string) => and(eq(table.model, model), eq(table.key, hash(id)));
    const first = async (condition: ReturnType<typeof at>, id?: string): Promise<AdapterPayload | undefined> => {
      const notExpired = or(isNull(table.expiresAt), gt(table.expiresAt, seconds()));
      const [row] = await db.select().from(table).where(and(condition, notExpired));
      if (!row) return undefined;
      return {
        ...row.payload,
        ...(id !== undefined && hasJtiAsKey(model) && { jti: id }),
        ...(row.consumedAt !== null && { consumed: row.consumedAt }),
      };
    };

    return {
      async upsert(id, { jti, ...payload }, expiresIn) {
        await cleanUp();
        const lifetime = expiresIn ?? (model === 'Client' ? unusedClientLifetime : undefined);
        const row = {
          payload: jti === undefined || hasJtiAsKey(model) ? payload : { jti, ...payload },
          uid: payload.uid ?? null,
          userCode: payload.userCode ?? null,
          grantId: payload.grantId ?? null,
          expiresAt: lifetime === undefined ? null : seconds() + lifetime,
        };
        await db
          .insert(table)
          .values({ model, key: hash(id), ...row })
          .onConflictDoUpdate({ target: [table.model, table.key], set: row });
        // A client with a consent does not expire.
        if (model === 'Grant' && payload.clientId !== undefined)
          await db
            .update(table)
            .set({ expiresAt: null })
            .where(and(eq(table.model, 'Client'), eq(table.key, hash(payload.clientId))));
      },
      find: async (id) => first(at(id), id),
      findByUid: async (uid) => first(and(eq(table.model, model), eq(table.uid, uid))),
      findByUserCode: async (userCode) => first(and(eq(table.model, model), eq(table.userCode, userCode))),
      async consume(id) {
        const consumed = await db
          .update(table)
          .set({ consumedAt: seconds() })
          .where(and(at(id), isNull(table.consumedAt)))
          .returning({ key: table.key });
        // Two parallel requests may both have found the code or refresh token unused. Only the first update returns a row.
        if (consumed.length === 0) throw new errors.InvalidGrant('it was used already');
      },
      async destroy(id) {
        await db.delete(table).where(at(id));
      },
      async revokeByGrantId(grantId) {
        await db.delete(table).where(eq(table.grantId, grantId));
      },
    };
  };

  return {
    adapter,
    /** Returns the stored secret of this name. The first call stores `fresh`. */
    async secret(name: AuthorizationSecret, fresh: string): Promise<string> {
      await db.insert(authorizationSecrets).values({ name, value: fresh }).onConflictDoNothing();
      const [row] = await db.select().from(authorizationSecrets).where(eq(authorizationSecrets.name, name));
      if (!row) throw new Error(`The authorization server's ${name} was not stored.`);
      return row.value;
    },
    /** Counts the records, including expired ones that are not deleted yet. */
    async count(): Promise<number> {
      const [row] = await db.select({ count: sql<number>`count(*)` }).from(table);
      return row?.count ?? 0;
    },
  };
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
