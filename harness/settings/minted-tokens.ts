/** What TOKEN_COMMAND made of a request for a token. */
export type MintAnswer = { readonly token: string } | { readonly unsupported: string } | { readonly failed: string };

/** The same for each request, by the key of the token's use. */
export type Minted = ReadonlyMap<string, MintAnswer>;
