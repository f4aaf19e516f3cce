import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { dummyHash, hashPassword, type PasswordCost, passwordMatches } from './password-hash.ts';
import { people, type Role } from './schema.ts';

export interface Person {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface NewPerson {
  email: string;
  name: string;
  role: Role;
  /** The password at the authorization server. Without one the person cannot sign in. */
  password?: string;
}

export type People = ReturnType<typeof openPeople>;

/**
 * The people that the service knows. The letter case of an email does not matter.
 *
 * @param cost of hashing new passwords
 */
export function openPeople(db: Database, cost: PasswordCost) {
  const columns = { id: people.id, email: people.email, name: people.name, role: people.role };
  const byEmail = db
    .select(columns)
    .from(people)
    .where(eq(people.email, sql.placeholder('email')))
    .prepare();
  const byId = db
    .select(columns)
    .from(people)
    .where(eq(people.id, sql.placeholder('id')))
    .prepare();

  return {
    async find(email: string): Promise<Person | undefined> {
      return (await byEmail.execute({ email: canonical(email) }))[0];
    },

    async findById(id: string): Promise<Person | undefined> {
      return (await byId.execute({ id }))[0];
    },

    /** All people, sorted by name. */
    async all(): Promise<Person[]> {
      return db.select(columns).from(people).orderBy(people.name);
    },

    /** @throws when the email is taken */
    async add({ email, name, role, password }: NewPerson): Promise<Person> {
      const person = { id: randomUUID(), email: canonical(email), name, role };
      const passwordHash = password === undefined ? null : await hashPassword(password, cost);
      await db.insert(people).values({ ...person, passwordHash });
      return person;
    },

    /** @throws when nobody has that email */
    async setPassword(email: string, password: string): Promise<void> {
      const passwordHash = await hashPassword(password, cost);
      const changed = await db
        .update(people)
        .set({ passwordHash })
        .where(eq(people.email, canonical(email)))
        .returning({ id: people.id });
      if (changed.length === 0) throw new Error(`There is no person with the email "${email}" to set a password for.`);
    },

    /** Returns the person with this email and password. The result does not tell which of the two is wrong. */
    async signIn(email: string, password: string): Promise<Person | undefined> {
      const [row] = await db
        .select()
        .from(people)
        .where(eq(people.email, canonical(email)));
      // An unknown email takes the same work as a known one, so that the response time does not tell them apart.
      const right = await passwordMatches(password, row?.passwordHash ?? dummyHash(cost));
      if (!row || !right) return undefined;
      return { id: row.id, email: row.email, name: row.name, role: row.role };
    },
  };
}

/** The spelling in which emails are stored and compared. */
export function canonical(email: string): string {
  return email.trim().toLowerCase();
}
