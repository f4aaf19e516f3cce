import { expect, test } from 'vitest';
import { parameterOf } from './request.ts';

test('a token in the query leaves nothing in the address that ends the parameter, or that no address has', () => {
  const written = parameterOf({ name: 'key', in: 'query', lines: {} }, 'a+b/c=, "d" #?&%\u00e4\n');
  expect(written).toBe('key=a%2Bb/c=,%20"d"%20%23%3F%26%25%C3%A4%0A');
  expect(new URLSearchParams(written).get('key')).toBe('a+b/c=, "d" #?&%\u00e4\n');
});
