/** A resource that tokens are issued for (RFC 8707). */
export interface Resource {
  /** An absolute URI. It becomes the `aud` of the tokens. */
  readonly audience: string;
  readonly scopes: readonly string[];
  /** For a client that neither registered nor requests any. */
  readonly defaultScopes: readonly string[];
}
