import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAdministrationAnswer } from '../harness/commands/administration.ts';
import { observe } from '../harness/record/observation.ts';
import { readAnswer } from '../harness/send/raw-socket.ts';
import { contract, observer } from '../harness/testing/small-world.ts';
import { anyDamage, anyValue, damaged } from './testing/damage.ts';
import { seed } from './testing/draws.ts';

test('an output of ADMINISTRATION_COMMAND that is damaged is read', () => {
  const output = JSON.stringify({ ok: true, secret: 'f3q8Zk1LmN0p', token: { id: '7', scopes: ['A'] }, tokens: [{}] });
  fc.assert(
    fc.property(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), anyValue, (damages, value) => {
      for (const text of [damages.reduce(damaged, output), JSON.stringify(value)])
        expect(['done', 'failed', 'refused', 'unsupported']).toContain(readAdministrationAnswer(text).kind);
    }),
    { seed, numRuns: 300 },
  );
});

test('an answer of any bytes is recorded', () => {
  const [operation] = contract.operations;
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json(),
    anyValue.map((value) => JSON.stringify(value)),
    anyDamage.map((damage) => damaged('<p a="b">&amp;<!-- x --><![CDATA[y]]><script>z</script></p>', damage)),
  );
  const headers = fc.dictionary(
    fc.constantFrom('content-type', 'www-authenticate', 'retry-after', 'x'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string())),
  );
  fc.assert(
    fc.property(fc.constantFrom(200, 204, 302, 401, 500, 599), text, headers, (status, body, lines) => {
      const seen = observe(observer, { status, headers: lines, text: body, truncated: false }, operation);
      expect(seen.status).toBe(status);
    }),
    { seed, numRuns: 500 },
  );
});

test('an answer on the wire that is damaged is read', () => {
  const whole =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3;x=y\r\nabc\r\n0\r\nC: d\r\n\r\n';
  fc.assert(
    fc.property(fc.array(anyDamage, { maxLength: 3 }), fc.boolean(), (damages, ended) => {
      const answer = readAnswer(damages.reduce(damaged, whole), ended);
      expect(typeof (answer?.status ?? 0)).toBe('number');
    }),
    { seed, numRuns: 500 },
  );
});
