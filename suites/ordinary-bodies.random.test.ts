import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../harness/record/redact.ts';
import { ORDINARY_BODIES } from '../harness/testing/ordinary-bodies.ts';
import { anyToken } from '../harness/testing/spellings.ts';
import { draws, seed } from './testing/draws.ts';

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
