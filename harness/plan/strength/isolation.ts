import { ACCEPTED, type Contract, holds } from '../../contract/contract.ts';
import { rowsOf } from '../../contract/table.ts';
import { type Case, caseOfRow, rowOfCase, unitsIn } from '../case.ts';
import { faultsOf, silentRulesOf } from '../expectation.ts';
import { factorsOf, product, type Row } from '../product.ts';

/** A case that shows one rule, because it has no fault against another. A case that must be accepted shows the acceptance. */
export interface Isolated extends Case {
  /** The id of the rule, or `accepted`. */
  readonly rule: string;
  /** The specification leaves nothing of the case open. Otherwise the target may refuse it for what is open. */
  readonly isClear: boolean;
}

/** The case with the rule that it isolates. Undefined if it has faults against several requirements, or if it is left open. */
export function isolationOf(contract: Contract, { id, values }: Case): Isolated | undefined {
  const [first, ...others] = faultsOf(contract, values);
  const isClear = silentRulesOf(contract, values).length === 0;
  if (first === undefined) return isClear ? { id, values, rule: ACCEPTED, isClear } : undefined;
  if (others.some(({ requirement }) => requirement !== first.requirement)) return undefined;
  return { id, values, rule: first.id, isClear };
}

/** Every case of these kinds that shows one rule. */
export function isolatedCases(contract: Contract, kinds = Object.keys(contract.matrix.kinds)): readonly Isolated[] {
  const { prepared } = contract;
  if (!prepared) return casesWithoutMasking(contract, kinds).flatMap((one) => isolationOf(contract, one) ?? []);
  const kind = contract.dimensions.indexOf('kind');
  return rowsOf(prepared.isolated)
    .filter((row) => kinds.includes(row[kind] ?? ''))
    .map((row) => isolatedOfRow(contract, row));
}

/** The row of the case, its rule, and `clear` or `open`. */
export function rowOfIsolated(contract: Contract, isolated: Isolated): readonly string[] {
  return [...rowOfCase(contract, isolated), isolated.rule, isolated.isClear ? 'clear' : 'open'];
}

function isolatedOfRow(contract: Contract, row: readonly string[]): Isolated {
  const { id, values } = caseOfRow(contract, row);
  const [rule = '', clearness] = row.slice(contract.dimensions.length);
  return { id, values, rule, isClear: clearness === 'clear' };
}

/** Every case of the product without faults against several requirements. Most cases have such faults. */
export function casesWithoutMasking(contract: Contract, kinds = Object.keys(contract.matrix.kinds)): readonly Case[] {
  const faults = contract.rules.refusals.filter(({ outcome }) => outcome !== undefined);
  // Rows are asked a hundred thousand times, so this makes no list of their faults.
  const isUnmasked = (row: Row) => {
    let requirement: string | undefined;
    for (const rule of faults) {
      if (rule.requirement === requirement || !holds(rule.when, row)) continue;
      if (requirement !== undefined) return false;
      requirement = rule.requirement;
    }
    return true;
  };
  const units = unitsIn(contract).filter(({ kind }) => kinds.includes(kind));
  return units.flatMap((unit) => product(contract, factorsOf(contract, unit), isUnmasked));
}
