import { type Basis, type Contract, operationOf } from '../contract/contract.ts';
import { describeWanted } from '../judge/wording.ts';
import type { Expectation } from '../plan/expectation.ts';

/** What a case admits, in words, and the requirements that it rests on. */
export interface ReportedExpectation {
  readonly kind: Expectation['kind'];
  readonly wanted: string;
  readonly requirements: readonly string[];
  readonly basis: Basis;
}

/** Some hundred expectations stand behind all cases. */
export function expectationTable(contract: Contract) {
  const rows: ReportedExpectation[] = [];
  const known = new Map<string, number>();
  // The plan gives cases that admit the same one and the same expectation.
  const seen = new Map<Expectation, number>();
  return {
    rows,
    indexOf(expectation: Expectation, operation: string): number {
      const before = seen.get(expectation);
      if (before !== undefined) return before;
      const { kind, suspects, silent } = expectation;
      const resting = kind === 'open' ? silent : suspects;
      const row: ReportedExpectation = {
        kind,
        wanted: describeWanted(contract, expectation, operationOf(contract, operation)),
        requirements: [...new Set(resting.map(({ requirement }) => requirement))],
        basis: resting.some(({ basis }) => basis === 'interpreted') ? 'interpreted' : 'stated',
      };
      const key = JSON.stringify(row);
      const index = known.get(key) ?? rows.push(row) - 1;
      known.set(key, index);
      seen.set(expectation, index);
      return index;
    },
  };
}
