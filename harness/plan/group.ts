import type { Values } from '../contract/contract.ts';
import type { Expectation } from './expectation.ts';

/** What the cases of a group have in common. */
export interface GroupHead {
  readonly operation: string;
  readonly kind: string;
  /** The rule that the cases are about; `accepted` if they must be accepted. */
  readonly rule: string;
}

/** `search/USER`: an operation and a kind, the pair for which the suite decides requirements. */
export function unitOf({ operation, kind }: { readonly operation: string; readonly kind: string }): string {
  return `${operation}/${kind}`;
}

/** The id of a group: `search/USER/token.expired`. The first decisive rule names it, or else the first silent rule. */
export function groupOf(values: Values, { kind: expected, admissible }: Expectation): string {
  return `${unitOf(values)}/${expected === 'accept' ? 'accepted' : (admissible[0]?.rule ?? 'accepted')}`;
}

/** Reads the id of a group. */
export function readGroup(id: string): GroupHead {
  const [operation = '', kind = '', ...rule] = id.split('/');
  return { operation, kind, rule: rule.join('/') };
}
