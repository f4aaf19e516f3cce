import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Person } from './people.ts';
import { consoleSessions, people } from './schema.ts';

export type ConsoleSessions = ReturnType<typeof openConsoleSessions>;

/** How long somebody stays signed in, in seconds: a working day. */
export const sessionSeconds = 8 * 60 * 60;

/** Who is signed in to the admin console. Kept by hash, like every secret: reading the database lets nobody in. */
export function openConsoleSessions(db: Database, now: () => number) {
  return {
    /** @returns what the browser shall hold */
    async begin(person: Person): Promise<string> {
      const secret = randomBytes(32).toString('base64url');
      await db.batch([
        db.delete(consoleSessions).where(lte(consoleSessions.expiresAt, now())),
        db
          .insert(consoleSessions)
          .values({ hash: hashOf(secret), personId: person.id, expiresAt: now() + sessionSeconds * 1000 }),
      ]);
      return secret;
    },

    /** Whose session this is, as they are now: a role that was taken away is gone at once. */
    async find(secret: string): Promise<Person | undefined> {
      const [person] = await db
        .select({ id: people.id, email: people.email, name: people.name, role: people.role })
        .from(consoleSessions)
        .innerJoin(people, eq(people.id, consoleSessions.personId))
        .where(and(eq(consoleSessions.hash, hashOf(secret)), gt(consoleSessions.expiresAt, now())));
      return person;
    },

    async end(secret: string): Promise<void> {
      await db.delete(consoleSessions).where(eq(consoleSessions.hash, hashOf(secret)));
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
