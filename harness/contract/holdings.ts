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
export function covers(contract: Contract, holding: string, scope: string): boolean {
  return holding === 'all' || scopesOf(contract, holding).includes(scope);
}

/** The scopes that a holding has, as far as an operation may need them: `none` has only others. */
export function scopesOf({ matrix }: Pick<Contract, 'matrix'>, holding: string): readonly string[] {
  const { form, name } = readHolding(holding);
  switch (form) {
    case 'all':
      return matrix.scopes;
    case 'only':
      return [name];
    case 'all-but':
      return matrix.scopes.filter((scope) => scope !== name);
    case 'set':
      return matrix.sets[name] ?? [];
    default:
      return [];
  }
}

/** `all-but:CHAT` in its parts; the name is empty where the form says it all. */
export function readHolding(holding: string): { readonly form: string; readonly name: string } {
  const [form = '', name = ''] = holding.split(':');
  return { form, name };
}
