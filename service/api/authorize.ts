import { Refusal } from '../terms/refusal.ts';
import type { Credential } from './credential.ts';
import type { Call } from './steps.ts';

/** A token is refused from the moment of its expiry on. There is no clock tolerance (spec 3, 7; RFC 7519 4.1.4, 4.1.5). */
export function checkExpiry({ now }: Call, { expiresAt, notBefore }: Credential): void {
  if (expiresAt !== null && now() >= expiresAt) throw new Refusal('expired-token');
  if (notBefore !== null && now() < notBefore) throw new Refusal('invalid-token');
}

/** The token must hold the scope that covers the operation (spec 4). */
export function requireScope({ operation: { scope } }: Call, credential: Credential): void {
  if (credential.scopes.includes(scope)) return;
  throw new Refusal('insufficient-scope', { detail: `The access token lacks the scope ${scope}.`, scope });
}
