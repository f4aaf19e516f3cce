import { and, desc, eq, or } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Person } from './people.ts';
import { type AuditAction, auditEvents, serviceTokens } from './schema.ts';
import { accessibleTo } from './token-access.ts';

/** Something that somebody did. Never with a secret: none is handed to the trail. */
export interface AuditEvent {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Email of whoever did it; of a sign-in that failed, whom it named. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly token: { readonly id: string; readonly description: string } | null;
  readonly detail: string | null;
}

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  readonly hasMore: boolean;
}

export type AuditTrail = ReturnType<typeof openAuditTrail>;

const pageSize = 50;

/** Who did what, and when. Creating and revoking a token write themselves down (migrations.ts). */
export function openAuditTrail(db: Database, now: () => number) {
  const write = async (actor: Person, action: AuditAction, detail: string | null = null): Promise<void> => {
    await db.insert(auditEvents).values({ at: now(), actor: actor.email, action, detail });
  };

  return {
    signedIn: (actor: Person) => write(actor, 'signed in'),
    signInFailed: (named: Person) => write(named, 'sign-in failed'),
    signedOut: (actor: Person) => write(actor, 'signed out'),
    refused: (actor: Person, what: string, why: string) => write(actor, 'token refused', `${what}. ${why}`),

    /**
     * What this person may know of, newest first: a Super Admin everything, everyone else what they did themselves and
     * what was done with the tokens that concern them.
     *
     * @param page 1 for the newest
     */
    async read(viewer: Person, page: number, tokenId?: string): Promise<AuditPage> {
      const theirs = accessibleTo(viewer);
      const rows = await db
        .select({
          id: auditEvents.id,
          at: auditEvents.at,
          actor: auditEvents.actor,
          action: auditEvents.action,
          detail: auditEvents.detail,
          tokenId: serviceTokens.id,
          description: serviceTokens.description,
        })
        .from(auditEvents)
        .leftJoin(serviceTokens, eq(serviceTokens.id, auditEvents.tokenId))
        .where(
          and(
            theirs && or(eq(auditEvents.actor, viewer.email), theirs),
            tokenId === undefined ? undefined : eq(auditEvents.tokenId, tokenId),
          ),
        )
        .orderBy(desc(auditEvents.id))
        .limit(pageSize + 1)
        .offset((page - 1) * pageSize);
      const events = rows.slice(0, pageSize).map(({ tokenId: id, description, ...event }) => ({
        ...event,
        token: id === null || description === null ? null : { id, description },
      }));
      return { events, hasMore: rows.length > pageSize };
    },
  };
}
