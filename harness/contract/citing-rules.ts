import { type Contract, requirementFor, type When } from './contract.ts';

/** Whether a rule cites a requirement. That of one operation is not that of another one, though both are written as one. */
export function cites(
  operations: readonly { readonly id: string }[],
  id: string,
  { requirement, when = {} }: { readonly requirement: string; readonly when?: When },
): boolean {
  return operations.some(
    ({ id: operation }) =>
      requirementFor(requirement, operation) === id &&
      (when['operation'] === undefined || [when['operation']].flat().includes(operation)),
  );
}

/** Why every rule of a requirement is left open, a server error too or where the requirement is a must. Undefined if one is not. */
export function leftOpen({ rules, requirements }: Contract, id: string, operation: string): string | undefined {
  const own = rules.refusals.filter((rule) => cites([{ id: operation }], id, rule));
  const isMust = requirements.some((one) => one.id === id && one.level === 'must');
  const isOpen = own.every((rule) => rule.silent !== undefined && (isMust || rule.never.length === 0));
  return isOpen ? own[0]?.silent : undefined;
}
