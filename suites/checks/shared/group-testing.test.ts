import { expect, test } from 'vitest';
import { groupsThatPass, smallest } from './group-testing.ts';

const items = Array.from({ length: 16 }, (_, at) => at);
const familiesOf = [() => 'all'];

/** A target that answers each part like this, and the parts that it was asked for. */
function target(answer: (part: readonly number[]) => object | 'no' | 'lost') {
  const asked: (readonly number[])[] = [];
  const ask = async (part: readonly number[]) => {
    asked.push(part);
    return answer(part);
  };
  return { asked, ask };
}

test('bundles are halved until each passes, and what passes is put together again', async () => {
  const { asked, ask } = target((part) => (part.includes(5) ? 'no' : {}));
  const { groups, alone } = await groupsThatPass([items, [20]], { ask, familiesOf, most: 99 });
  expect(alone).toEqual([5]);
  expect(groups.map((group) => [...group.items].sort((a, b) => a - b))).toEqual([
    items.filter((item) => item !== 5),
    [20],
  ]);
  expect(asked).toHaveLength(11);
});

test('items that pass only apart stay apart', async () => {
  const { asked, ask } = target((part) => (part.includes(3) && part.includes(9) ? 'no' : {}));
  const { groups } = await groupsThatPass([items], { ask, familiesOf, most: 99 });
  expect(groups.map((group) => group.items.length)).toEqual([8, 8]);
  expect(asked).toHaveLength(3);
});

test('a bundle is split into its families first', async () => {
  const { asked, ask } = target((part) => (part.some((item) => item > 13) ? 'no' : {}));
  const { groups } = await groupsThatPass([items], {
    ask,
    familiesOf: [() => 'all', (item) => `${item > 13}`],
    most: 99,
  });
  expect(groups.map((group) => group.items.length)).toEqual([14]);
  expect(asked.map((part) => part.length)).toEqual([16, 14, 2, 1, 1]);
});

test('bundles are no longer halved after too many failures', async () => {
  const { asked, ask } = target(() => 'no');
  expect(await groupsThatPass([items], { ask, familiesOf, most: 3 })).toEqual({ groups: [], alone: [] });
  expect(asked).toHaveLength(3);
});

test('a bundle that is lost is halved like one that fails, and what stays lost is in no list', async () => {
  const ask = async (part: readonly number[]) => (part.includes(5) ? 'lost' : {});
  const { groups, alone } = await groupsThatPass([items], { ask, familiesOf, most: 99 });
  expect(alone).toEqual([]);
  expect(groups.flatMap((group) => group.items).sort((one, other) => one - other)).toEqual(
    items.filter((item) => item !== 5),
  );
});

test('a target that answers nothing is asked a few times only', async () => {
  const { asked, ask } = target(() => 'lost');
  const single = items.map((item) => [item]);
  expect(await groupsThatPass(single, { ask, familiesOf, most: 99 })).toEqual({ groups: [], alone: [] });
  expect(asked).toHaveLength(9);
});

test.each([
  ['a single item', [5]],
  ['a combination of items of both halves', [5, 13]],
  ['all items', items],
])('the smallest part is %s', async (_what, needed) => {
  const shows = async (part: readonly number[]) => (needed.every((item) => part.includes(item)) ? part : undefined);
  expect(await smallest({ items, evidence: items }, shows)).toEqual({ items: needed, evidence: needed });
});

test('an empty bundle is not asked for', async () => {
  const { asked, ask } = target(() => ({}));
  await groupsThatPass([[], [1]], { ask, familiesOf, most: 99 });
  expect(asked).toEqual([[1]]);
});

test('what passes apart and is lost together stays apart', async () => {
  const ask = async (part: readonly number[]) => {
    if (part.includes(0)) return 'no';
    return part.length > 8 ? 'lost' : {};
  };
  const { groups } = await groupsThatPass([items], { ask, familiesOf, most: 99 });
  expect(groups.map((group) => group.items.length).sort()).toEqual([1, 2, 4, 8]);
});

test('after the first answer, bundles are asked for side by side', async () => {
  let [now, most] = [0, 0];
  const ask = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return {};
  };
  await groupsThatPass(
    items.map((item) => [item]),
    { ask, familiesOf, most: 99 },
  );
  expect(most).toBe(8);
});

test('the smallest part is found by halves', async () => {
  let asked = 0;
  await smallest({ items, evidence: items }, async (part) => {
    asked += 1;
    return part.includes(0) ? part : undefined;
  });
  expect(asked).toBe(4);
});

test('bundles are no longer halved after enough parts passed', async () => {
  let accepted = 0;
  const few = async (part: readonly number[]) => {
    if (part.length > 2) return 'no' as const;
    accepted += 1;
    return {};
  };
  const { groups, alone } = await groupsThatPass([items], { ask: few, familiesOf, most: 99, mostPassed: 3 });
  expect(accepted).toBe(3);
  expect(groups).toHaveLength(3);
  expect(groups.flatMap((group) => group.items)).toHaveLength(6);
  expect(alone).toEqual([]);
});
