import { expect, test } from 'vitest';
import { cookieSetBy } from './given-sessions.ts';

test('the cookies of an answer are sent back without their attributes, and their values are registered', () => {
  const given: string[] = [];
  const api = { given: (secret: string, what: string) => given.push(`${what}: ${secret}`) as never };
  const headers = { 'set-cookie': [' sid=b7=c1 ; Path=/', 'lang=en'] };
  expect(cookieSetBy(api, { headers }, 'the cookies')).toEqual({
    ...{ id: 'cookies of the target', how: 'the cookies', name: 'Cookie', value: 'sid=b7=c1; lang=en' },
    ...{ kind: 'header', lines: [], isTelling: true, isAlone: true },
    ...{ leadsElsewhere: false, isEqual: false, isRaw: false, isFree: false },
  });
  expect(given).toEqual(['the cookies: b7=c1', 'the cookies: en']);
  expect(cookieSetBy(api, { headers: {} }, 'the cookies')).toBeUndefined();
});
