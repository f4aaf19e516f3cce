import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answer } from '../testing/small-world.ts';
import { readBody } from './body-lines.ts';
import { sentenceOf } from './body-sentence.ts';
import { markerOf, placesOf } from './marker-places.ts';

const MARKER = 'marker-of-uma-4711';
const markers = [markerOf('USER_PRIVATE_MARKER', MARKER)];

const pieces = (event: (text: string) => string): string =>
  (MARKER.match(/.{1,4}/g) ?? []).map((text) => `${event(text)}\n\n`).join('');

const base64 = (text: string) => Buffer.from(text).toString('base64url');

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
  ['the events of a stream, in pieces', pieces((text) => `data: {"delta":[{"text":"${text}"}]}`), ['the body']],
  ['the text of events, in pieces', pieces((text) => `event: word\ndata: ${text}`), ['the body']],
  ['parts with their kind before them', pieces((text) => `0:"${text}"`), ['the body']],
  ['fragments', JSON.stringify({ parts: [{ text: MARKER.slice(0, 4) }, { text: MARKER.slice(4) }] }), ['the body']],
  ['a line of text', `first\nsecond ${MARKER}`, ['line 2']],
  ['entities of markup', `<p>${MARKER.replace('-', '&#45;')}</p>`, ['line 1']],
  ['capitals', JSON.stringify({ title: MARKER.toUpperCase() }), ['/title']],
  ['a highlighted text', JSON.stringify({ a: [MARKER.replace('uma', '<em class="hit">uma</em>')] }), ['/a/0']],
  ['an escaped highlight', `{"a":"${MARKER.replace('uma', '\\u003cem\\u003euma\\u003c/em\\u003e')}"}`, ['/a']],
  ['bold words of a text', `found **marker**-of-__uma__-4711`, ['line 1']],
  ['an address', JSON.stringify({ next: `/search?after=${MARKER.replaceAll('-', '%2D')}` }), ['/next']],
  ['an address that is encoded twice', `{"next":"/search?after=${MARKER.replaceAll('-', '%252D')}"}`, ['/next']],
  ['entities in JSON', JSON.stringify({ a: MARKER.replace(/./g, (one) => `&#${one.charCodeAt(0)};`) }), ['/a']],
  ['the words of an address', `{"slug":"${MARKER.replaceAll('-', '_')}"}`, ['/slug']],
  ['words that stand alone', JSON.stringify({ terms: MARKER.split('-') }), ['the body']],
  ['base64', JSON.stringify({ cursor: base64(`{"after":"${MARKER}"}`) }), ['/cursor']],
  [
    'the claims of a JWT',
    `{"trackingToken":"eyJhbGciOiJub25lIn0.${base64(`{"seen":["${MARKER}"]}`)}."}`,
    ['/trackingToken'],
  ],
  ['base64 of base64', JSON.stringify({ cursor: base64(base64(`{"after":"${MARKER}"}`)) }), ['/cursor']],
  ['base64 of UTF-16', JSON.stringify({ cursor: Buffer.from(MARKER, 'utf16le').toString('base64') }), ['/cursor']],
  ['base64 of gzip', JSON.stringify({ state: gzipSync(`{"seen":["${MARKER}"]}`).toString('base64url') }), ['/state']],
  ['a compressed cookie', `session=.${deflateSync(`{"seen":["${MARKER}"]}`).toString('base64url')}.sig`, ['line 1']],
  ['hexadecimal digits', `{"key":"${Buffer.from(MARKER).toString('hex')}"}`, ['/key']],
  ['the bytes of a buffer', JSON.stringify({ key: Buffer.from(MARKER) }), ['the body']],
  ['reverse', JSON.stringify([MARKER.split('').reverse().join('')]), ['/0']],
  ['a text with dashes that do not break', MARKER.replaceAll('-', '\u2011'), ['line 1']],
])('a private marker in %s is found at its place', (_what, text, places) => {
  expect(placesIn(text)).toEqual(places);
});

test('a private marker in a header is found there, and the body counts too', () => {
  expect(placesIn('no', { 'x-found': ['a', `b ${MARKER}`] })).toEqual(['the header x-found']);
  expect(placesIn('no', { [`x-${MARKER}`]: '1' })).toEqual(['the name of a header']);
  expect(placesIn(`"${MARKER}"`, { 'x-found': MARKER })).toEqual(['the body', 'the header x-found']);
});

test('a short marker and the token of the request are found as they are only', () => {
  const short = [markerOf('USER_PRIVATE_MARKER', 'Ada'), markerOf('USER_TOKEN', 'tOkEn-4711')];
  const found = (text: string) => placesOf({ text, headers: {} }, readBody(text), short).length;
  expect([found('Canada, token-4711'), found('Ada, tOkEn-4711')]).toEqual([0, 2]);
});

test('what only looks like compressed bytes ends nothing', () => {
  const bomb = gzipSync(Buffer.alloc(2 ** 21)).toString('base64');
  expect(placesIn(`H4sIAAAAAAAAA0000000000000000000000000 ${bomb} ${MARKER}`)).toEqual(['line 1']);
  expect(placesIn('0'.repeat(8 * 2 ** 20))).toEqual([]);
});

test('at most three places of a marker are recorded, and none of an answer without one', () => {
  expect(placesIn(JSON.stringify(Array.from({ length: 9 }, () => MARKER)))).toEqual(['/0', '/1', '/2']);
  expect(placesIn('{"a":"marker-of-ada"}')).toEqual([]);
});

test.each<[string, string, string | undefined]>([
  ['the error of a JSON object', '{"status":403,"error":"Unauthorized","detail":{"path":"/"}}', 'Unauthorized'],
  ['the detail of a problem', '{"type":"about:blank","title":"Forbidden","detail":"No scope"}', 'No scope'],
  ['the description of an OAuth error', '{"error":"invalid_token","error_description":"Expired"}', 'Expired'],
  ['a message inside an error', '{"error":{"code":7,"message":"No scope"}}', 'No scope'],
  ['the first of several errors', '{"error":["No scope","No person"]}', 'No scope'],
  ['another string of a JSON object', '{"code":7,"text":"No scope"}', 'No scope'],
  ['a JSON string', '"No scope"', 'No scope'],
  ['the title of a page', '<!doctype html><html lang="en"><title> Forbidden </title><p>No scope</p>', 'Forbidden'],
  ['the first text of other markup', '<error>No scope</error>', 'No scope'],
  ['the first line of a text', '\nNo scope\nfor you', 'No scope'],
  ['the data of an event', 'data: {"error":"No scope"}\n\n', 'No scope'],
  ['nothing, of JSON without texts', '{"status":403}', undefined],
  ['nothing, of an empty body', ' ', undefined],
])('a refusal says %s', (_what, body, sentence) => {
  expect(sentenceOf(answer(403, body))).toBe(sentence);
});

test('a refusal says nothing that is cut from the middle of JSON', () => {
  expect(sentenceOf(answer(403, JSON.stringify({ trace: 'x'.repeat(3000), error: 'No scope' })))).toBeUndefined();
});
