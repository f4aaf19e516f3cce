import { joined } from '../contract/attribution.ts';
import { type Contract, operationOf } from '../contract/contract.ts';
import { describeWanted } from '../judge/wording.ts';
import type { Expectation } from '../plan/expectation.ts';
import { type ReportedAttribution, reportAttribution } from './attribution.ts';

/** What a case admits, in words, and the requirements behind it. */
export interface ReportedExpectation extends ReportedAttribution {
  readonly kind: Expectation['kind'];
  readonly wanted: string;
  readonly requirements: readonly string[];
}

/** Collects the distinct expectations. All cases of a plan share a few hundred. */
export function expectationTable(contract: Contract) {
  const rows: ReportedExpectation[] = [];
  const indexByRow = new Map<string, number>();
  // Cases that admit the same share one expectation object.
  const indexByExpectation = new Map<Expectation, number>();
  return {
    rows,
    indexOf(expectation: Expectation, operation: string): number {
      const known = indexByExpectation.get(expectation);
      if (known !== undefined) return known;
      const { kind, suspects, silent } = expectation;
      const reasons = kind === 'open' ? silent : suspects;
      const row: ReportedExpectation = {
        kind,
        wanted: describeWanted(contract, expectation, operationOf(contract, operation)),
        requirements: [...new Set(reasons.map(({ requirement }) => requirement))],
        ...reportAttribution(joined(reasons.map(({ attribution }) => attribution))),
      };
      const key = JSON.stringify(row);
      const index = indexByRow.get(key) ?? rows.push(row) - 1;
      indexByRow.set(key, index);
      indexByExpectation.set(expectation, index);
      return index;
    },
  };
}
