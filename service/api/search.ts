import { randomUUID } from 'node:crypto';
import type { Person } from '../store/people.ts';
import type { Body, Call } from './steps.ts';

const defaultPageSize = 10;
const maxPageSize = 50;

/** Searches the documents that this person may see. The result has the fields of spec 2.2. */
export async function search({ store, requestId }: Call, person: Person, { query, pageSize }: Body): Promise<object> {
  const limit = Math.min(Math.max(pageSize ?? defaultPageSize, 1), maxPageSize);
  const results = await store.documents.visibleTo(person, query, limit);
  return { results, trackingToken: randomUUID(), requestId };
}
