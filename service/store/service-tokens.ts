import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Scope } from '../terms/operations.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Database } from './database.ts';
import type { People, Person } from './people.ts';
import { type Permission, serviceTokens } from './schema.ts';
import { checkTokenRequest, type TokenProblem, type TokenRequest } from './service-token-request.ts';
import { accessibleTo } from './token-access.ts';

/** A service-issued token as it is kept (spec 2.1): everything but its secret. Times are epoch milliseconds. */
export interface ServiceToken {
  readonly id: string;
  readonly description: string;
  readonly permission: Permission;
  readonly scopes: readonly Scope[];
  /** From this moment on it is refused; null: never. */
  readonly expiresAt: number | null;
  /** Whom a USER token's requests run as. */
  readonly userEmail: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly revokedBy: string | null;
  readonly lastUsedAt: number | null;
}

export type Issued =
  | { readonly ok: true; readonly token: ServiceToken; readonly secret: string }
  | { readonly ok: false; readonly problems: readonly TokenProblem[] };

export type ServiceTokens = ReturnType<typeof openServiceTokens>;

/** What every secret begins with: it tells a reader, and a secret scanner, whose token was found. */
export const secretPrefix = 'svc_';

/** How stale `lastUsedAt` may be, in milliseconds: one write a minute, not one a request. */
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
    /**
     * Creates a token on behalf of `actor`, if spec 2.1 lets them. The secret is in the answer and nowhere else, now or
     * later (spec 8.3).
     */
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

    /** The token with this secret, expired or not, unless it was never issued or is revoked. */
    async find(secret: string): Promise<ServiceToken | undefined> {
      const [token] = await byHash.execute({ hash: hashOf(secret) });
      return token?.revokedAt === null ? token : undefined;
    },

    /** Ends a token for good, if it concerns this person. */
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

/** For the audit trail. What was typed may be of any length. */
function describe({ permission, userEmail = '' }: TokenRequest): string {
  return userEmail === '' ? `${permission} token` : `${permission} token for ${userEmail.slice(0, 254)}`;
}

/** Secrets are 256 random bits, so a plain hash is as good as a slow one and lets the index find it. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
