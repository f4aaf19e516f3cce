import { describe, expect, test } from 'vitest';
import { identify } from '../../fixtures/plain/answers.ts';
import type { PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { bursts } from './bursts.ts';

const isUser = ({ record }: PlainRequest) => record?.kind === 'USER';

/** The verdict on a USER token in a burst. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(bursts, options);
  return decisions.find(({ kind }) => kind === 'USER')?.verdict;
}
/** As somebody else, so many times. */
const running = (as: string, times: number) => {
  let left = times;
  return (request: PlainRequest) => (isUser(request) && left-- > 0 ? as : identify(request));
};

describe('in a burst of two people', () => {
  test('each gets their own answers from the plain target', async () => {
    expect(await decide()).toBe('pass');
  });

  test("a look at the other person's document is a failure at once", async () => {
    const marker = tokens.env.ACT_AS_PRIVATE_MARKER;
    const telling = answering(isUser, (reply) => ({ ...reply, headers: { ...reply.headers, 'X-Hidden': marker } }), 1);
    expect(await decide(telling)).toBe('fail');
  });

  test('a document that is missing counts when one is missing again', async () => {
    expect(await decide({ identify: running('', 1) })).toBe('inconclusive');
    expect(await decide({ identify: running('', 99) })).toBe('fail');
  });

  test('nothing is shown where nothing is accepted', async () => {
    expect(await decide(answering(isUser, saying(403)))).toBe('inconclusive');
  });
});
