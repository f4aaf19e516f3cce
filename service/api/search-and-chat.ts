import { randomUUID } from 'node:crypto';
import type { Person } from '../store/people.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Body, Call } from './steps.ts';

const defaultPageSize = 10;
const maxPageSize = 50;

/** Searches the documents that this person may see. The result has the fields of spec 2.2. */
export async function search({ store, requestId }: Call, person: Person, { query, pageSize }: Body): Promise<object> {
  const limit = Math.min(Math.max(pageSize ?? defaultPageSize, 1), maxPageSize);
  const results = await store.documents.visibleTo(person, query, limit);
  return { results, trackingToken: randomUUID(), requestId };
}

const maxSources = 3;

/**
 * Answers with quotes from documents that this person may see, and names them. Only the person who started a conversation
 * can continue it (spec 2.4). The search for an answer then also uses the words of the previous question.
 */
export async function chat(
  { store, requestId }: Call,
  person: Person,
  { query, conversationId }: Body,
): Promise<object> {
  const previous = conversationId === undefined ? '' : await store.conversations.lastQuestion(person, conversationId);
  // The same refusal for another person's conversation: the answer does not tell whether it exists.
  if (previous === undefined) throw new Refusal('unknown-conversation');

  const found = await store.documents.visibleTo(person, `${query} ${previous}`, maxSources);
  const answer = found.map(({ title, snippet }) => `${title}: ${snippet}`).join('\n') || 'I found nothing about that.';
  const turn = { question: query, answer };
  if (conversationId !== undefined && !(await store.conversations.add(person, conversationId, turn)))
    throw new Refusal('unknown-conversation');
  return {
    answer,
    sources: found.map(({ id, title }) => ({ id, title })),
    conversationId: conversationId ?? (await store.conversations.begin(person, turn)),
    trackingToken: randomUUID(),
    requestId,
  };
}
