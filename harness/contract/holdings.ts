import type { Contract, Kind } from './contract.ts';

/** The holdings of a kind. Of its forms, `single` has one for each scope, and `all-but` one for the scope of each operation. */
export function holdingsOf({ matrix, operations }: Contract, { holdings = [], never = {} }: Kind): string[] {
  const all = holdings.flatMap((form) => {
    if (form === 'single') return matrix.scopes.map((scope) => `only:${scope}`);
    if (form === 'all-but') return [...neededScopes({ operations })].map((scope) => `all-but:${scope}`);
    return form === 'set' ? Object.keys(matrix.sets).map((set) => `set:${set}`) : [form];
  });
  return all.filter((holding) => !Object.hasOwn(never, holding));
}

/** The form of a holding: `single`, `all-but` or `set` if it names a scope or a set, otherwise the holding itself. */
export function formOf(holding = '-'): string {
  const { form } = readHolding(holding);
  return form === 'only' ? 'single' : form;
}

export function neededScopes({ operations }: Pick<Contract, 'operations'>): ReadonlySet<string> {
  return new Set(operations.flatMap(({ scopes }) => scopes));
}

/** The trait `scope`: whether a holding has the scopes that an operation needs; `-` if there is no token. */
export function heldOrMissing(contract: Contract, holding: string, needed: readonly string[]): string {
  if (holding === '-') return '-';
  return covers(contract, holding, needed) ? 'held' : 'missing';
}

export function covers(contract: Contract, holding: string, needed: readonly string[]): boolean {
  if (holding === 'all' || needed.length === 0) return true;
  const held = scopesOf(contract, holding);
  return needed.every((scope) => held.includes(scope));
}

/** The scopes of a holding. `none` has only scopes that no operation needs, so it is empty here. */
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

/** The parts of `all-but:CHAT`. The name is empty for `all` and `none`, and may have colons: `only:read:messages`. */
export function readHolding(holding: string): { readonly form: string; readonly name: string } {
  const [form = ''] = holding.split(':', 1);
  return { form, name: holding.slice(form.length + 1) };
}

/** What the target calls a scope. */
export function wireName({ matrix }: Pick<Contract, 'matrix'>, scope: string): string {
  return matrix.wire?.[scope] ?? scope;
}

/** A scope as a part of a variable's name: `READ_MESSAGES` for `read:messages`. */
export function scopeInName(scope: string): string {
  return scope.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}
