import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Person } from './people.ts';
import { conversations, messages } from './schema.ts';

export interface Turn {
  readonly question: string;
  readonly answer: string;
}

export type Conversations = ReturnType<typeof openConversations>;

/** Chats, each its owner's alone (spec 2.4). */
export function openConversations(db: Database, now: () => number) {
  const turn = (conversationId: string, { question, answer }: Turn) => {
    const createdAt = now();
    return db.insert(messages).values([
      { conversationId, author: 'person', text: question, createdAt },
      { conversationId, author: 'service', text: answer, createdAt },
    ]);
  };

  return {
    /** What this person asked last in this conversation, or undefined if they have no such conversation. */
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

    /** Begins a conversation with its first turn, both or neither. */
    async begin(person: Person, first: Turn): Promise<string> {
      const id = randomUUID();
      await db.batch([db.insert(conversations).values({ id, personId: person.id, createdAt: now() }), turn(id, first)]);
      return id;
    },

    /** Adds a turn. The caller has made sure whose conversation it is. */
    async add(conversationId: string, next: Turn): Promise<void> {
      await turn(conversationId, next);
    },
  };
}
