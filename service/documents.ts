import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Person } from './people.ts';
import { documentReaders, documents } from './schema.ts';

export interface NewDocument {
  title: string;
  body: string;
  owner: Person;
  /** Who may see it besides its owner. */
  audience: 'everyone' | readonly Person[];
}

/** A document that a person may see, as a search shows it. */
export interface Found {
  readonly id: string;
  readonly title: string;
  /** The part of the body that matches, at most 48 words. */
  readonly snippet: string;
  /** Email of the owner. */
  readonly owner: string;
}

export type Documents = ReturnType<typeof openDocuments>;

/** More words than this make a query no better. */
const mostWords = 32;

export function openDocuments(db: Database) {
  return {
    async add({ title, body, owner, audience }: NewDocument): Promise<string> {
      const shared = audience === 'everyone' ? 'everyone' : 'readers';
      const [row] = await db
        .insert(documents)
        .values({ title, body, ownerId: owner.id, audience: shared })
        .returning({ id: documents.id });
      if (!row) throw new Error(`The document "${title}" was not stored: the database returned no row.`);
      if (audience !== 'everyone' && audience.length > 0) {
        await db.insert(documentReaders).values(audience.map(({ id }) => ({ documentId: row.id, personId: id })));
      }
      return String(row.id);
    },

    /**
     * What matches any word of the query, best first, among the documents this person may see: their own, those shared
     * with them, and those shared with everyone. The one way to documents, so that the condition stands in one place.
     */
    async visibleTo(person: Person, query: string, limit: number): Promise<Found[]> {
      const match = ftsQuery(query);
      if (match === '') return [];
      return db.all<Found>(sql`
        SELECT CAST(d.id AS TEXT) AS id, d.title AS title, p.email AS owner,
          snippet(document_words, 1, '', '', '…', 48) AS snippet
        FROM document_words
        JOIN documents d ON d.id = document_words.rowid
        JOIN people p ON p.id = d.owner_id
        WHERE document_words MATCH ${match}
          AND (d.audience = 'everyone' OR d.owner_id = ${person.id} OR EXISTS (
            SELECT 1 FROM document_readers r WHERE r.document_id = d.id AND r.person_id = ${person.id}))
        ORDER BY document_words.rank, d.id
        LIMIT ${limit}`);
    },
  };
}

/** Quoted words only: whatever a caller types, none of it is FTS5 syntax. */
function ftsQuery(text: string): string {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return [...words]
    .slice(0, mostWords)
    .map((word) => `"${word}"`)
    .join(' OR ');
}
