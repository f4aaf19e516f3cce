import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contract } from '../testing/contract.ts';
import { observe } from './observation.ts';
import { createRedactor } from './redact.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7w';

/** The excerpts of refusals with a token in base64 at their begin, and whatever follows it. */
function excerptsOf(count: number, rest: (nth: number) => string) {
  const redactor = createRedactor();
  redactor.add('USER_TOKEN', TOKEN);
  const observer = { messages: contract.rules.messages, redactor, markers: [] };
  return Array.from({ length: count }, (_, nth) => {
    const said = nth % 10 === 0 ? Buffer.from(TOKEN).toString('base64') : 'refused';
    const headers = { 'content-type': 'text/plain' };
    const answer = { status: 401, headers, text: `${said} ${rest(nth)}`, truncated: false };
    const { excerpt = '' } = observe(observer, answer, undefined);
    return excerpt;
  });
}

/** Four thousand characters in words that come nowhere else. They hide nothing, so that they are read soon. */
const noise = (nth: number) =>
  Array.from({ length: 58 }, (_, part) => {
    const digits = createHash('sha256').update(`${nth} ${part}`).digest('hex');
    const letters = digits.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
    return (letters.match(/.{6}/g) ?? []).join(' ');
  }).join(' ');

test('of long refusals that are never alike, less is shown after the first hundred, and never a secret', () => {
  const excerpts = excerptsOf(200, noise);
  expect(excerpts.every((excerpt, nth) => excerpt.startsWith(nth % 10 === 0 ? '<left out' : 'refused'))).toBe(true);
  const lengths = excerpts.filter((_, nth) => nth % 10 !== 0).map(({ length }) => length);
  expect([lengths[0], lengths.at(-1)]).toEqual([2048, 128]);
});

test('long refusals that are alike are shown as before, however many they are, also where each has an id', () => {
  const excerpts = excerptsOf(200, (nth) => `${String(nth).padStart(12, '1')} ${noise(0)}`);
  expect(excerpts.at(-1)).toHaveLength(2048);
});
