import { randomUUID } from 'node:crypto';
import type { Person } from '../store/people.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Body, Call } from './steps.ts';

const mostSources = 3;

/**
 * An answer taken word for word from what this person may see, with its sources. A conversation can be continued by
 * whoever began it (spec 2.4); then the previous question helps to find what the next one means.
 */
export async function chat(
  { store, requestId }: Call,
  person: Person,
  { query, conversationId }: Body,
): Promise<object> {
  const previous = conversationId === undefined ? '' : await store.conversations.lastQuestion(person, conversationId);
  // Somebody else's conversation is as unknown as none.
  if (previous === undefined) throw new Refusal('unknown-conversation');

  const found = await store.documents.visibleTo(person, `${query} ${previous}`, mostSources);
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
