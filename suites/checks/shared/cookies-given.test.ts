import { expect, test } from 'vitest';
import { cookieSetBy, GIVEN } from './rounds.ts';

test('the cookies of an answer are sent back without their attributes, and their values are registered', () => {
  const given: string[] = [];
  const api = { given: (secret: string, what: string) => given.push(`${what}: ${secret}`) as never };
  const headers = { 'set-cookie': [' sid=b7=c1 ; Path=/', 'lang=en'] };
  expect(cookieSetBy(api, { headers }, 'the cookies')).toEqual({
    ...{
      ...GIVEN,
      id: 'cookies of the target',
      name: 'Cookie',
      isAlone: true,
      how: 'the cookies',
      value: 'sid=b7=c1; lang=en',
    },
  });
  expect(given).toEqual(['the cookies: b7=c1', 'the cookies: en']);
  expect(cookieSetBy(api, { headers: {} }, 'the cookies')).toBeUndefined();
  expect(GIVEN).toEqual({
    ...{
      kind: 'header',
      lines: [],
      isTelling: true,
      leadsElsewhere: false,
      isEqual: false,
      isRaw: false,
      isFree: false,
    },
  });
});
