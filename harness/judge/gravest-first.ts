import type { Contract } from '../contract/contract.ts';
import type { Cause } from './causes.ts';

/** The verdicts of causes, the gravest first. */
const VERDICTS = ['fail', 'inconclusive', 'warn'] as const satisfies readonly Cause['verdict'][];

/**
 * Orders causes for a reader: failures first; among them those that show the data of one person to another, then those
 * where a request was wrongly accepted. Causes of equal gravity keep their order (outcomes 3).
 */
export function gravestFirst(contract: Contract, causes: readonly Cause[]): readonly Cause[] {
  const grave = new Set(contract.requirements.flatMap((requirement) => (requirement.grave ? [requirement.id] : [])));
  const rank = ({ verdict, requirements, cases }: Cause) => [
    VERDICTS.indexOf(verdict),
    requirements.some((id) => grave.has(id)) ? 0 : 1,
    cases.some(({ miss }) => miss?.wronglyAccepted) ? 0 : 1,
  ];
  return [...causes].sort((a, b) => compare(rank(a), rank(b)));
}

/** Compares two lists of numbers: the first that differs decides. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
