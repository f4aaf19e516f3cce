import { describe, expect, test } from 'vitest';
import { type Reply, succeed } from '../../../fixtures/plain/answers.ts';
import { bodyField, type PlainRequest, searchPath } from '../../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying } from '../../testing/one-check.ts';
import { plainDeviants } from '../../testing/plain-deviants.ts';
import { pages } from './pages.ts';
import { paging } from './paging.ts';

const isPaged = (request: PlainRequest) => bodyField(request, 'pageSize') !== undefined;
const OWN = { CONFORMANCE_CLAIMS: 'user global' };

async function decide(options: PlainOptions = {}, env: Readonly<Record<string, string>> = OWN) {
  const { decisions } = await runOnPlain(pages, options, env);
  return decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}

describe('pages of other sizes', () => {
  test('pass if they hide the document of another person', async () => {
    expect(await decide()).toEqual(['user.isolation: pass', 'act-as.effective: pass']);
  });

  test('fail at once if one of them shows it, and the sentence names the page', async () => {
    for (const deviant of plainDeviants(/^plain\.page-unfiltered\./)) {
      const { decisions } = await runOnPlain(pages, deviant.options(), OWN);
      const failed = decisions.filter(({ verdict }) => verdict === 'fail');
      expect(failed.map(({ requirement }) => requirement)).toEqual([deviant.breaks]);
      expect(failed[0]?.detail).toMatch(/pageSize (1000|0|-1)\b|beyond the first page/);
    }
  });

  test.each([400, 500])('are observed if each of them gets %d', async (status) => {
    expect(await decide(answering(isPaged, saying(status)))).toEqual([
      'user.isolation: observed',
      'act-as.effective: observed',
    ]);
  });

  test('decide nothing if no token finds a private document, or if none is accepted', async () => {
    const findingNothing: PlainOptions = { succeed: (request) => succeed(request, '') };
    const undecided = ['user.isolation: inconclusive', 'act-as.effective: inconclusive'];
    expect(await decide(findingNothing)).toEqual(undecided);
    expect(await decide(answering(({ path }) => path === searchPath, saying(403)))).toEqual(undecided);
  });

  test('decide nothing of a token that belongs to nobody', async () => {
    expect(await decide({}, { CONFORMANCE_CLAIMS: 'oauth', OAUTH_EMAIL: 'nobody' })).toEqual([]);
  });
});

const isSearch = ({ path }: PlainRequest) => path === searchPath;
const hasPage = (request: PlainRequest) => isSearch(request) && bodyField(request, 'pageSize') !== undefined;

async function decidePaging(options: PlainOptions = {}, env: Readonly<Record<string, string>> = {}) {
  const { decisions } = await runOnPlain(paging, options, env);
  return [...new Set(decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`))];
}

describe('a search with pageSize', () => {
  test('passes on the plain target', async () => {
    expect(await decidePaging()).toEqual(['search.page-size: pass', 'scope.sole: pass']);
  });

  test.each([400, 403, 500])('fails if it gets %d twice, and is inconclusive if it gets that once', async (status) => {
    expect(await decidePaging(answering(hasPage, saying(status)))).toEqual(['search.page-size: fail']);
    const once = answering(hasPage, saying(status), 1);
    expect(await decidePaging(once, { CONFORMANCE_CLAIMS: 'user' })).toEqual(['search.page-size: inconclusive']);
  });

  test('fails if it is refused with one kind of token', async () => {
    const refused = answering((request) => hasPage(request) && request.record?.kind === 'AZURE', saying(400));
    expect(await decidePaging(refused)).toEqual([
      'search.page-size: pass',
      'scope.sole: pass',
      'search.page-size: fail',
    ]);
  });

  test('needs no other scope than that of search', async () => {
    const isNarrow = (request: PlainRequest) => hasPage(request) && request.record?.scopes.size === 1;
    expect(await decidePaging(answering(isNarrow, saying(403)))).toEqual([
      'search.page-size: pass',
      'scope.sole: fail',
    ]);
  });

  test.each([429, 503, 504])('is inconclusive if a gateway answers with %d', async (status) => {
    expect(await decidePaging(answering(hasPage, saying(status)))).toEqual(['search.page-size: inconclusive']);
  });

  test('fails for its body if another body comes twice, and is inconclusive if it comes once', async () => {
    expect(await decidePaging(answering(hasPage, saying(200)))).toEqual([
      'search.page-size: pass',
      'search.response: fail',
    ]);
    expect(await decidePaging(answering(hasPage, saying(200), 1))).toEqual([
      'search.page-size: pass',
      'search.response: inconclusive',
      'scope.sole: pass',
    ]);
  });

  test('is not blamed for what is also wrong without pageSize', async () => {
    const asText = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' } });
    const passed = ['search.page-size: pass', 'scope.sole: pass'];
    expect(await decidePaging(answering(isSearch, asText))).toEqual(passed);
    const created = (reply: Reply): Reply => ({ ...reply, status: reply.status === 200 ? 201 : reply.status });
    expect(await decidePaging(answering(isSearch, created))).toEqual(passed);
    const isFound = (request: PlainRequest) => isSearch(request) && request.record !== undefined;
    expect(await decidePaging(answering(isFound, saying(200)))).toEqual(passed);
  });

  test('is inconclusive if no search is accepted', async () => {
    expect(await decidePaging(answering(isSearch, saying(403)))).toEqual(['search.page-size: inconclusive']);
  });
});
