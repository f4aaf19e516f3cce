import { type Contract, requirementFor, type Values } from '../contract/contract.ts';
import type { Expectation } from './expectation.ts';

/** Every requirement that a case can decide: those it may be blamed on, and what the ledger says of its answer's form. */
export function requirementsAbout(
  { operations, rules }: Contract,
  { values, expectation }: { readonly values: Values; readonly expectation: Expectation },
): readonly string[] {
  const named = [...expectation.suspects, ...expectation.silent].map(({ requirement }) => requirement);
  const documented = operations.find(({ id }) => id === values.operation)?.documentsBody;
  const onRefusal = Object.values(rules.messages).map(({ requirement }) => requirement);
  const onAcceptance = [
    requirementFor('{operation}.response', values.operation),
    ...(documented ? ['response.content-type'] : []),
  ];
  switch (expectation.kind) {
    case 'refuse':
      return [...named, ...onRefusal];
    case 'accept':
      return [...named, ...onAcceptance];
    case 'open':
      return [...named, ...onRefusal, ...onAcceptance];
  }
}
