import { randomUUID } from 'node:crypto';
import type { Person } from '../store/people.ts';
import type { Body, Call } from './steps.ts';

const defaultPageSize = 10;
const largestPageSize = 50;

/** Search over what this person may see, answered in the form of spec 2.2. */
export async function search({ store, requestId }: Call, person: Person, { query, pageSize }: Body): Promise<object> {
  const limit = Math.min(Math.max(pageSize ?? defaultPageSize, 1), largestPageSize);
  const results = await store.documents.visibleTo(person, query, limit);
  return { results, trackingToken: randomUUID(), requestId };
}
