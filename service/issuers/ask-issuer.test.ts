import { expect, test } from 'vitest';
import { issuerAddress } from './ask-issuer.ts';
import { numericDate } from './issuer-client.ts';

test.each(['https://login.example/keys', 'http://127.0.0.1:8081/keys', 'http://localhost', 'http://[::1]:8081'])(
  '%s is accepted',
  (address) => {
    expect(issuerAddress(address)).toEqual(new URL(address));
  },
);

test.each([
  'http://login.example',
  'http://127.0.0.1.login.example',
  'http://localhost.example',
  'http://10.0.0.1',
  'ftp://127.0.0.1',
  'login.example',
  '',
  undefined,
  7,
])('%j is not accepted', (address) => {
  expect(issuerAddress(address)).toBeUndefined();
});

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
