import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { people, type Role } from './database/schema.ts';
import {
  createPasswordQueue,
  dummyHash,
  hashPassword,
  isOutdated,
  type PasswordCost,
  passwordMatches,
  type Sender,
} from './password-hash.ts';

export interface Person {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface NewPerson extends Omit<Person, 'id'> {
  /** The password at the authorization server. Without one the person cannot sign in. */
  password?: string;
}

export type People = ReturnType<typeof openPeople>;

/**
 * The people that the service knows. The letter case of an email does not matter.
 *
 * @param cost of hashing new passwords
 * @param now the service's clock, in epoch milliseconds
 */
export function openPeople(db: Database, cost: PasswordCost, now: () => number) {
  const queue = createPasswordQueue();
  const columns = { id: people.id, email: people.email, name: people.name, role: people.role };
  const byEmail = db
    .select(columns)
    .from(people)
    .where(and(eq(people.email, sql.placeholder('email')), isNull(people.removedAt)))
    .prepare();
  const byId = db
    .select(columns)
    .from(people)
    .where(and(eq(people.id, sql.placeholder('id')), isNull(people.removedAt)))
    .prepare();

  /** Hashes a password again that was hashed with a lower cost. A password that was changed meanwhile stays. */
  const renew = async (id: string, outdated: string, password: string) => {
    const passwordHash = await hashPassword(password, cost);
    await db
      .update(people)
      .set({ passwordHash })
      .where(and(eq(people.id, id), eq(people.passwordHash, outdated)));
  };

  /** Checking a password takes a while. Meanwhile somebody may have set a new one, because the old one was stolen. */
  const isCurrent = async (id: string, passwordHash: string): Promise<boolean> => {
    const [row] = await db
      .select({ id: people.id })
      .from(people)
      .where(and(eq(people.id, id), eq(people.passwordHash, passwordHash), isNull(people.removedAt)));
    return row !== undefined;
  };

  return {
    async find(email: string): Promise<Person | undefined> {
      return (await byEmail.execute({ email: canonical(email) }))[0];
    },

    async findById(id: string): Promise<Person | undefined> {
      return (await byId.execute({ id }))[0];
    },

    /** All people, sorted by name. */
    async all(): Promise<Person[]> {
      return db.select(columns).from(people).where(isNull(people.removedAt)).orderBy(people.name);
    },

    /** @throws when the email is taken, also by a removed person, or is not an email */
    async add({ email, name, role, password }: NewPerson): Promise<Person> {
      const person = { id: randomUUID(), email: canonical(email), name, role };
      // A space or an invisible character would make an email that looks like the one of another person.
      if (!/^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(person.email))
        throw new Error(`${JSON.stringify(email)} is not an email.`);
      const passwordHash = password === undefined ? null : await hashPassword(password, cost);
      await db.insert(people).values({ ...person, passwordHash });
      return person;
    },

    /**
     * Sets a new password for one person, or one that several share: it is hashed once. Every session, grant, code and
     * refresh token of these people ends (migrations.ts).
     *
     * @throws when nobody has one of the emails
     */
    async setPassword(emails: string | readonly string[], password: string): Promise<void> {
      const wanted = [emails].flat().map(canonical);
      const passwordHash = await hashPassword(password, cost);
      const changed = await db
        .update(people)
        .set({ passwordHash, passwordChangedAt: now() })
        .where(and(inArray(people.email, wanted), isNull(people.removedAt)))
        .returning({ email: people.email });
      const unknown = wanted.filter((email) => !changed.some((person) => person.email === email));
      if (unknown.length > 0)
        throw new Error(`There is no person with the email "${unknown.join('", "')}" to set a password for.`);
    },

    /**
     * Removes a person. What was theirs ends: sessions, grants, and the tokens that they created or that run as them
     * (migrations.ts). Only a Super Admin may do this, and not to themselves, so that one always remains.
     */
    async remove(actor: Person, id: string): Promise<'removed' | 'not allowed' | 'no such person'> {
      if (actor.role !== 'super-admin' || actor.id === id) return 'not allowed';
      // Another Super Admin may have removed the actor a moment ago.
      const mayRemove = sql`EXISTS (SELECT 1 FROM people a
        WHERE a.id = ${actor.id} AND a.role = 'super-admin' AND a.removed_at IS NULL)`;
      const removed = await db
        .update(people)
        .set({ passwordHash: null, removedAt: now(), removedBy: actor.email })
        .where(and(eq(people.id, id), isNull(people.removedAt), mayRemove))
        .returning({ id: people.id });
      return removed.length > 0 ? 'removed' : 'no such person';
    },

    /** When the password of this person was last replaced; 0: never. Undefined: nobody has this email. */
    async passwordChangedAt(email: string): Promise<number | undefined> {
      const [row] = await db
        .select({ at: people.passwordChangedAt })
        .from(people)
        .where(and(eq(people.email, canonical(email)), isNull(people.removedAt)));
      return row && (row.at ?? 0);
    },

    /** Checks an email and a password. The result does not tell which of the two is wrong. */
    async signIn(email: string, password: string, sender: Sender = stranger): Promise<SignIn> {
      const [row] = await db
        .select()
        .from(people)
        .where(and(eq(people.email, canonical(email)), isNull(people.removedAt)));
      const result = await queue(sender, async (): Promise<SignIn> => {
        // An unknown email takes the same work as a known one, so that the response time does not tell them apart.
        const right = await passwordMatches(password, row?.passwordHash ?? dummyHash(cost));
        if (!row || !right || !(await isCurrent(row.id, row.passwordHash ?? ''))) return { kind: 'wrong' };
        if (row.passwordHash !== null && isOutdated(row.passwordHash, cost))
          await renew(row.id, row.passwordHash, password);
        return { kind: 'signed in', person: { id: row.id, email: row.email, name: row.name, role: row.role } };
      });
      return result ?? { kind: 'busy' };
    },
  };
}

const stranger: Sender = { isKnown: false, name: '' };

/** `busy`: too many passwords wait to be checked; this one was not looked at. */
export type SignIn =
  | { readonly kind: 'signed in'; readonly person: Person }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'busy' };

/** How emails are stored and compared. Only ASCII is folded: providers keep such as K (U+212A) and k apart. */
export function canonical(email: string): string {
  // Anyone can send an email of thousands of spaces, so the pattern takes linear time.
  const trimmed = /[^ \t\r\n](?:.*[^ \t\r\n])?/s.exec(email)?.[0] ?? '';
  return trimmed.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
