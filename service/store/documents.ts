import { sql } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { documentReaders, documents } from './database/schema.ts';
import type { Person } from './people.ts';

export interface NewDocument {
  title: string;
  body: string;
  owner: Person;
  /** The readers besides its owner. */
  audience: 'everyone' | readonly Person[];
}

/** One item of `results` in a search response (spec 2.2). */
export interface SearchResult {
  readonly id: string;
  readonly title: string;
  /** The part of the body that matches, at most 48 words. */
  readonly snippet: string;
  /** Email of the owner. */
  readonly owner: string;
}

/** Further words of a query are ignored. */
const maxQueryWords = 32;

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
     * Finds the documents with any word of the query, best match first. A person sees their own documents, those shared with
     * them and those shared with everyone. All access to documents goes through this method, so that this condition exists
     * once.
     */
    async visibleTo(person: Person, query: string, limit: number): Promise<SearchResult[]> {
      const { rare, all } = await countWords(db, wordsOf(query));
      if (rare.length === 0 || rare.length === all.length) return ranked(db, person, anyOf(all), limit);
      // Common words only rank the documents that contain a rare word: ranking all documents with a common word is too slow.
      const found = await ranked(db, person, `(${anyOf(rare)}) AND (${anyOf(all)})`, limit);
      return found.length > 0 ? found : ranked(db, person, anyOf(all), limit);
    },
  };
}

/** @param match an FTS5 query */
async function ranked(db: Database, person: Person, match: string, limit: number): Promise<SearchResult[]> {
  if (match === '') return [];
  return db.all<SearchResult>(sql`
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
}

/**
 * `all` are the words that occur in any document. `rare` are those in at most a tenth of the documents, or in at most a
 * thousand.
 */
async function countWords(db: Database, words: readonly string[]): Promise<{ rare: string[]; all: string[] }> {
  if (words.length === 0) return { rare: [], all: [] };
  const rows = await db.all<{ word: string; found: number; most: number }>(sql`
    WITH few AS (SELECT max(1000, coalesce(max(id), 0) / 10) AS most FROM documents)
    SELECT value AS word, most, (
      SELECT count(*) FROM (
        SELECT 1 FROM document_words WHERE document_words MATCH '"' || value || '"' LIMIT (SELECT most + 1 FROM few))) AS found
    FROM json_each(${JSON.stringify(words)}), few`);
  const all = rows.filter(({ found }) => found > 0);
  const rare = all.filter(({ found, most }) => found <= most);
  return { rare: rare.map(({ word }) => word), all: all.map(({ word }) => word) };
}

/** Splits a text into words of letters and digits, so that no input is FTS5 syntax. */
function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))].slice(0, maxQueryWords);
}

function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' OR ');
}
