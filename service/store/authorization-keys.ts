import { randomBytes } from 'node:crypto';
import { and, desc, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Database } from './database/database.ts';
import { authorizationKeys } from './database/schema.ts';
import { placeOfKey, type Seal } from './encryption.ts';

/** The keys of the authorization server that rotate together. */
export interface KeyGeneration {
  readonly id: string;
  /** The private key that signs tokens. */
  readonly signing: JWK;
  /** The secret that signs cookies. */
  readonly cookie: string;
}

export type AuthorizationKeys = ReturnType<typeof openAuthorizationKeys>;

const day = 24 * 60 * 60 * 1000;

/** Milliseconds that retired keys stay published: nothing signed lives longer than a session of eight hours. */
export const keyOverlap = day;

/** @param now the clock in epoch milliseconds; oidc-provider uses the clock of the machine */
export function openAuthorizationKeys(db: Database, seal: Seal, now: () => number = Date.now) {
  return {
    /** Returns the newest generation first. The others are retired: they verify and no longer sign. */
    async read(): Promise<KeyGeneration[]> {
      const rows = await db
        .select()
        .from(authorizationKeys)
        .orderBy(sql`retired_at IS NOT NULL`, desc(authorizationKeys.createdAt));
      return rows
        .filter(({ retiredAt }) => retiredAt === null || retiredAt + keyOverlap > now())
        .map(({ id, value }) => ({ id, ...JSON.parse(seal.open(value, placeOfKey(id))) }));
    },

    /**
     * Retires the keys and creates new ones, if the present ones are at least this old. Two processes that do this at the same
     * time rotate once.
     *
     * @param age in milliseconds; 0 always rotates
     * @param reason for the audit trail
     * @returns whether the keys rotated
     */
    async rotate(age: number, reason: string): Promise<boolean> {
      const at = now();
      const [recent] = await db
        .select({ id: authorizationKeys.id })
        .from(authorizationKeys)
        .where(and(isNull(authorizationKeys.retiredAt), gt(authorizationKeys.createdAt, at - age)));
      if (recent) return false;
      const id = randomBytes(8).toString('hex');
      const value = seal.seal(JSON.stringify(await newKeys(id)), placeOfKey(id));
      const created = sql`EXISTS (SELECT 1 FROM authorization_keys WHERE id = ${id})`;
      const [, retired] = await db.batch([
        db.run(sql`INSERT INTO authorization_keys (id, value, created_at) SELECT ${id}, ${value}, ${at}
          WHERE NOT EXISTS (SELECT 1 FROM authorization_keys WHERE retired_at IS NULL AND created_at > ${at - age})`),
        db.run(
          sql`UPDATE authorization_keys SET retired_at = ${at} WHERE retired_at IS NULL AND id <> ${id} AND ${created}`,
        ),
        db.run(sql`INSERT INTO audit_events (at, action, detail) SELECT ${at}, 'keys rotated', ${reason}
          WHERE changes() > 0 AND ${created}`),
        db.run(sql`DELETE FROM authorization_keys WHERE retired_at <= ${at - keyOverlap}`),
      ]);
      return retired.rowsAffected > 0;
    },

    /** Forgets the retired keys, for example after a leak. Everything signed with them ends. */
    async discardRetired(): Promise<void> {
      await db.delete(authorizationKeys).where(isNotNull(authorizationKeys.retiredAt));
    },
  };
}

async function newKeys(kid: string): Promise<Omit<KeyGeneration, 'id'>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signing = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' };
  return { signing, cookie: randomBytes(32).toString('base64url') };
}
