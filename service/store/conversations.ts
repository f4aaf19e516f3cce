import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { conversations, messages } from './database/schema.ts';
import type { Person } from './people.ts';

export interface Turn {
  readonly question: string;
  readonly answer: string;
}

/** Chats. Only the person who started a conversation can continue it (spec 2.4). */
export function openConversations(db: Database, now: () => number) {
  return {
    /** Returns the last question in this conversation, or undefined if this person has no such conversation. */
    async lastQuestion(person: Person, conversationId: string): Promise<string | undefined> {
      const [row] = await db
        .select({ text: messages.text })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(
          and(
            eq(conversations.id, conversationId),
            eq(conversations.personId, person.id),
            eq(messages.author, 'person'),
          ),
        )
        .orderBy(desc(messages.id))
        .limit(1);
      return row?.text;
    },

    /** Stores a new conversation and its first turn together and returns its id. */
    async begin(person: Person, { question, answer }: Turn): Promise<string> {
      const id = randomUUID();
      const createdAt = now();
      await db.batch([
        db.insert(conversations).values({ id, personId: person.id, createdAt }),
        db.insert(messages).values([
          { conversationId: id, author: 'person', text: question, createdAt },
          { conversationId: id, author: 'service', text: answer, createdAt },
        ]),
      ]);
      return id;
    },

    /** Adds a turn. Returns false if this person has no such conversation. */
    async add(person: Person, conversationId: string, { question, answer }: Turn): Promise<boolean> {
      const { rowsAffected } = await db.run(sql`
        INSERT INTO messages (conversation_id, author, text, created_at)
        SELECT c.id, said.author, said.text, ${now()}
        FROM conversations c
        JOIN (SELECT 'person' AS author, ${question} AS text UNION ALL SELECT 'service', ${answer}) said
        WHERE c.id = ${conversationId} AND c.person_id = ${person.id}
        ORDER BY said.author`);
      return rowsAffected > 0;
    },
  };
}
