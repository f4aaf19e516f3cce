import { describe, expect, test } from 'vitest';
import { type Reply, succeed } from '../../fixtures/plain/answers.ts';
import { actAsEmail } from '../../fixtures/plain/people.ts';
import { bodyField, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying } from '../testing/one-check.ts';
import { paging } from './paging.ts';

const isSearch = ({ path }: PlainRequest) => path === searchPath;
const isPaged = (request: PlainRequest) => isSearch(request) && bodyField(request, 'pageSize') !== undefined;

const UNSEEN = 'user.isolation: pass';
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(paging, options);
  return decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}

describe('a search with pageSize', () => {
  test('passes on the plain target', async () => {
    expect(await decide()).toEqual(['search.page-size: pass', UNSEEN]);
  });

  test.each([400, 403, 500])('that is answered with %d is blamed when that comes again', async (status) => {
    expect(await decide(answering(isPaged, saying(status)))).toEqual(['search.page-size: fail']);
    expect(await decide(answering(isPaged, saying(status), 1))).toEqual(['search.page-size: inconclusive']);
  });

  test.each([429, 503, 504])('that a gateway answers with %d is undecided', async (status) => {
    expect(await decide(answering(isPaged, saying(status)))).toEqual(['search.page-size: inconclusive']);
  });

  test('that gets another body is blamed for the body when that comes again', async () => {
    expect(await decide(answering(isPaged, saying(200)))).toEqual([
      'search.page-size: pass',
      'search.response: fail',
      UNSEEN,
    ]);
    expect(await decide(answering(isPaged, saying(200), 1))).toEqual([
      'search.page-size: pass',
      'search.response: inconclusive',
      UNSEEN,
    ]);
  });

  test('is not blamed for what is wrong without it too', async () => {
    const asText = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } });
    expect(await decide(answering(isSearch, asText))).toEqual(['search.page-size: pass', UNSEEN]);
    const created = (reply: Reply): Reply => ({ ...reply, status: reply.status === 200 ? 201 : reply.status });
    expect(await decide(answering(isSearch, created))).toEqual(['search.page-size: pass', UNSEEN]);
    expect(await decide(answering(isSearch, saying(200)))).toEqual(['search.page-size: pass', UNSEEN]);
  });

  test('that finds what only another person may see is blamed at once', async () => {
    const unfiltered: PlainOptions = {
      succeed: (request, person) => succeed(request, isPaged(request) ? actAsEmail : person),
    };
    expect(await decide(unfiltered)).toEqual(['search.page-size: pass', 'user.isolation: fail']);
  });

  test('shows nothing where no search is accepted', async () => {
    expect(await decide(answering(isSearch, saying(403)))).toEqual(['search.page-size: inconclusive']);
  });
});
