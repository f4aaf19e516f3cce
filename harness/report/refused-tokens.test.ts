import { expect, test } from 'vitest';
import { reportOf } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';

/** The tokens that a report names first, if every request of the kind USER gets a status. */
const namedAfter = async (status: number) => {
  const { refusedTokens } = await reportOf({ instead: ({ kind }) => (kind === 'USER' ? answer(status) : undefined) });
  return refusedTokens.map((refused) => [refused.token, refused.status]);
};

test.each([400, 401, 403])('a full token that gets %i every time is named first', async (status) => {
  expect(await namedAfter(status)).toEqual([['$USER_TOKEN', status]]);
});

test.each([404, 408, 429])(
  'a full token that gets %i every time is not, because that says nothing about it',
  async (status) => {
    expect(await namedAfter(status)).toEqual([]);
  },
);
