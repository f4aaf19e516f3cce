import { createHash } from 'node:crypto';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Database } from './database.ts';
import { errors } from './oidc-provider.ts';
import { authorizationRecords, authorizationSecrets } from './schema.ts';

export type AuthorizationRecords = ReturnType<typeof openAuthorizationRecords>;
export type AuthorizationSecret = typeof authorizationSecrets.$inferSelect.name;

/** Client that nobody has consented to yet are kept that long, in seconds: anybody may register as many as they like. */
const unclaimed = 7 * 24 * 3600;
/** Between two clean-ups, in seconds. */
const rest = 60;

/** What of a record its key already says. A session is also found without its key, by its uid. */
const keyed = (model: string) => model !== 'Session' && model !== 'Client';

/**
 * Where the authorization server keeps clients, sessions, grants, codes and refresh tokens, and its own keys. Codes and
 * tokens stand there by their hash, like the secrets of service-issued tokens.
 *
 * @param now the clock of oidc-provider, which is the machine's, in epoch milliseconds
 */
export function openAuthorizationRecords(db: Database, now: () => number = Date.now) {
  const table = authorizationRecords;
  const seconds = () => Math.floor(now() / 1000);
  let nextCleanUp = 0;
  const cleanUp = async () => {
    if (seconds() < nextCleanUp) return;
    nextCleanUp = seconds() + rest;
    await db.delete(table).where(lt(table.expiresAt, seconds()));
  };

  const adapter: AdapterFactory = (model) => {
    const at = (id: string) => and(eq(table.model, model), eq(table.key, hash(id)));
    const first = async (condition: ReturnType<typeof at>, id?: string): Promise<AdapterPayload | undefined> => {
      const alive = or(isNull(table.expiresAt), gt(table.expiresAt, seconds()));
      const [row] = await db.select().from(table).where(and(condition, alive));
      if (!row) return undefined;
      return {
        ...row.payload,
        ...(id !== undefined && keyed(model) && { jti: id }),
        ...(row.consumedAt !== null && { consumed: row.consumedAt }),
      };
    };

    return {
      async upsert(id, { jti, ...payload }, expiresIn) {
        await cleanUp();
        const lifetime = expiresIn ?? (model === 'Client' ? unclaimed : undefined);
        const row = {
          payload: jti === undefined || keyed(model) ? payload : { jti, ...payload },
          uid: payload.uid ?? null,
          userCode: payload.userCode ?? null,
          grantId: payload.grantId ?? null,
          expiresAt: lifetime === undefined ? null : seconds() + lifetime,
        };
        await db
          .insert(table)
          .values({ model, key: hash(id), ...row })
          .onConflictDoUpdate({ target: [table.model, table.key], set: row });
        // Whoever somebody consented to stays.
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
        // Of two requests at once with the same code or refresh token, both of which found it unused, one gets through.
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
    /** The secret of that name: the one that is kept, or this one from now on. */
    async secret(name: AuthorizationSecret, fresh: string): Promise<string> {
      await db.insert(authorizationSecrets).values({ name, value: fresh }).onConflictDoNothing();
      const [row] = await db.select().from(authorizationSecrets).where(eq(authorizationSecrets.name, name));
      if (!row) throw new Error(`The authorization server's ${name} was not stored.`);
      return row.value;
    },
    /** How many records there are, ended ones that were not cleaned up yet among them. */
    async count(): Promise<number> {
      const [row] = await db.select({ count: sql<number>`count(*)` }).from(table);
      return row?.count ?? 0;
    },
  };
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
