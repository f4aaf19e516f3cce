import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../fixtures/plain/answers.ts';
import { bodyField, type PlainRequest, searchPath } from '../../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying } from '../../testing/one-check.ts';
import { paging } from './paging.ts';

const isSearch = ({ path }: PlainRequest) => path === searchPath;
const isPaged = (request: PlainRequest) => isSearch(request) && bodyField(request, 'pageSize') !== undefined;

async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(paging, options);
  return decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}

describe('a search with pageSize', () => {
  test('passes on the plain target', async () => {
    expect(await decide()).toEqual(['search.page-size: pass']);
  });

  test.each([400, 403, 500])('fails if it gets %d twice, and is inconclusive if it gets that once', async (status) => {
    expect(await decide(answering(isPaged, saying(status)))).toEqual(['search.page-size: fail']);
    expect(await decide(answering(isPaged, saying(status), 1))).toEqual(['search.page-size: inconclusive']);
  });

  test.each([429, 503, 504])('is inconclusive if a gateway answers with %d', async (status) => {
    expect(await decide(answering(isPaged, saying(status)))).toEqual(['search.page-size: inconclusive']);
  });

  test('fails for its body if another body comes twice, and is inconclusive if it comes once', async () => {
    expect(await decide(answering(isPaged, saying(200)))).toEqual(['search.page-size: pass', 'search.response: fail']);
    expect(await decide(answering(isPaged, saying(200), 1))).toEqual([
      'search.page-size: pass',
      'search.response: inconclusive',
    ]);
  });

  test('is not blamed for what is also wrong without pageSize', async () => {
    const asText = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } });
    expect(await decide(answering(isSearch, asText))).toEqual(['search.page-size: pass']);
    const created = (reply: Reply): Reply => ({ ...reply, status: reply.status === 200 ? 201 : reply.status });
    expect(await decide(answering(isSearch, created))).toEqual(['search.page-size: pass']);
    const isFound = (request: PlainRequest) => isSearch(request) && request.record !== undefined;
    expect(await decide(answering(isFound, saying(200)))).toEqual(['search.page-size: pass']);
  });

  test('is inconclusive if no search is accepted', async () => {
    expect(await decide(answering(isSearch, saying(403)))).toEqual(['search.page-size: inconclusive']);
  });
});
