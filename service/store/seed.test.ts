import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { roles } from './database/schema.ts';
import { demoCompany } from './demo-company.ts';
import { openStore, type Store } from './store.ts';

async function opened(url = ':memory:'): Promise<Store> {
  const store = await openStore(url, () => 0);
  onTestFinished(() => store.close());
  return store;
}

async function titles({ people, documents }: Store, name: string, query: string): Promise<string[]> {
  const person = await people.find(`${name}@alder-finch.example`);
  if (!person) throw new Error(`The demo company has no ${name}.`);
  return (await documents.visibleTo(person, query, 50)).map(({ title }) => title).sort();
}

test('the demo company has a person in every role, and its people find different documents', async () => {
  const store = await opened();
  expect(await store.seed(demoCompany)).toBe(true);
  expect(new Set(demoCompany.people.map(({ role }) => role))).toEqual(new Set(roles));
  expect(await titles(store, 'jonas', 'budget')).toEqual([
    'Budget for next year, second draft',
    'Timber stock and suppliers',
  ]);
  expect(await titles(store, 'hannah', 'budget')).toEqual(['Budget for next year, second draft']);
  expect(await titles(store, 'eleni', 'budget')).toEqual([]);
  expect(await titles(store, 'eleni', 'travel')).toEqual(['Expense claims, step by step', 'Travel policy']);
});

test('a store is filled once, and then keeps its data', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'service.db')}`;
  const first = await opened(url);
  await first.seed(demoCompany);
  const grace = await first.people.find('grace@alder-finch.example');
  const again = await opened(url);
  expect(await again.seed(demoCompany)).toBe(false);
  expect(await again.people.find('grace@alder-finch.example')).toEqual(grace);
  expect(await titles(again, 'grace', 'budget')).toHaveLength(1);
});

test('nothing of an inconsistent company is stored', async () => {
  const store = await opened();
  const [grace, ...others] = demoCompany.people;
  if (!grace) throw new Error('the demo company has no people');
  await expect(store.seed({ ...demoCompany, people: others })).rejects.toThrow(/grace@.* is not one of its people/);
  await expect(store.seed({ ...demoCompany, people: [...demoCompany.people, grace] })).rejects.toThrow();
  expect(await store.people.find(grace.email)).toBeUndefined();
});
