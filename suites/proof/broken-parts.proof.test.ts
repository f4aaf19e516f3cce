import { describe, expect, test } from 'vitest';
import { unitOf } from '../../harness/plan/case.ts';
import type { WireRequest } from '../../harness/plan/request.ts';
import { catalogue, contract } from '../../harness/testing/contract.ts';
import { everyVariable } from '../../harness/testing/small-world.ts';
import { checks } from '../testing/checks.ts';
import { simulate } from '../testing/simulated-run.ts';
import { type Answer, answerOf } from '../testing/trouble.ts';

// Targets in memory of which a whole part does not work. Each is one fault.
const closed: Answer = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };
const ANSWERS: readonly (readonly [what: string, answer: Answer])[] = [
  ...[401, 403, 404, 500].map((status) => [`${status}`, answerOf(status)] as const),
  ['a closed connection', closed],
];

interface Part {
  readonly operation?: string;
  readonly kind?: string;
  readonly header?: string;
}
const [OPERATION = '', OTHER = ''] = contract.operations.map(({ id }) => id);
const PARTS: readonly Part[] = [
  { operation: OPERATION },
  { operation: OTHER },
  { operation: OPERATION, kind: 'USER' },
  { operation: OTHER, kind: 'GLOBAL' },
  { operation: OPERATION, kind: 'OKTA' },
  { header: 'X-Service-ActAs', kind: 'GLOBAL' },
];

function isOf({ operation, kind, header }: Part, { path, headers }: WireRequest): boolean {
  const at = contract.operations.find(({ id }) => id === operation)?.path;
  const names = new RegExp(`^${kind}_TOKEN`);
  const tokens = Object.entries(everyVariable).flatMap(([name, token]) => (names.test(name) ? [token] : []));
  const sent = JSON.stringify(headers);
  return (
    (at === undefined || path.split('?')[0]?.endsWith(at) === true) &&
    (kind === undefined || header !== undefined || tokens.some((token) => sent.includes(token))) &&
    (header === undefined || headers.some(([name]) => name.toLowerCase() === header.toLowerCase()))
  );
}

const claims = { CONFORMANCE_CLAIMS: `${catalogue.kinds.join(' ').toLowerCase()} scopes` };
const broken = (part: Part, answer: Answer) =>
  simulate((right, _clock, request) => (request && isOf(part, request) ? answer : right()), {
    checks,
    variables: claims,
  });

// Two answers for each part. All pairs pass, and take some minutes.
const drawn = PARTS.flatMap((part, at) =>
  [at, at + 3].flatMap((turn) =>
    ANSWERS.filter((_, index) => index === turn % ANSWERS.length).map(
      ([what, answer]) => [what, part, answer] as const,
    ),
  ),
);

describe('a target of which a part does not work', () => {
  test.each(drawn)('passes nothing of it, and has one failure at most: %s to %j', async (_what, part, answer) => {
    const { judged } = await broken(part, answer);
    expect(judged.ending).toMatch(/deviates|inconclusive/);
    const isDead = (unit: string) =>
      contract.operations.some(({ id }) =>
        (part.kind ? [part.kind] : ['none', 'unknown', ...catalogue.kinds]).some(
          (kind) => (part.operation ?? id) === id && unitOf({ operation: id, kind }) === unit,
        ),
      );
    const passed = judged.decisions.filter((one) => one.verdict === 'pass' && isDead(unitOf(one)));
    const shown = judged.verdicts.filter((one) => one.verdict === 'pass' && isDead(unitOf(one.case.values)));
    // The form of an answer is seen whatever it says.
    expect(passed.filter(({ requirement }) => !requirement.startsWith('rfc.'))).toEqual([]);
    expect(shown.map((one) => one.case.id)).toEqual([]);
    expect(judged.findings.filter(({ verdict }) => verdict === 'fail').length).toBeLessThan(2);
    expect(judged.findings.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  });
});
