import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../harness/record/redact.ts';
import { SHARED_RUN } from '../harness/record/secret-forms.ts';
import { anyToken, every, finderOf, redact, TOKEN } from '../harness/testing/spellings.ts';
import { draws } from './testing/draws.ts';

describe('a redactor', () => {
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
      draws(500),
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
      draws(200),
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
      draws(500),
    );
  });

  test('leaves no run of 12 characters of a secret', () => {
    // With few letters, secrets and texts share many runs and overlap in every way.
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 40 });
    const secrets = fc.array(letters, { minLength: 1, maxLength: 4 });
    const surrounded = fc.record({ secrets, around: letters, between: letters, from: fc.nat(20), to: fc.nat(40) });
    fc.assert(
      fc.property(surrounded, ({ secrets: all, around, between, from, to }) => {
        const redactor = createRedactor();
        for (const [index, secret] of all.entries()) redactor.add(`#${index}`, secret);
        const masked = redactor.text(`${around}${all.join(between)}${all[0]?.slice(from, to)}${around}`);
        const runs = all.flatMap((secret) =>
          Array.from({ length: Math.max(0, secret.length - SHARED_RUN + 1) }, (_, at) =>
            secret.slice(at, at + SHARED_RUN),
          ),
        );
        expect(runs.filter((run) => masked.includes(run))).toEqual([]);
      }),
      draws(500),
    );
  });
});
