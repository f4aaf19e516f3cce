import { and, desc, eq, or } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { type AuditAction, auditEvents, serviceTokens } from './database/schema.ts';
import type { Person } from './people.ts';
import { accessibleTo } from './token-access.ts';

/** One entry of the audit trail. It never contains a secret. */
export interface AuditEvent {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /**
   * Email of the person who did it. For a failed sign-in, the person whose email was entered. Null: nobody who signed in, or
   * the service itself.
   */
  readonly actor: string | null;
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

/** Records who did what, and when. Triggers record tokens, new passwords and the removal of people (migrations.ts). */
export function openAuditTrail(db: Database, now: () => number) {
  const record = async (
    actor: Person | null,
    action: AuditAction,
    detail: string | null = null,
    tokenId: string | null = null,
  ): Promise<void> => {
    await db.insert(auditEvents).values({ at: now(), actor: actor?.email ?? null, action, detail, tokenId });
  };

  return {
    /** @param client the name of the client that they signed in to; absent for the console */
    signedIn: (actor: Person, client?: string) => record(actor, 'signed in', client),
    signInFailed: (person: Person) => record(person, 'sign-in failed'),
    signedOut: (actor: Person) => record(actor, 'signed out'),
    /** @param client its name and where it sends the browser */
    clientRegistered: (client: string) => record(null, 'client registered', client),
    clientRevoked: (actor: Person, client: string) => record(actor, 'client revoked', client),
    grantCreated: (actor: Person, client: string) => record(actor, 'grant created', client),
    /** @param person the one who had given it; they or the client ended it */
    grantRevoked: (person: Person, client: string) => record(person, 'grant revoked', client),
    refused: (actor: Person, what: string, why: string) => record(actor, 'token refused', `${what}. ${why}`),
    /** @param actor the person whose rights the tool has @param tokenId absent for an OAuth token */
    toolCalled: (actor: Person, tool: string, tokenId?: string) => record(actor, 'tool called', tool, tokenId),

    /**
     * Returns the events that this person may see, newest first. A Super Admin sees all. Everyone else sees what they did
     * and what happened to the tokens that they may access.
     *
     * @param page 1 for the newest events
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
