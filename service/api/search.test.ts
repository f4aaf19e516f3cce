import { beforeAll, describe, expect, test } from 'vitest';
import { demoCompany } from '../store/demo-company.ts';
import type { SearchResult } from '../store/documents.ts';
import type { Person } from '../store/people.ts';
import { openStore, type Store } from '../store/store.ts';
import { bearer, searchPath, type TestApp, testApp } from '../testing/app.ts';

async function results({ send, secret }: TestApp, body: object): Promise<SearchResult[]> {
  const { status, json } = await send(searchPath, bearer(await secret()), body);
  expect(status).toBe(200);
  return Array.isArray(json.results) ? json.results : [];
}

describe('the number of results', () => {
  test.each([
    ['10 without a pageSize', undefined, 10],
    ['the pageSize', 7, 7],
    ['at least 1 for a pageSize of 0', 0, 1],
    ['at least 1 for a negative pageSize', -100, 1],
    ['at most 50 for a pageSize of 51', 51, 50],
    ['at most 50 for the largest pageSize', Number.MAX_SAFE_INTEGER, 50],
  ])('is %s', async (_what, pageSize, size) => {
    const app = await testApp();
    for (let index = 0; index < 60; index += 1) {
      await app.store.documents.add({ title: `${index}`, body: 'budget', owner: app.ann, audience: [] });
    }
    expect(await results(app, { query: 'budget', ...(pageSize !== undefined && { pageSize }) })).toHaveLength(size);
  });
});

describe('a search result', () => {
  const titles = async (app: TestApp, query: string) => (await results(app, { query })).map(({ title }) => title);

  test('ranks higher for rarer words, more words, a shorter text and a match in the title', async () => {
    const app = await testApp();
    const add = (title: string, body: string) => app.store.documents.add({ title, body, owner: app.ann, audience: [] });
    const padding = 'and so on and on '.repeat(20);
    await add('Long', `the saw ${padding}`);
    await add('Short', 'the saw');
    await add('Other', `the plane ${padding}`);
    await add('Both', `the saw blade ${padding}`);
    await add('A saw', `the machine ${padding}`);
    for (let index = 0; index < 20; index += 1) await add(`Filler ${index}`, `the chair ${padding}`);
    expect((await titles(app, 'the saw')).slice(0, 3)).toEqual(['Short', 'A saw', 'Long']);
    expect((await titles(app, 'saw blade'))[0]).toBe('Both');
    expect(await titles(app, 'SAWS')).toEqual(await titles(app, 'saw'));
  });

  test('shows the part of the document that matches', async () => {
    const app = await testApp();
    const body = `${'before '.repeat(500)}the panel saw costs 180,000 euros${' after'.repeat(500)}`;
    await app.store.documents.add({ title: 'Plan', body, owner: app.ann, audience: [] });
    const [found] = await results(app, { query: 'panel saw' });
    expect(found?.snippet).toContain('the panel saw costs 180,000 euros');
    expect(found?.snippet.split(' ').length).toBeLessThanOrEqual(50);
  });
});

describe('ten thousand documents', () => {
  let store: Store;
  let people: Person[];
  const sharing = (index: number) => ({ owner: index % 10, reader: (index * 3 + 1) % 10, everyone: index % 100 === 0 });
  beforeAll(async () => {
    store = await openStore(':memory:', () => 0);
    const at = (number: number) => `p${number}@example.com`;
    const words = demoCompany.documents.flatMap(({ body }) => body.split(' '));
    await store.seed({
      name: 'Many',
      people: Array.from({ length: 10 }, (_, number) => ({ email: at(number), name: `P ${number}`, role: 'user' })),
      documents: Array.from({ length: 10_000 }, (_, index) => {
        const { owner, reader, everyone } = sharing(index);
        return {
          title: `Document ${index}`,
          body: `the report ${words[(index * 31) % words.length]} ${words[(index * 57) % words.length]}`,
          owner: at(owner),
          audience: everyone ? 'everyone' : [at(reader)],
        };
      }),
    });
    people = await store.people.all();
    return () => store.close();
  });

  test('are visible to their owner, to their reader, or to everyone, and to nobody else', async () => {
    for (const [number, person] of people.entries()) {
      const found = await store.documents.visibleTo(person, 'report', 100_000);
      const expected = Array.from({ length: 10_000 }, (_, index) => index).filter((index) => {
        const { owner, reader, everyone } = sharing(index);
        return owner === number || everyone || reader === number;
      });
      expect(found.map(({ id }) => Number(id) - 1).sort((a, b) => a - b)).toEqual(expected);
    }
  });

  test('are found by their rare words, and by common words only where the person sees no better match', async () => {
    const { owner } = sharing(4711);
    for (const [number, person] of people.entries()) {
      const found = (await store.documents.visibleTo(person, 'the report 4711', 5)).map(({ title }) => title);
      expect(found).toHaveLength(number === owner || number === sharing(4711).reader ? 1 : 5);
      expect(found.includes('Document 4711')).toBe(found.length === 1);
    }
    const both = await store.documents.visibleTo(people[owner] as Person, 'document 4711 4721 xylophone', 5);
    expect(both.map(({ title }) => title).sort()).toEqual(['Document 4711', 'Document 4721']);
  });

  test('include one that only its owner and its reader find', async () => {
    const { owner, reader } = sharing(4711);
    for (const [number, person] of people.entries()) {
      const found = (await store.documents.visibleTo(person, '4711', 10)).map(({ title }) => title);
      expect(found).toEqual(number === owner || number === reader ? ['Document 4711'] : []);
    }
  });
});
