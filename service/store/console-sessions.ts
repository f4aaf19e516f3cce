import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { consoleSessions, people } from './database/schema.ts';
import { hashOf } from './encryption.ts';
import type { Person } from './people.ts';

/** Lifetime of a session in seconds: a working day. */
export const sessionSeconds = 8 * 60 * 60;

/** Sessions of the admin console. Only hashes of their secrets are stored: a copy of the database signs nobody in. */
export function openConsoleSessions(db: Database, now: () => number) {
  return {
    /** @param authorizationSession the `sid` of the ID token @returns the secret for the session cookie */
    async begin(person: Person, authorizationSession: string | null = null): Promise<string> {
      const secret = randomBytes(32).toString('base64url');
      await db.batch([
        db.delete(consoleSessions).where(lte(consoleSessions.expiresAt, now())),
        db.insert(consoleSessions).values({
          hash: hashOf(secret),
          personId: person.id,
          expiresAt: now() + sessionSeconds * 1000,
          authorizationSession,
        }),
      ]);
      return secret;
    },

    /** Finds the person of a session. Their role is read each time, so a change of role takes effect at once. */
    async find(secret: string): Promise<Person | undefined> {
      const [person] = await db
        .select({ id: people.id, email: people.email, name: people.name, role: people.role })
        .from(consoleSessions)
        .innerJoin(people, eq(people.id, consoleSessions.personId))
        .where(
          and(eq(consoleSessions.hash, hashOf(secret)), gt(consoleSessions.expiresAt, now()), isNull(people.removedAt)),
        );
      return person;
    },

    /** Ends a session, and every other one that began with the same one of the authorization server. @returns the `sid` of that */
    async end(secret: string): Promise<string | undefined> {
      const [ended] = await db
        .delete(consoleSessions)
        .where(eq(consoleSessions.hash, hashOf(secret)))
        .returning({ authorizationSession: consoleSessions.authorizationSession });
      const sid = ended?.authorizationSession ?? undefined;
      if (sid !== undefined) await db.delete(consoleSessions).where(eq(consoleSessions.authorizationSession, sid));
      return sid;
    },
  };
}
