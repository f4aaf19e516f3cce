import { describe, expect, test } from 'vitest';
import { everyTime as deviants } from '../../fixtures/deviants/intermittent.ts';
import { searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { everyTime } from './every-time.ts';

async function decide(options: PlainOptions = {}) {
  const { decisions, requests } = await runOnPlain(everyTime, options, { CONFORMANCE_CLAIMS: 'user global' });
  return { requests, found: decisions.map(({ kind, requirement, verdict }) => `${kind} ${requirement}: ${verdict}`) };
}
/** A GLOBAL token acts as either person in turn. */
const each = (verdict: string) => ['USER', 'GLOBAL', 'GLOBAL'].map((kind) => `${kind} token.expired: ${verdict}`);

describe('a refused request between accepted ones', () => {
  test('passes if it is refused every time, in 24 requests for each kind and person', async () => {
    expect(await decide()).toEqual({ requests: 72, found: each('pass') });
  });

  test('fails if it is accepted once', async () => {
    for (const deviant of deviants)
      if (deviant.base === 'plain')
        expect((await decide(deviant.replace(() => {}, tokens.env))).found).toEqual(each('fail'));
  });

  test.each([403, 503])('decides nothing, and stops early, if everything gets %d', async (status) => {
    const { requests, found } = await decide(answering(({ path }) => path === searchPath, saying(status)));
    expect(found).toEqual(each('inconclusive'));
    expect(requests).toBeLessThan(40);
  });
});
