import { expect, onTestFinished, test } from 'vitest';
import type { Role } from './database/schema.ts';
import type { Person } from './people.ts';
import type { ServiceToken } from './service-tokens.ts';
import { openStore } from './store.ts';
import { stateOf, type TokenFilter, tokenStates } from './token-list.ts';

const start = Date.UTC(2030, 0, 1);
const day = 24 * 60 * 60 * 1000;

async function storeWithPeople() {
  const clock = { now: start };
  const store = await openStore(':memory:', () => clock.now);
  onTestFinished(() => store.close());
  const person = (name: string, role: Role) => store.people.add({ email: `${name}@example.com`, name, role });
  const people = {
    boss: await person('boss', 'super-admin'),
    adam: await person('adam', 'admin'),
    uma: await person('uma', 'user'),
  };
  const create = async (
    actor: Person,
    user: Person,
    description: string,
    expiresAt?: number,
  ): Promise<ServiceToken> => {
    const issued = await store.serviceTokens.issue(actor, {
      description,
      permission: 'USER',
      scopes: ['SEARCH'],
      userEmail: user.email,
      ...(expiresAt !== undefined && { expiresAt }),
    });
    if (!issued.ok) throw new Error('not issued');
    return issued.token;
  };
  const descriptions = async (viewer: Person, filter: Partial<TokenFilter> = {}) =>
    (await store.tokenList.read(viewer, { words: '', page: 1, ...filter })).tokens.map(
      ({ description }) => description,
    );
  return { store, clock, create, descriptions, ...people };
}

test('the list shows a Super Admin all tokens and others their own, newest first', async () => {
  const { store, create, descriptions, boss, adam, uma } = await storeWithPeople();
  const first = await create(boss, uma, 'for Uma');
  await create(adam, adam, 'of Adam');
  await create(boss, boss, 'of the boss');
  expect(await descriptions(boss)).toEqual(['of the boss', 'of Adam', 'for Uma']);
  expect(await descriptions(adam)).toEqual(['of Adam']);
  expect(await descriptions(uma)).toEqual(['for Uma']);
  expect(await store.tokenList.find(uma, first.id)).toEqual(first);
  expect(await store.tokenList.find(adam, first.id)).toBeUndefined();
});

test('the filter finds every state, and a token is expired from the moment of its expiry', async () => {
  const { store, clock, create, descriptions, boss } = await storeWithPeople();
  await create(boss, boss, 'no expiry');
  await create(boss, boss, 'nine days', start + 9 * day);
  await create(boss, boss, 'one day', start + day);
  const { id } = await create(boss, boss, 'revoked', start + day);
  await store.serviceTokens.revoke(boss, id);
  const byState = async () => Promise.all(tokenStates.map((state) => descriptions(boss, { state })));
  clock.now = start + day - 1;
  expect(await byState()).toEqual([['no expiry'], ['one day', 'nine days'], [], ['revoked']]);
  clock.now = start + day;
  expect(await byState()).toEqual([['no expiry'], ['nine days'], ['one day'], ['revoked']]);
  for (const state of tokenStates) {
    const { tokens } = await store.tokenList.read(boss, { state, words: '', page: 1 });
    expect(tokens.map((token) => stateOf(token, clock.now))).toEqual(tokens.map(() => state));
  }
});

test('words are found in descriptions and emails, and are never SQL', async () => {
  const { create, descriptions, boss, uma } = await storeWithPeople();
  await create(boss, uma, 'Intranet 100% search_box');
  await create(boss, boss, "O'Hara's report");
  expect(await descriptions(boss, { words: 'intranet SEARCH' })).toEqual(['Intranet 100% search_box']);
  expect(await descriptions(boss, { words: 'uma@' })).toEqual(['Intranet 100% search_box']);
  expect(await descriptions(boss, { words: "o'hara's" })).toEqual(["O'Hara's report"]);
  expect(await descriptions(boss, { words: '100% _box' })).toHaveLength(1);
  for (const words of ['1%h', 'search-box', 'o_hara', "' OR 1=1 --", '\\'])
    expect(await descriptions(boss, { words })).toEqual([]);
});

test('a long list has pages', async () => {
  const { store, create, boss } = await storeWithPeople();
  for (let count = 0; count < 51; count += 1) await create(boss, boss, `token ${count}`);
  const read = (page: number) => store.tokenList.read(boss, { words: '', page });
  expect(await read(1)).toMatchObject({ total: 51, pages: 2, tokens: { length: 50 } });
  expect((await read(2)).tokens).toMatchObject([{ description: 'token 0' }]);
});

test('the count by user includes only valid tokens', async () => {
  const { store, clock, create, boss, uma } = await storeWithPeople();
  await create(boss, uma, 'one');
  await create(boss, uma, 'two', start + day);
  const { id } = await create(boss, uma, 'three');
  await store.serviceTokens.revoke(uma, id);
  expect([...(await store.tokenList.countByUser())]).toEqual([['uma@example.com', 2]]);
  clock.now += day;
  expect([...(await store.tokenList.countByUser())]).toEqual([['uma@example.com', 1]]);
});
