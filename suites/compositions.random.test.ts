import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../harness/record/redact.ts';
import { anyToken } from '../harness/testing/spellings.ts';
import { isReadable, TRANSFORMATIONS } from '../harness/testing/transformations.ts';
import { draws } from './testing/draws.ts';

const names = Object.keys(TRANSFORMATIONS);
const anyComposition = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const spelled = (how: readonly string[], text: string) =>
  how.reduce((inner, name) => TRANSFORMATIONS[name]?.spell(inner) ?? '', text);
/** What somebody reads who knows how the text was made. */
const read = (how: readonly string[], shown: string) =>
  how.reduceRight((outer, name) => TRANSFORMATIONS[name]?.read(outer) ?? '', shown);

/** Of a hundred tokens that are spelled in three ways at once, so many are shown to somebody who knows all three. */
const MOST_OF_A_HUNDRED = 1;

test('no text shows a token, however a target spells it, and whatever it does with that', { timeout: 900_000 }, () => {
  expect(names.length).toBeGreaterThan(40);
  let [drawn, readable] = [0, 0];
  let redactor = createRedactor();
  const shownPlainly: string[] = [];
  const shownToInitiates: string[] = [];
  fc.assert(
    fc.property(anyToken, anyComposition, (token, how) => {
      // A redactor of all tokens would take long, and so would one for each.
      if (drawn % 100 === 0) redactor = createRedactor();
      redactor.add(`TOKEN_${drawn}`, token);
      const text = `{"error":"no such token: ${spelled(how, token)}"}`;
      const shown = redactor.text(text);
      drawn += 1;
      if (isReadable(text, token) || isReadable(read(how, text), token)) readable += 1;
      if (isReadable(shown, token)) shownPlainly.push(`${how.join(', then ')}: ${shown}`);
      else if (isReadable(read(how, shown), token)) shownToInitiates.push(how.join(', then '));
    }),
    draws(100_000, 1 / 50),
  );
  expect(shownPlainly).toEqual([]);
  // Otherwise the reader is blind, and what it does not find proves nothing.
  expect(readable).toBeGreaterThan(0.95 * drawn);
  expect(shownToInitiates.length, shownToInitiates.slice(0, 50).join('\n')).toBeLessThan(
    (MOST_OF_A_HUNDRED * drawn) / 100,
  );
});
