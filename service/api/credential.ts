import type { Claims, IssuerClient } from '../issuers/issuer-client.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import type { Scope } from '../terms/operations.ts';

/** A token that was verified as genuine. Later stages check its expiry, its person and its scopes. */
export type Credential = ServiceCredential | OAuthCredential;

export interface ServiceCredential {
  readonly family: 'service';
  readonly token: ServiceToken;
  readonly scopes: readonly Scope[];
  /** Epoch milliseconds; null: the token never expires. */
  readonly expiresAt: number | null;
  readonly notBefore: null;
}

export interface OAuthCredential {
  readonly family: 'own' | 'external';
  readonly issuer: IssuerClient;
  readonly claims: Claims;
  readonly scopes: readonly Scope[];
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly notBefore: number | null;
}
