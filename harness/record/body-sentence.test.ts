import { expect, test } from 'vitest';
import { answer } from '../testing/small-world.ts';
import { sentenceOf } from './body-sentence.ts';

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
