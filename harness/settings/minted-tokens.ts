/** What TOKEN_COMMAND answered to a request for a token. */
export type MintAnswer = { readonly token: string } | { readonly unsupported: string } | { readonly failed: string };

/** The answers of TOKEN_COMMAND, by the key of the token's use (`tokenKey`). */
export type Minted = ReadonlyMap<string, MintAnswer>;
