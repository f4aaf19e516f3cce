import { describe, expect, test } from 'vitest';
import { identify } from '../../fixtures/plain/answers.ts';
import type { PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { bursts } from './bursts.ts';

const isUser = ({ record }: PlainRequest) => record?.kind === 'USER';

/** The verdict on the USER token. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(bursts, options);
  return decisions.find(({ kind }) => kind === 'USER')?.verdict;
}
/** Runs a number of USER requests as this person. */
const runningAs = (person: string, times: number) => {
  let left = times;
  return (request: PlainRequest) => (isUser(request) && left-- > 0 ? person : identify(request));
};

describe('a burst of two people', () => {
  test('passes if each of them gets their own answers', async () => {
    expect(await decide()).toBe('pass');
  });

  test("is a failure at once if an answer shows the other person's marker", async () => {
    const marker = tokens.env.ACT_AS_PRIVATE_MARKER;
    const telling = answering(isUser, (reply) => ({ ...reply, headers: { ...reply.headers, 'X-Hidden': marker } }), 1);
    expect(await decide(telling)).toBe('fail');
  });

  test('is a failure if a document is missing in every burst only, and inconclusive if it is missing in one or always', async () => {
    expect(await decide({ identify: runningAs('', 1) })).toBe('inconclusive');
    // 12 requests of each person in each of four bursts, and the same request alone afterwards.
    expect(await decide({ identify: runningAs('', 48) })).toBe('fail');
    expect(await decide({ identify: runningAs('', 99) })).toBe('inconclusive');
  });

  test('is inconclusive if no request is accepted', async () => {
    expect(await decide(answering(isUser, saying(403)))).toBe('inconclusive');
  });
});
