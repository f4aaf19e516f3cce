import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { CheckApi } from '../../../harness/checks/check.ts';
import { isJwt } from '../../../harness/plan/token-bytes.ts';
import { forge } from '../shared/forged-jwt.ts';
import { objectIn } from '../shared/json-object.ts';
import type { Made } from '../shared/token-recipes.ts';
import { discover, reachable } from './discovery.ts';

/**
 * Tokens that are signed with the public key of the authorization server as a secret. Everybody knows it, and a server that lets
 * the token choose its algorithm takes it for one (RFC 8725 2.1).
 */
export async function signedWithPublicKey(api: CheckApi): Promise<readonly Made[]> {
  const token = api.full('OAUTH')?.token;
  if (token === undefined || !isJwt(token) || !api.claims.capabilities.includes('authorization-server')) return [];
  const { server } = await discover(api);
  const url = await reachable(api, server?.['jwks_uri']);
  if (!url) return [];
  const { text } = await api.visit({ url, shows: 'the keys of the authorization server are here', wanted: 'either' });
  return madeWith(token, keyOf(token, objectIn(text)?.['keys']));
}

/** The key that the token names, as most servers keep it (RFC 7468 13). Undefined if there is none, or if it cannot be read. */
function keyOf(token: string, keys: unknown): string | undefined {
  const { kid } = objectIn(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) ?? {};
  const all = [keys].flat().filter((one): one is JsonWebKey => typeof one === 'object' && one !== null);
  const key = all.find((one) => one['kid'] === kid) ?? all[0];
  try {
    return key && createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    return undefined;
  }
}

function madeWith(token: string, pem: string | undefined): readonly Made[] {
  if (pem === undefined) return [];
  const forms = { '': pem, ', without its last line break': pem.trimEnd() };
  return Object.entries(forms).flatMap(([how, secret]) => {
    const made = forge(token, {}, { secret });
    return made ? [{ how: `HS256 and the public key as its secret${how}`, token: made, isFree: false }] : [];
  });
}
