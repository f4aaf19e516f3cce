import { describe, expect, test } from 'vitest';
import { succeed } from '../../fixtures/plain/answers.ts';
import { bodyField, chatPath, isObject, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { answering, runOnPlain, saying, tellingOnPlain } from '../testing/one-check.ts';
import { nothingFound } from './nothing-found.ts';

async function decide(options: PlainOptions = {}) {
  const { decisions, requests } = await runOnPlain(nothingFound, options);
  expect(requests).toBeLessThan(20);
  return linesOf(decisions).filter((line) => line.startsWith('search'));
}
const linesOf = (decisions: readonly Decision[]) =>
  decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
const isSearch = ({ path }: PlainRequest) => path === searchPath;

test('a search without results passes if it has the documented body', async () => {
  expect(await decide()).toEqual(['search.response: pass', 'search.response: pass']);
});

test('a search without results fails if results is null', async () => {
  const asked: unknown[] = [];
  const nulled: PlainOptions = {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      if (isSearch(request)) asked.push(bodyField(request, 'query'));
      return isObject(answer.body) ? { ...answer, body: { ...answer.body, results: null } } : answer;
    },
  };
  expect(await decide(nulled)).toEqual(['search.response: fail']);
  // One made-up word, sent again.
  expect(asked.length).toBeGreaterThan(1);
  expect([...new Set(asked)]).toEqual([expect.stringMatching(/^qzxwvk\w+$/)]);
});

test('a search without results is inconclusive if another body comes once, or if no answer comes', async () => {
  expect(await decide(answering(isSearch, saying(200), 1))).toEqual(['search.response: inconclusive']);
  expect(await decide(answering(isSearch, saying(504)))).toEqual(['search.response: inconclusive']);
  expect(await decide(answering(isSearch, saying(403)))).toEqual(['search.response: inconclusive']);
});

test('a search without results passes if the status is not the documented one: the matrix judges that', async () => {
  const isFound = (request: PlainRequest) => isSearch(request) && request.record !== undefined;
  expect(await decide(answering(isFound, saying(202)))).toEqual(['search.response: pass', 'search.response: pass']);
});

test('a search without results fails if it gets 404 and other searches succeed', async () => {
  const isUnmatched = (request: PlainRequest) =>
    isSearch(request) && /^qzxwvk/.test(String(bodyField(request, 'query')));
  expect(await decide(answering(isUnmatched, saying(404)))).toEqual(['search.success: fail']);
});

describe('a search in other scripts that gets an error', () => {
  const inOtherScript = (request: PlainRequest) =>
    isSearch(request) && /検索/.test(String(bodyField(request, 'query')));

  test('fails if it comes twice and other searches succeed', async () => {
    expect(await decide(answering(inOtherScript, saying(500)))).toEqual([
      'search.response: pass',
      'search.success: fail',
    ]);
  });

  test('fails if an apostrophe alone is what the target cannot take', async () => {
    const hasApostrophe = (request: PlainRequest) =>
      isSearch(request) && String(bodyField(request, 'query')).includes("'");
    expect(await decide(answering(hasApostrophe, saying(500)))).toEqual([
      'search.response: pass',
      'search.success: fail',
    ]);
  });

  test('is inconclusive if it comes once, or if each search gets 500', async () => {
    expect(await decide(answering(inOtherScript, saying(500), 1))).toEqual([
      'search.response: pass',
      'search.success: inconclusive',
    ]);
    expect(await decide(answering(isSearch, saying(500)))).toEqual(['search.response: inconclusive']);
  });

  test('may be refused as a bad request, because the specification does not say what a query may contain', async () => {
    expect(await decide(answering(inOtherScript, saying(400)))).toEqual([
      'search.response: pass',
      'search.response: observed',
    ]);
  });
});

describe('a chat about what nobody wrote of', () => {
  const isStrange = (request: PlainRequest) =>
    request.path === chatPath && /検索/.test(String(bodyField(request, 'query')));

  test('passes, and fails if it gets a server error in other scripts', async () => {
    const ofChats = async (options: PlainOptions = {}) =>
      linesOf((await runOnPlain(nothingFound, options)).decisions).filter((line) => line.startsWith('chat'));
    expect(await ofChats()).toEqual(['chat.response: pass', 'chat.response: pass']);
    expect(await ofChats(answering(isStrange, saying(500)))).toEqual(['chat.response: pass', 'chat.success: fail']);
  });

  test('is not sent where chats are few', async () => {
    expect(linesOf(await tellingOnPlain([nothingFound]))).toEqual(['search.response: pass', 'search.response: pass']);
  });
});
