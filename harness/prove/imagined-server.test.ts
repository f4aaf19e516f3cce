import { expect, test } from 'vitest';
import { unwantedOf } from './imagined-server.ts';

test.each<[number, readonly number[], number | undefined]>([
  [200, [], 206],
  [206, [], 200],
  [200, [206], 202],
  [200, [201, 202, 203, 204, 205, 206], undefined],
])('an operation with the success %d and %j is answered with %s to break it', (status, others, unwanted) => {
  expect(unwantedOf({ status, others, validate: undefined })).toBe(unwanted);
});
