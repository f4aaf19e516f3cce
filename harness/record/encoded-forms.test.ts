import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyToken, FREE_SPELLINGS, finderOf, SPELLINGS } from '../testing/spellings.ts';
import { createRedactor } from './redact.ts';

const seed = 20261122;
const every = { ...SPELLINGS, ...FREE_SPELLINGS };
const TOKEN = 'f3q8Zk1LmN0/R5+TuV7wa==';

function redact(text: string, ...secrets: readonly string[]): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add('USER_TOKEN', secret);
  return redactor.text(text);
}

describe('a redactor', () => {
  test.each(Object.entries(every))('leaves out a text with a token in another form: %s', (_how, spell) => {
    expect(redact(`{"error":"no such token: ${spell(TOKEN)}"}`, TOKEN)).toBe(
      '<left out: it shows USER_TOKEN in another form>',
    );
  });

  // Without it, the tests that find nothing would prove nothing.
  test.each(Object.keys(every))('a token is found in a text that is not redacted and spells it: %s', (how) => {
    const found = (token: string) => finderOf(token)(`got ${every[how]?.(token)}`) !== undefined;
    fc.assert(fc.property(anyToken, found), { seed, numRuns: 20 });
  });

  test('shows no twelve characters of a token, however a target spells it', () => {
    const around = fc.string({ maxLength: 12 });
    const spelled = fc.record({
      token: anyToken,
      how: fc.constantFrom(...Object.keys(every)),
      around,
      other: anyToken,
    });
    fc.assert(
      fc.property(spelled, ({ token, how, around: near, other }) => {
        const text = redact(`${near}${every[how]?.(token)}${near}`, other, token);
        expect(finderOf(token)(text)).toBeUndefined();
      }),
      { seed, numRuns: 500 },
    );
  });

  test('finds a token wherever it begins in a long text', () => {
    const around = fc.string({ maxLength: 400 });
    const how = fc.constantFrom('hex', 'base64', 'reversed', 'upper case', 'hyphens after every character');
    fc.assert(
      fc.property(around, how, around, (before, spelling, after) => {
        const text = `${before} ${every[spelling]?.(TOKEN)} ${after}`;
        expect(redact(text, TOKEN)).toBe('<left out: it shows USER_TOKEN in another form>');
      }),
      { seed, numRuns: 200 },
    );
  });

  test('shows no twelve characters of a part of a token', () => {
    const part = fc.record({
      token: anyToken,
      how: fc.constantFrom(...Object.keys(every)),
      from: fc.nat(12),
      length: fc.integer({ min: 12, max: 16 }),
    });
    fc.assert(
      fc.property(part, ({ token, how, from, length }) => {
        const text = redact(`got ${every[how]?.(token.slice(from, from + length))}`, token);
        expect(finderOf(token)(text)).toBeUndefined();
      }),
      { seed, numRuns: 500 },
    );
  });

  test.each([
    ['another token', 'k9QwErTy7UiOp3AsDf5GhJ4L'],
    ['its encoding', Buffer.from('k9QwErTy7UiOp3AsDf5GhJ4L').toString('base64')],
    ['the documented messages', 'Required header missing: X-Service-ActAs'],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['ten characters of the token', TOKEN.slice(0, 10)],
    ['the base64 of six of them', Buffer.from(TOKEN.slice(0, 6)).toString('base64')],
  ])('shows %s', (_what, text) => {
    expect(redact(text, TOKEN)).toBe(text);
  });

  test.each([
    ['the domain of an address', 'PEOPLE.example'],
    ['its domain, with separators', 'you people-example'],
  ])('shows %s', (_what, text) => {
    expect(redact(text, 'u@people.example')).toBe(text);
  });

  test.each(['uma.user&commat;people.example', Buffer.from('uma.user@people.example').toString('base64')])(
    'leaves out the address %s',
    (text) => {
      expect(redact(text, 'uma.user@people.example')).toContain('left out');
    },
  );

  test('leaves out a short secret that is encoded, and shows an ordinary word that is spelled like one', () => {
    expect(redact(Buffer.from('a short pw').toString('base64'), 'short pw')).toContain('left out');
    expect(redact('X-Service-ActAs', 'service')).toBe('X-Service-ActAs');
  });

  test('still masks a token that is shown as it is', () => {
    expect(redact(`for ${TOKEN}.`, TOKEN)).toBe('for <USER_TOKEN>.');
  });
});
