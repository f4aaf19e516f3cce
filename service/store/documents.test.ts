import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from './store.ts';

async function storeWithDocuments() {
  const store = await openStore(':memory:', () => 0);
  onTestFinished(() => store.close());
  const [ann, bob, eve] = await Promise.all(
    ['ann', 'bob', 'eve'].map((name) =>
      store.people.add({ email: `${name}@example.com`, name, role: 'user' as const }),
    ),
  );
  if (!ann || !bob || !eve) throw new Error('not all people were added');
  await store.documents.add({ title: 'Handbook', body: 'holidays for all', owner: ann, audience: 'everyone' });
  await store.documents.add({ title: 'Shared', body: 'holidays of the team', owner: ann, audience: [bob] });
  await store.documents.add({ title: 'Diary', body: 'holidays of mine', owner: ann, audience: [] });
  const titles = async (person: typeof ann, query: string, limit = 10) =>
    (await store.documents.visibleTo(person, query, limit)).map(({ title }) => title).sort();
  return { ann, bob, eve, titles };
}

describe('searching documents', () => {
  test('finds the own documents, those shared with the person and those shared with everyone', async () => {
    const { ann, bob, eve, titles } = await storeWithDocuments();
    expect(await titles(ann, 'holidays')).toEqual(['Diary', 'Handbook', 'Shared']);
    expect(await titles(bob, 'holidays')).toEqual(['Handbook', 'Shared']);
    expect(await titles(eve, 'holidays')).toEqual(['Handbook']);
  });

  test('returns no more results than the limit', async () => {
    const { ann, titles } = await storeWithDocuments();
    expect(await titles(ann, 'holidays', 2)).toHaveLength(2);
  });

  test.each([
    '',
    '   ',
    '"',
    '* OR NOT NEAR(',
    'title:x AND',
    "'; DROP TABLE documents; --",
    '\u0000',
    '💥',
    'a'.repeat(5000),
  ])('accepts any text as a query: %j', async (query) => {
    const { eve, titles } = await storeWithDocuments();
    expect(await titles(eve, query)).toEqual([]);
  });

  test('treats a column filter as words', async () => {
    const { eve, titles } = await storeWithDocuments();
    expect(await titles(eve, 'body:holidays')).toEqual(['Handbook']);
  });
});
