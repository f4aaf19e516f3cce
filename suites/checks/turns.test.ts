import { expect, test } from 'vitest';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { OTHER_REQUESTS } from '../../harness/judge/alike-causes.ts';
import { answering, runOnPlain, saying } from '../testing/one-check.ts';
import { plainDeviants } from '../testing/plain-deviants.ts';
import { turns } from './sequences.ts';

async function decide(options: PlainOptions = {}, claims = 'user global okta') {
  const { decisions, requests } = await runOnPlain(turns, options, { CONFORMANCE_CLAIMS: claims });
  return { decisions, requests, found: decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`) };
}

test('documented requests that are accepted in any order pass, for each operation and kind', async () => {
  const each = ['user', 'global'].flatMap((kind) => Array(2).fill(`${kind}.accepted: pass`));
  const { found, requests } = await decide();
  expect(found.sort()).toEqual([...each, ...Array(2).fill('oauth.external: pass')].sort());
  expect(requests).toBeLessThanOrEqual(28);
});

test.each(['plain.search-after-chat-500', 'plain.other-person-500'])('%s is blamed once', async (id) => {
  for (const { breaks, options } of plainDeviants(new RegExp(`^${id}$`))) {
    const { decisions } = await decide(options());
    expect(decisions.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
      { requirement: breaks, influence: OTHER_REQUESTS },
    ]);
  }
});

test('what is refused on a new connection too is left to the matrix', async () => {
  const refused = answering(({ record }) => record?.kind === 'USER', saying(403));
  expect((await decide(refused, 'user global')).found.every((one) => one === 'global.accepted: pass')).toBe(true);
});
