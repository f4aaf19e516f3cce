import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { documentReaders, documents, people, type Role } from './schema.ts';

/** People and documents that a new service begins with. Addresses in lower case. */
export interface Company {
  readonly name: string;
  readonly people: readonly { readonly email: string; readonly name: string; readonly role: Role }[];
  readonly documents: readonly {
    readonly title: string;
    readonly body: string;
    /** Email of one of the people. */
    readonly owner: string;
    /** Who may see it besides its owner. */
    readonly audience: 'everyone' | readonly string[];
  }[];
}

/**
 * Fills a database in which nobody is yet; any other is left alone. All of it or nothing: a service killed meanwhile
 * begins again with an empty one.
 *
 * @returns whether it was empty
 */
export async function seed(db: Database, company: Company): Promise<boolean> {
  const [count] = await db.all<{ people: number }>(sql`SELECT count(*) AS people FROM people`);
  if (count?.people !== 0) return false;

  const ids = new Map(company.people.map(({ email }) => [email, randomUUID()]));
  const idOf = (email: string): string => {
    const id = ids.get(email);
    if (id === undefined) throw new Error(`${company.name}: a document names ${email}, who is not among its people.`);
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
    ...inParts(rows).map((part) => db.insert(documents).values(part)),
    ...inParts(readers).map((part) => db.insert(documentReaders).values(part)),
  ]);
  return true;
}

/** One statement takes no more than some thirty thousand values. */
function inParts<T>(rows: readonly T[]): T[][] {
  const most = 1000;
  return Array.from({ length: Math.ceil(rows.length / most) }, (_, part) => rows.slice(part * most, (part + 1) * most));
}
