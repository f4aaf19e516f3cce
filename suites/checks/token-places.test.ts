import { describe, expect, test } from 'vitest';
import { advice } from '../../fixtures/deviants/advice.ts';
import { type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, blameOnPlain, runOnPlain, saying, tellingOnPlain, tokens } from '../testing/one-check.ts';
import { tokenPlaces } from './token-places.ts';

/** The verdicts on the plain target with pieces replaced, by requirement. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(tokenPlaces, options);
  const of = (id: string) => decisions.flatMap(({ requirement, verdict }) => (requirement === id ? [verdict] : []));
  return { query: [...new Set(of('rfc.query-token'))], body: [...new Set(of('rfc.body-token'))] };
}
const isSearch = ({ path, method }: PlainRequest) => path === plainOperations[0]?.path && method === 'POST';

describe('a token elsewhere than in Authorization', () => {
  test('is refused by the plain target', async () => {
    expect(await decide()).toEqual({ query: ['pass'], body: ['pass'] });
  });

  test.each(advice.filter(({ breaks }) => breaks.endsWith('-token')))('$what: a warning', async (deviant) => {
    if (deviant.base !== 'plain') return;
    const { blamed } = await blameOnPlain(
      tokenPlaces,
      deviant.replace(() => undefined, tokens.env),
    );
    expect(blamed).toEqual([deviant.breaks]);
  });

  test('is sent in a body with one kind of each family on another machine', async () => {
    const decisions = await tellingOnPlain([tokenPlaces]);
    const ofBody = decisions.filter(({ requirement }) => requirement === 'rfc.body-token');
    expect(ofBody.map(({ operation, kind }) => `${operation}/${kind}`)).toEqual([
      'search/USER',
      'search/OAUTH',
      'search/GOOGLE',
    ]);
  });

  test('is inconclusive if no answer comes', async () => {
    const inQuery = ({ query }: PlainRequest) => query.includes('access_token');
    expect(await decide(answering(inQuery, saying(503)))).toEqual({ query: ['inconclusive'], body: ['pass'] });
  });

  test('is not blamed if requests without a token are accepted, or if the token is refused in Authorization', async () => {
    for (const status of [200, 403]) {
      const { query, body } = await decide(answering(isSearch, saying(status)));
      expect([...query, ...body]).not.toContain('warn');
    }
  });
});
