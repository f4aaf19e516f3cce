import { expect, test } from 'vitest';
import { succeed } from '../../fixtures/plain/answers.ts';
import { bodyField, isObject, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying } from '../testing/one-check.ts';
import { nothingFound } from './nothing-found.ts';

async function decide(options: PlainOptions = {}) {
  const { decisions, requests } = await runOnPlain(nothingFound, options);
  expect(requests).toBeLessThan(20);
  return decisions.map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}
const isSearch = ({ path }: PlainRequest) => path === searchPath;

test('a search for a made-up word passes where it finds nothing in the documented way', async () => {
  expect(await decide()).toEqual(['search.response: pass']);
});

test('it is blamed where nothing is null', async () => {
  const asked: unknown[] = [];
  const nulled: PlainOptions = {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      asked.push(bodyField(request, 'query'));
      return isObject(answer.body) ? { ...answer, body: { ...answer.body, results: null } } : answer;
    },
  };
  expect(await decide(nulled)).toEqual(['search.response: fail']);
  // One word, that no text holds a part of.
  expect(asked).toEqual([expect.stringMatching(/^qzxwvk\w+$/), asked[0]]);
});

test('it is undecided where that came once, and where no answer came', async () => {
  expect(await decide(answering(isSearch, saying(200), 1))).toEqual(['search.response: inconclusive']);
  expect(await decide(answering(isSearch, saying(504)))).toEqual(['search.response: inconclusive']);
  expect(await decide(answering(isSearch, saying(403)))).toEqual(['search.response: inconclusive']);
});

test('another status than the documented one is not its matter', async () => {
  expect(await decide(answering(isSearch, saying(202)))).toEqual(['search.response: pass']);
});
