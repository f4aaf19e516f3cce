import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { documentReaders, documents, people, type Role } from './database/schema.ts';

/** The first people and documents of a new service. Emails are in lower case. */
export interface Company {
  readonly name: string;
  readonly people: readonly { readonly email: string; readonly name: string; readonly role: Role }[];
  readonly documents: readonly {
    readonly title: string;
    readonly body: string;
    /** Email of one of the people. */
    readonly owner: string;
    /** Emails of the readers besides its owner. */
    readonly audience: 'everyone' | readonly string[];
  }[];
}

/**
 * Fills a database without people and leaves every other database alone. Everything is written in one transaction.
 *
 * @returns whether the database had no people
 * @throws when a document names a person who is not in the company
 */
export async function seed(db: Database, company: Company): Promise<boolean> {
  const [count] = await db.all<{ people: number }>(sql`SELECT count(*) AS people FROM people`);
  if (count?.people !== 0) return false;

  const ids = new Map(company.people.map(({ email }) => [email, randomUUID()]));
  const idOf = (email: string): string => {
    const id = ids.get(email);
    if (id === undefined) throw new Error(`${company.name}: a document names ${email}, who is not one of its people.`);
    return id;
  };
  const rows = company.documents.map(({ title, body, owner, audience }, index) => ({
    id: index + 1,
    title,
    body,
    ownerId: idOf(owner),
    audience: audience === 'everyone' ? ('everyone' as const) : ('readers' as const),
  }));
  const readers = company.documents.flatMap(({ audience }, index) =>
    audience === 'everyone' ? [] : audience.map((email) => ({ documentId: index + 1, personId: idOf(email) })),
  );
  await db.batch([
    db.insert(people).values(company.people.map((person) => ({ ...person, id: idOf(person.email) }))),
    ...chunksOf(rows).map((chunk) => db.insert(documents).values(chunk)),
    ...chunksOf(readers).map((chunk) => db.insert(documentReaders).values(chunk)),
  ]);
  return true;
}

/** SQLite accepts at most 32,766 values in one statement. */
function chunksOf<T>(rows: readonly T[]): T[][] {
  const size = 1000;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}
