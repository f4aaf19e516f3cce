import type { Contract } from './contract.ts';

/** Every holding of the forms that a kind can have. */
export function holdingsOf({ matrix, operations }: Contract, forms: readonly string[]): string[] {
  return forms.flatMap((form) => {
    if (form === 'single') return matrix.scopes.map((scope) => `only:${scope}`);
    if (form === 'all-but') return [...new Set(operations.map(({ scope }) => `all-but:${scope}`))];
    return form === 'set' ? Object.keys(matrix.sets).map((set) => `set:${set}`) : [form];
  });
}

/** `single`, `all-but` and `set` for the holdings that name a scope or set, else the holding itself. */
export function formOf(holding = '-'): string {
  if (holding.startsWith('only:')) return 'single';
  if (holding.startsWith('all-but:')) return 'all-but';
  return holding.startsWith('set:') ? 'set' : holding;
}

/** The trait `scope`: whether a holding covers an operation that needs it; `-` where there is no token. */
export function heldOrMissing(contract: Contract, holding: string, scope: string): string {
  if (holding === '-') return '-';
  return covers(contract, holding, scope) ? 'held' : 'missing';
}

/** Whether a holding covers an operation that needs the scope. */
export function covers({ matrix }: Contract, holding: string, scope: string): boolean {
  if (holding === 'all') return true;
  const [form, name = ''] = holding.split(':');
  if (form === 'only') return name === scope;
  if (form === 'all-but') return name !== scope;
  return form === 'set' && (matrix.sets[name]?.includes(scope) ?? false);
}
