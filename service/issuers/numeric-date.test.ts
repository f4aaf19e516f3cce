import { expect, test } from 'vitest';
import { numericDate } from './issuer-client.ts';

const now = Date.UTC(2030, 0, 1);

test.each([
  [5, 5000],
  [0, 0],
  [5.5, 5500],
  ['1893456000', 1_893_456_000_000],
  [now / 1000 + 99 * 365 * 24 * 3600, now + 99 * 365 * 24 * 3_600_000],
])('%s is a date', (value, moment) => {
  expect(numericDate(value, now)).toBe(moment);
});

test.each([
  '',
  ' 5',
  '5.5',
  '-5',
  '+5',
  '0x7fffffff',
  '1e9',
  'Infinity',
  '９',
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e300,
  now / 1000 + 101 * 365.25 * 24 * 3600,
  null,
  undefined,
  true,
  [5],
  {},
])('%s is no date', (value) => {
  expect(numericDate(value, now)).toBeUndefined();
});
