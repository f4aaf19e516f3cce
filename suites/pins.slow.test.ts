import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEPTHS } from '../harness/contract/contract.ts';
import { describeWanted } from '../harness/judge/miss.ts';
import { expand } from '../harness/plan/expand.ts';
import { expect as expectationOf } from '../harness/plan/expectation.ts';
import { contract } from '../harness/testing/contract.ts';

// What others rely on: baselines and tickets name cases by id, journals name the contract by its digest, programs read
// report.json. A pin changes only in a commit that says why.
const PINS = {
  contract: 'c0bf23f49e6bb086',
  core: '184af43f11b9db97',
  pairwise: 'a38aabc8c266c209',
  triples: '508d616e6f3a244d',
  full: 'e9c97e03667d308e',
  'schema of report.json': '82fdab76d5191cde',
};

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Every case id with what the case admits, in words. */
const admitted = (depth: (typeof DEPTHS)[number]) =>
  hash(
    expand(contract, depth)
      .map(({ id, values }) => {
        const operation = contract.operations.find((known) => known.id === values.operation);
        if (!operation) throw new Error(`no operation ${values.operation}`);
        return `${id} ${describeWanted(contract, expectationOf(contract, values), operation)}`;
      })
      .sort()
      .join('\n'),
  );

describe('pinned', () => {
  test('the digest of the contract', () => {
    expect(contract.digest).toBe(PINS.contract);
  });

  test.each(DEPTHS)('the case ids of depth %s, and what each admits', (depth) => {
    expect(admitted(depth)).toBe(PINS[depth]);
  });

  test('the schema of report.json', () => {
    expect(hash(readFileSync('specs/schemas/report.schema.json', 'utf8'))).toBe(PINS['schema of report.json']);
  });
});
