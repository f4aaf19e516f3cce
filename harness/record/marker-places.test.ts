import { expect, test } from 'vitest';
import { readBody } from './body-lines.ts';
import { placesOf } from './marker-places.ts';

const MARKER = 'marker-of-uma-4711';
const markers = new Map([['USER_PRIVATE_MARKER', MARKER]]);

function placesIn(text: string, headers: Readonly<Record<string, string | string[]>> = {}): readonly string[] {
  return placesOf({ text, headers }, readBody(text), markers).map(({ at }) => at);
}

test.each([
  ['a string of JSON', JSON.stringify({ results: [{}, { snippet: `x ${MARKER}` }] }), ['/results/1/snippet']],
  ['an escaped string of JSON', `{"a":"${MARKER.replace('m', '\\u006d')}"}`, ['/a']],
  ['a key of JSON', JSON.stringify({ a: { [MARKER]: 1 } }), ['/a/*']],
  ['a value below a key that may be a secret', JSON.stringify({ 'k-4711': { note: MARKER } }), ['/*/note']],
  ['a body that is one JSON string', JSON.stringify(MARKER), ['the body']],
  ['JSON that is nested too deeply', `${'['.repeat(600)}"${MARKER}"${']'.repeat(600)}`, ['the body']],
  ['a line of NDJSON', `{"a":1}\n{"text":"${MARKER}"}\n`, ['line 2 /text']],
  ['the data of an event', `data: {"a":1}\n\ndata: {"text":["${MARKER}"]}\n\n`, ['line 3 /text/0']],
  ['a line of text', `first\nsecond ${MARKER}`, ['line 2']],
  ['entities of markup', `<p>${MARKER.replace('-', '&#45;')}</p>`, ['the body']],
])('a private marker in %s is found at its place', (_what, text, places) => {
  expect(placesIn(text)).toEqual(places);
});

test('a private marker in a header is found there, and the body counts too', () => {
  expect(placesIn('no', { 'x-found': ['a', `b ${MARKER}`] })).toEqual(['the header x-found']);
  expect(placesIn(`"${MARKER}"`, { 'x-found': MARKER })).toEqual(['the body', 'the header x-found']);
});

test('at most three places of a marker are recorded, and none of an answer without one', () => {
  expect(placesIn(JSON.stringify(Array.from({ length: 9 }, () => MARKER)))).toEqual(['/0', '/1', '/2']);
  expect(placesIn('{"a":"marker-of-ada"}')).toEqual([]);
});
