import type { Values } from '../contract/contract.ts';
import type { Expectation } from './expectation.ts';

/** What the cases of a group have in common. */
export interface GroupHead {
  readonly operation: string;
  readonly kind: string;
  /** The rule that they are about; `accepted` where none is broken and nothing is left open. */
  readonly rule: string;
}

/** `search/USER`: the operation and the kind that something is decided for. */
export function unitOf({ operation, kind }: { readonly operation: string; readonly kind: string }): string {
  return `${operation}/${kind}`;
}

/** `search/USER/token.expired`: the first fault names the group; then what is left open; else the acceptances. */
export function groupOf(values: Values, { kind: expected, admissible }: Expectation): string {
  return `${unitOf(values)}/${expected === 'accept' ? 'accepted' : (admissible[0]?.rule ?? 'accepted')}`;
}

/** The inverse: what the id of a group says. */
export function readGroup(id: string): GroupHead {
  const [operation = '', kind = '', ...rule] = id.split('/');
  return { operation, kind, rule: rule.join('/') };
}
