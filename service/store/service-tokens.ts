import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AuditTrail } from './audit-trail.ts';
import type { Database } from './database/database.ts';
import { serviceTokens } from './database/schema.ts';
import { hashOf } from './encryption.ts';
import type { People, Person } from './people.ts';
import { checkTokenRequest, type TokenProblem, type TokenRequest } from './service-token-request.ts';
import { accessibleTo } from './token-access.ts';

/** A stored service-issued token: everything except its secret (spec 2.1). */
export type ServiceToken = Readonly<Omit<typeof serviceTokens.$inferSelect, 'hash'>>;

export type Issued =
  | { readonly ok: true; readonly token: ServiceToken; readonly secret: string }
  | { readonly ok: false; readonly problems: readonly TokenProblem[] };

export type ServiceTokens = ReturnType<typeof openServiceTokens>;

/** Every secret starts with this, so that people and secret scanners recognise it. */
export const secretPrefix = 'svc_';

/** How old `lastUsedAt` may become, in milliseconds. It is written once a minute, not for every request. */
const useResolution = 60_000;

export const tokenColumns = {
  id: serviceTokens.id,
  description: serviceTokens.description,
  permission: serviceTokens.permission,
  scopes: serviceTokens.scopes,
  expiresAt: serviceTokens.expiresAt,
  userEmail: serviceTokens.userEmail,
  createdBy: serviceTokens.createdBy,
  createdAt: serviceTokens.createdAt,
  revokedAt: serviceTokens.revokedAt,
  revokedBy: serviceTokens.revokedBy,
  lastUsedAt: serviceTokens.lastUsedAt,
};

export function openServiceTokens(db: Database, people: People, audit: AuditTrail, now: () => number) {
  const byHash = db
    .select(tokenColumns)
    .from(serviceTokens)
    .where(eq(serviceTokens.hash, sql.placeholder('hash')))
    .prepare();

  return {
    /** Creates a token, if `actor` may create it (spec 2.1). Only the result contains the secret; it is not stored (spec 8). */
    async issue(actor: Person, request: TokenRequest): Promise<Issued> {
      const checked = await checkTokenRequest(actor, request, { people, now: now() });
      if (!checked.ok) {
        const refused = checked.problems.find(({ field }) => field === 'actor');
        if (refused) await audit.refused(actor, describe(request), refused.message);
        return checked;
      }
      const secret = secretPrefix + randomBytes(32).toString('base64url');
      const token = {
        id: randomUUID(),
        ...checked.terms,
        createdBy: actor.email,
        createdAt: now(),
        revokedAt: null,
        revokedBy: null,
        lastUsedAt: null,
      };
      await db.insert(serviceTokens).values({ ...token, hash: hashOf(secret) });
      return { ok: true, token, secret };
    },

    /** Finds the token with this secret. The token may be expired. A revoked token is not found. */
    async find(secret: string): Promise<ServiceToken | undefined> {
      const [token] = await byHash.execute({ hash: hashOf(secret) });
      return token?.revokedAt === null ? token : undefined;
    },

    /** Revokes a token, if this person has access to it. */
    async revoke(actor: Person, id: string): Promise<'revoked' | 'no such token'> {
      const revoked = await db
        .update(serviceTokens)
        .set({ revokedAt: now(), revokedBy: actor.email })
        .where(and(eq(serviceTokens.id, id), isNull(serviceTokens.revokedAt), accessibleTo(actor)))
        .returning({ id: serviceTokens.id });
      return revoked.length > 0 ? 'revoked' : 'no such token';
    },

    async recordUse(token: ServiceToken): Promise<void> {
      const at = now();
      if (token.lastUsedAt !== null && at - token.lastUsedAt < useResolution) return;
      await db.update(serviceTokens).set({ lastUsedAt: at }).where(eq(serviceTokens.id, token.id));
    },
  };
}

/** Describes the token for the audit trail. A form can send texts of any length, so they are cut. */
function describe({ permission, userEmail = '' }: TokenRequest): string {
  const what = `${permission.slice(0, 20)} token`;
  return userEmail === '' ? what : `${what} for ${userEmail.slice(0, 254)}`;
}
