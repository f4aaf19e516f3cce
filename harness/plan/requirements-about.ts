import { type Contract, operationOf, requirementFor, type Values } from '../contract/contract.ts';
import { allSuspects, type Expectation } from './expectation.ts';

/** Every requirement that a case can decide: its suspects, and the requirements about the form of its answer. */
export function requirementsAbout(
  contract: Contract,
  { values, expectation }: { readonly values: Values; readonly expectation: Expectation },
): readonly string[] {
  const suspects = allSuspects(expectation).map(({ requirement }) => requirement);
  const { documentsBody } = operationOf(contract, values.operation);
  const onRefusal = Object.values(contract.rules.messages).map(({ requirement }) => requirement);
  const onAcceptance = [
    requirementFor('{operation}.response', values.operation),
    ...(documentsBody ? ['response.content-type'] : []),
  ];
  switch (expectation.kind) {
    case 'refuse':
      return [...suspects, ...onRefusal];
    case 'accept':
      return [...suspects, ...onAcceptance];
    case 'open':
      return [...suspects, ...onRefusal, ...onAcceptance];
  }
}
