import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../harness/record/redact.ts';
import { ORDINARY_BODIES } from '../harness/testing/ordinary-bodies.ts';
import { anyToken } from '../harness/testing/spellings.ts';
import { isReadable, TRANSFORMATIONS } from '../harness/testing/transformations.ts';
import { draws, seed } from './testing/draws.ts';

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

const QUERY = 'the confidential restructuring of the engineering department';
const MARKER = 'Uma will leave the payroll project in October';

test('no ordinary refusal of a well-known server is left out', {
  timeout: 600_000,
}, () => {
  const redactor = createRedactor();
  for (const [at, token] of fc.sample(anyToken, { seed, numRuns: 100 }).entries()) redactor.add(`TOKEN_${at}`, token);
  for (const name of ['uma.user', 'ann', 'olga.okta']) redactor.add(`${name}_EMAIL`, `${name}@people.example`);
  redactor.add('USER_PRIVATE_QUERY', QUERY);
  redactor.add('USER_PRIVATE_MARKER', MARKER);
  const mentioned = fc.record({
    host: fc.constantFrom('api.target.example', 'target.example', 'people.example'),
    domain: fc.constant('people.example'),
    word: fc.constantFrom(...`${QUERY} ${MARKER}`.split(' ')).filter((word) => word.length < 12),
    path: fc.webPath().map((path) => `/api${path}`),
    id: fc.uuid(),
    hex: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    time: fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString()),
    count: fc.nat(99_999_999),
  });
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(ORDINARY_BODIES)), mentioned, (server, values) => {
      const body = ORDINARY_BODIES[server]?.(values) ?? '';
      expect(redactor.text(body)).not.toContain('left out');
    }),
    draws(2000),
  );
});
