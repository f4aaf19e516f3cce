import type { Values } from '../contract/contract.ts';

/** What TOKEN_COMMAND made of a request for a token. */
export type Made = { readonly token: string } | { readonly unsupported: string } | { readonly failed: string };

/** The same for each request, by `kind validity holding`. */
export type Minted = ReadonlyMap<string, Made>;

export function mintKey({ kind, validity, holding }: Pick<Values, 'kind' | 'validity' | 'holding'>): string {
  return `${kind} ${validity} ${holding}`;
}
