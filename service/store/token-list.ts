import { and, desc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { serviceTokens } from './database/schema.ts';
import type { Person } from './people.ts';
import { type ServiceToken, tokenColumns } from './service-tokens.ts';
import { accessibleTo } from './token-access.ts';

/** `active`: valid without an expiry. `expires`: valid until its expiry. */
export const tokenStates = ['active', 'expires', 'expired', 'revoked'] as const;
export type TokenState = (typeof tokenStates)[number];

/** A revoked token is `revoked`, even after its expiry. At the moment of its expiry a token is `expired`, as in `checkExpiry`. */
export function stateOf({ revokedAt, expiresAt }: ServiceToken, now: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return expiresAt <= now ? 'expired' : 'expires';
}

export interface TokenFilter {
  readonly state?: TokenState | undefined;
  /** Each word must occur in the description, the user's email or the creator's email. Letter case does not matter. */
  readonly words: string;
  /** 1 for the newest tokens. */
  readonly page: number;
}

export interface TokenPage {
  readonly tokens: readonly ServiceToken[];
  readonly total: number;
  readonly pages: number;
}

export type TokenList = ReturnType<typeof openTokenList>;

const pageSize = 50;
/** Further words of a filter are ignored: SQLite refuses an expression of thousands of terms. */
const maxWords = 20;

/** The tokens as the console lists them, without secrets. */
export function openTokenList(db: Database, now: () => number) {
  return {
    /** Returns the matching tokens that this person has access to, newest first. */
    async read(viewer: Person, { state, words, page }: TokenFilter): Promise<TokenPage> {
      const wanted = and(
        accessibleTo(viewer),
        state && inState(state, now()),
        ...words.split(/\s+/).slice(0, maxWords).map(mentions),
      );
      const [counted] = await db.select({ total: sql<number>`count(*)` }).from(serviceTokens).where(wanted);
      const tokens = await db
        .select(tokenColumns)
        .from(serviceTokens)
        .where(wanted)
        .orderBy(desc(serviceTokens.createdAt), desc(sql`rowid`))
        .limit(pageSize)
        .offset((page - 1) * pageSize);
      const total = counted?.total ?? 0;
      return { tokens, total, pages: Math.max(1, Math.ceil(total / pageSize)) };
    },

    /** Returns a token, if this person has access to it. */
    async find(viewer: Person, id: string): Promise<ServiceToken | undefined> {
      const [token] = await db
        .select(tokenColumns)
        .from(serviceTokens)
        .where(and(eq(serviceTokens.id, id), accessibleTo(viewer)));
      return token;
    },

    /** Counts the USER tokens that are neither expired nor revoked, by the email of their user. */
    async countByUser(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .select({ email: serviceTokens.userEmail, tokens: sql<number>`count(*)` })
        .from(serviceTokens)
        .where(or(inState('active', now()), inState('expires', now())))
        .groupBy(serviceTokens.userEmail);
      return new Map(rows.flatMap(({ email, tokens }) => (email === null ? [] : [[email, tokens]])));
    },
  };
}

function inState(state: TokenState, now: number): SQL | undefined {
  const { revokedAt, expiresAt } = serviceTokens;
  switch (state) {
    case 'active':
      return and(isNull(revokedAt), isNull(expiresAt));
    case 'expires':
      return and(isNull(revokedAt), gt(expiresAt, now));
    case 'expired':
      return and(isNull(revokedAt), lte(expiresAt, now));
    case 'revoked':
      return isNotNull(revokedAt);
  }
}

function mentions(word: string): SQL | undefined {
  if (word === '') return undefined;
  const { description, userEmail, createdBy } = serviceTokens;
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${description} LIKE ${pattern} ESCAPE '\\' OR ${userEmail} LIKE ${pattern} ESCAPE '\\' OR ${createdBy} LIKE ${pattern} ESCAPE '\\')`;
}
