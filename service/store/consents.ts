import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { AuditTrail } from './audit-trail.ts';
import type { Database } from './database/database.ts';
import { authorizationRecords, people } from './database/schema.ts';
import { hashOf, placeOfRecord, type Seal } from './encryption.ts';
import type { Person } from './people.ts';

/** A client that registered itself at the authorization server. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Epoch milliseconds; null for a client that did not register. */
  readonly registeredAt: number | null;
}

export interface Consent {
  readonly client: RegisteredClient;
  readonly scopes: readonly string[];
}

export interface ClientPage {
  /** `people`: how many of them consented. */
  readonly clients: readonly (RegisteredClient & { readonly people: number })[];
  readonly hasMore: boolean;
}

const pageSize = 50;

/** The clients that people consented to, and how that ends. */
export function openConsents(db: Database, seal: Seal, audit: AuditTrail, now: () => number = Date.now) {
  const table = authorizationRecords;
  const notExpired = () => or(isNull(table.expiresAt), gt(table.expiresAt, Math.floor(now() / 1000)));
  const read = ({ model, key, payload }: typeof table.$inferSelect) =>
    JSON.parse(seal.open(payload, placeOfRecord(model, key)));
  const clientOf = (row: typeof table.$inferSelect): RegisteredClient => {
    const { client_id: clientId, client_name: name, redirect_uris: redirectUris, client_id_issued_at: at } = read(row);
    return { clientId, name: name ?? clientId, redirectUris, registeredAt: (at ?? 0) * 1000 };
  };
  const find = async (clientId: string): Promise<RegisteredClient | undefined> => {
    const [row] = await db
      .select()
      .from(table)
      .where(and(eq(table.model, 'Client'), eq(table.clientId, clientId), notExpired()));
    return row ? clientOf(row) : describedElsewhere(clientId);
  };

  return {
    find,

    /** @param grant the claim `grant` of an access token */
    async isValid(grant: string): Promise<boolean> {
      const [row] = await db
        .select({ key: table.key })
        .from(table)
        .where(and(eq(table.model, 'Grant'), eq(table.key, grant), notExpired()));
      return row !== undefined;
    },

    async hasAny(clientId: string): Promise<boolean> {
      const [row] = await db
        .select({ key: table.key })
        .from(table)
        .where(and(eq(table.model, 'Grant'), eq(table.clientId, clientId), notExpired()))
        .limit(1);
      return row !== undefined;
    },

    /** What this person allows, sorted by the name of the client. */
    async of(person: Person): Promise<Consent[]> {
      const grants = await db
        .select()
        .from(table)
        .where(and(eq(table.model, 'Grant'), eq(table.accountId, person.id), notExpired()));
      const ids = [...new Set(grants.flatMap(({ clientId }) => clientId ?? []))];
      const clients = await Promise.all(ids.map(find));
      return clients
        .filter((client) => client !== undefined)
        .map((client) => ({
          client,
          scopes: scopesOf(grants.filter(({ clientId }) => clientId === client.clientId).map(read)),
        }))
        .sort((one, other) => one.client.name.localeCompare(other.client.name));
    },

    /**
     * All registered clients. Those that people consented to come first, then the newest.
     *
     * @param page 1 for the first
     */
    async clients(page: number): Promise<ClientPage> {
      const count = sql<number>`(SELECT count(DISTINCT g.account_id) FROM authorization_records g
        WHERE g.model = 'Grant' AND g.client_id = authorization_records.client_id
          AND (g.expires_at IS NULL OR g.expires_at > ${Math.floor(now() / 1000)}))`;
      const rows = await db
        .select({ row: table, people: count.as('people') })
        .from(table)
        .where(and(eq(table.model, 'Client'), notExpired()))
        .orderBy(sql`people DESC`, sql`expires_at IS NULL DESC`, sql`expires_at DESC`)
        .limit(pageSize + 1)
        .offset((page - 1) * pageSize);
      const clients = rows.slice(0, pageSize).map(({ row, people }) => ({ ...clientOf(row), people }));
      return { clients, hasMore: rows.length > pageSize };
    },

    /** Ends everything that this person allowed the client. Returns whether there was anything. */
    async revoke(person: Person, clientId: string): Promise<boolean> {
      const client = await find(clientId);
      const ended = await db
        .delete(table)
        .where(and(eq(table.accountId, person.id), eq(table.clientId, clientId)))
        .returning({ model: table.model });
      const revoked = ended.some(({ model }) => model === 'Grant');
      if (revoked) await audit.grantRevoked(person, client?.name ?? clientId);
      return revoked;
    },

    /** Records that a grant has ended. Our own client, which nobody registered, is left out. */
    async recordRevocation(accountId: string, clientId: string): Promise<void> {
      const client = await find(clientId);
      const [person] = await db.select().from(people).where(eq(people.id, accountId));
      if (client && person) await audit.grantRevoked(person, client.name);
    },

    /** Deletes a client and everything that people allowed it. Returns whether it was registered. */
    async revokeClient(actor: Person, clientId: string): Promise<boolean> {
      const client = await find(clientId);
      if (!client) return false;
      await db.delete(table).where(eq(table.clientId, clientId));
      await audit.clientRevoked(actor, client.name);
      return true;
    },

    /** Ends a session, and what it gave to our own client. @param uid the `sid` of an ID token of the session */
    async endSession(uid: string, ownClientId: string): Promise<void> {
      const session = and(eq(table.model, 'Session'), eq(table.uid, hashOf(uid)));
      const accounts = db.select({ accountId: table.accountId }).from(table).where(session);
      await db.batch([
        db.delete(table).where(and(eq(table.clientId, ownClientId), inArray(table.accountId, accounts))),
        db.delete(table).where(session),
      ]);
    },
  };
}

/** A client whose id is the address of its metadata did not register, so that only its host is known here. */
function describedElsewhere(clientId: string): RegisteredClient | undefined {
  const host = /^https:/.test(clientId) ? URL.parse(clientId)?.host : undefined;
  return host === undefined ? undefined : { clientId, name: host, redirectUris: [clientId], registeredAt: null };
}

function scopesOf(grants: readonly { resources?: Record<string, string> }[]): string[] {
  const all = grants.flatMap(({ resources = {} }) => Object.values(resources).flatMap((scopes) => scopes.split(' ')));
  return [...new Set(all)].sort();
}
