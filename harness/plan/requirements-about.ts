import { type Contract, operationOf, requirementFor, type Values } from '../contract/contract.ts';
import { allSuspects, type Expectation } from './expectation.ts';

/** Every requirement that a case can decide: those it may be blamed on, and what the ledger says of its answer's form. */
export function requirementsAbout(
  contract: Contract,
  { values, expectation }: { readonly values: Values; readonly expectation: Expectation },
): readonly string[] {
  const named = allSuspects(expectation).map(({ requirement }) => requirement);
  const { documentsBody } = operationOf(contract, values.operation);
  const onRefusal = Object.values(contract.rules.messages).map(({ requirement }) => requirement);
  const onAcceptance = [
    requirementFor('{operation}.response', values.operation),
    ...(documentsBody ? ['response.content-type'] : []),
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
