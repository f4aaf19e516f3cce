import { expect, test } from 'vitest';
import { CURSOR, namesIn, saidBeside } from './named-texts.ts';

const named = (text: string, which?: RegExp) => namesIn({ answer: { text } as never }, which);

test('an answer names texts without blanks, and a cursor by its usual names', () => {
  expect(named('{"trackingToken":"t-1","title":"two words","nextPage":"p-2"}')).toEqual({
    ...{ trackingToken: 't-1', nextPage: 'p-2', cursor: 'p-2', pageToken: 'p-2' },
  });
  expect(named('{"trackingToken":"t-1"}', CURSOR)).toEqual({});
});

test('a cursor may be a number, or stand in an envelope, and not in what was found', () => {
  expect(named('{"nextCursor":2,"page":1}', CURSOR)).toEqual({ cursor: 2, pageToken: 2 });
  expect(named('{"paging":{"next":{"cursor":"c"}}}', CURSOR)).toEqual({ cursor: 'c', pageToken: 'c' });
  expect(named('{"results":[{"webpage":"w"}]}', CURSOR)).toEqual({});
});

test('an answer may be deep', () => {
  const deep = 100_000;
  expect(named(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`, CURSOR)).toEqual({});
});

test('what stands beside a text in its item is told, and nothing of the other items', () => {
  const first = { id: 'd-1', title: 'Uma leaves in October', author: { name: 'Uma Ulrich-Sommer' }, tags: ['pay', ''] };
  const text = JSON.stringify({ data: { results: [first, { id: 'd-2', title: 'Travel' }] }, requestId: 'r' });
  expect(saidBeside({ answer: { text } as never }, 'leaves in')).toEqual(['d-1', 'Uma Ulrich-Sommer']);
  expect(saidBeside({ answer: { text: 'no JSON' } as never }, 'leaves in')).toEqual([]);
});
