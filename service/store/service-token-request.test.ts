import { expect, test } from 'vitest';
import { endOfDay, lastDay } from './service-token-request.ts';

test('a date becomes the end of its day in UTC, and is read back from it', () => {
  expect(new Date(endOfDay('2030-12-31')).toISOString()).toBe('2031-01-01T00:00:00.000Z');
  expect(new Date(endOfDay('2028-02-29')).toISOString()).toBe('2028-03-01T00:00:00.000Z');
  for (const date of ['2030-12-31', '2028-02-29', '9999-12-31']) expect(lastDay(endOfDay(date))).toBe(date);
});

test('the last day of a token that expires within a day is that day', () => {
  expect(lastDay(Date.UTC(2030, 4, 6, 12))).toBe('2030-05-06');
});

test.each([
  '2030-02-30',
  '2029-02-29',
  '2030-13-01',
  '2030-1-1',
  '31.12.2030',
  '2030-12-31T00:00',
  'tomorrow',
  '12030-01-01',
])('"%s" is not a date', (text) => {
  expect(endOfDay(text)).toBeNaN();
});
