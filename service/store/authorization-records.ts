import { timingSafeEqual } from 'node:crypto';
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Database } from './database/database.ts';
import { authorizationRecords } from './database/schema.ts';
import { hashOf, placeOfRecord, type Seal } from './encryption.ts';
import { errors } from './oidc-provider.ts';

export type AuthorizationRecords = ReturnType<typeof openAuthorizationRecords>;

/** Registration is open to everyone, so a client without any consent is deleted after this many seconds. */
const unusedClientLifetime = 7 * 24 * 3600;
/** The number of clients without any consent. A new one replaces the oldest. */
export const maxUnusedClients = 1000;
/** The number of sign-ins that are under way and stored without a password. Anyone can start one. */
export const maxInteractions = 10_000;
/** The number of those of one person, who has given a password. */
export const maxInteractionsOfPerson = 100;
/** Each limit is checked after so many new records, because checking sorts them. */
const checkedAfter = { Client: 1, Interaction: 500 } as const;
type Limited = keyof typeof checkedAfter;
/** The least time between two clean-ups, in seconds. */
const cleanUpInterval = 60;

export interface RecordOptions {
  /** The clock in epoch milliseconds. oidc-provider uses the clock of the machine. */
  readonly now?: () => number;
  /** Called when a client ends a grant, or misuse of a code or refresh token does. */
  readonly onGrantRevoked?: (accountId: string, clientId: string) => Promise<void>;
}

/**
 * Stores the clients, sessions, grants, codes and refresh tokens of the authorization server. The key of a record is a hash, so
 * the database holds no code, refresh token or session in clear text. Client secrets are hashed too.
 */
export function openAuthorizationRecords(
  db: Database,
  seal: Seal,
  { now = Date.now, onGrantRevoked }: RecordOptions = {},
) {
  const table = authorizationRecords;
  const seconds = () => Math.floor(now() / 1000);
  let nextCleanUp = 0;
  const cleanUp = async () => {
    if (seconds() < nextCleanUp) return;
    nextCleanUp = seconds() + cleanUpInterval;
    await db.delete(table).where(lt(table.expiresAt, seconds()));
  };
  const added = { Client: 0, Interaction: 0 };
  /**
   * Anyone can add records of these models, so the oldest give way. A client with a consent stays. What one person has begun
   * never takes the place of what another has.
   */
  const limit = async (model: Limited, most: number, mostOfPerson: number) => {
    added[model] += 1;
    if (added[model] % checkedAfter[model] !== 0) return;
    await db.run(sql`DELETE FROM authorization_records WHERE model = ${model} AND key IN (
      SELECT key FROM (
        SELECT key, account_id, row_number() OVER (PARTITION BY account_id ORDER BY expires_at DESC) AS place
        FROM authorization_records WHERE model = ${model} AND expires_at IS NOT NULL)
      WHERE place > iif(account_id IS NULL, ${most}, ${mostOfPerson}))`);
  };

  const adapter: AdapterFactory = (model) => {
    const at = (id: string) => and(eq(table.model, model), eq(table.key, hashOf(id)));
    const first = async (condition: ReturnType<typeof at>, id?: string): Promise<AdapterPayload | undefined> => {
      const notExpired = or(isNull(table.expiresAt), gt(table.expiresAt, seconds()));
      const [row] = await db.select().from(table).where(and(condition, notExpired));
      if (!row) return undefined;
      const payload: AdapterPayload = JSON.parse(seal.open(row.payload, placeOfRecord(model, row.key)));
      const { returnTo } = payload;
      return {
        ...payload,
        ...(id !== undefined && returnTo !== undefined && { returnTo: returnTo.replaceAll(idPlace, id) }),
        ...(id !== undefined && model !== 'Client' && { jti: id }),
        ...(row.consumedAt !== null && { consumed: row.consumedAt }),
      };
    };

    return {
      async upsert(id, payload, expiresIn) {
        await cleanUp();
        const lifetime = expiresIn ?? (model === 'Client' ? unusedClientLifetime : undefined);
        const key = hashOf(id);
        const row = {
          payload: seal.seal(JSON.stringify(withoutSecrets(payload, id)), placeOfRecord(model, key)),
          uid: payload.uid === undefined ? null : hashOf(payload.uid),
          userCode: payload.userCode ?? null,
          grantId: payload.grantId ?? null,
          accountId: accountOf(payload) ?? null,
          clientId: (model === 'Client' ? id : payload.clientId) ?? null,
          expiresAt: lifetime === undefined ? null : seconds() + lifetime,
        };
        await db
          .insert(table)
          .values({ model, key, ...row })
          .onConflictDoUpdate({ target: [table.model, table.key], set: row });
        if (model === 'Client') await limit(model, maxUnusedClients, 0);
        if (model === 'Interaction') await limit(model, maxInteractions, maxInteractionsOfPerson);
        // A client with a consent does not expire.
        if (model === 'Grant' && payload.clientId !== undefined)
          await db
            .update(table)
            .set({ expiresAt: null })
            .where(and(eq(table.model, 'Client'), eq(table.key, hashOf(payload.clientId))));
      },
      find: async (id) => first(at(id), id),
      findByUid: async (uid) => first(and(eq(table.model, model), eq(table.uid, hashOf(uid)))),
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
        const [row] = await db.delete(table).where(at(id)).returning();
        if (model === 'Grant' && row?.accountId && row.clientId) await onGrantRevoked?.(row.accountId, row.clientId);
      },
      async revokeByGrantId(grantId) {
        await db.delete(table).where(eq(table.grantId, grantId));
      },
    };
  };

  return {
    adapter,
    /** Counts the records, including expired ones that are not deleted yet. */
    async count(): Promise<number> {
      const [row] = await db.select({ count: sql<number>`count(*)` }).from(table);
      return row?.count ?? 0;
    },
  };
}

const hashedSecret = 'sha256:';

/** @param stored as the record of the client has it */
export function clientSecretMatches(given: string, stored: string | undefined): boolean {
  // A configured client has its secret in clear, in memory only.
  const wanted = stored?.startsWith(hashedSecret) ? stored.slice(hashedSecret.length) : hashOf(stored ?? '');
  return stored !== undefined && timingSafeEqual(Buffer.from(hashOf(given)), Buffer.from(wanted));
}

/** Where the address in an interaction holds the identifier of the interaction, which is its cookie. */
const idPlace = '{id}';

/** Removes what a copy of the database must not reveal, and hashes the client secret. */
function withoutSecrets({ jti: _key, ...payload }: AdapterPayload, id: string): AdapterPayload {
  const { client_secret: secret, session, returnTo } = payload;
  const { cookie: _cookie, ...restOfSession } = session ?? {};
  return {
    ...payload,
    ...(typeof secret === 'string' &&
      !secret.startsWith(hashedSecret) && { client_secret: hashedSecret + hashOf(secret) }),
    ...(session && { session: restOfSession }),
    ...(returnTo !== undefined && { returnTo: returnTo.replaceAll(id, idPlace) }),
  };
}

/** The person whose password opened this record. An interaction may have checked the password and not gone on yet. */
function accountOf({ accountId, result, session }: AdapterPayload): string | undefined {
  return accountId ?? result?.login?.accountId ?? session?.accountId;
}
