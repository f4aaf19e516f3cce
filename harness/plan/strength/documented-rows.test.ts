import { expect, test } from 'vitest';
import { percentOf } from './documented-rows.ts';

test.each([
  [{ seen: 0, all: 0 }, 0],
  [{ seen: 0, all: 9 }, 0],
  [{ seen: 1, all: 1000 }, 1],
  [{ seen: 999, all: 1000 }, 99],
  [{ seen: 9, all: 9 }, 100],
])('%o is %d per cent', (count, percent) => {
  expect(percentOf(count)).toBe(percent);
});
