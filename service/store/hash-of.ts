import { createHash } from 'node:crypto';

/**
 * What is stored of a secret, and of an identifier that is one: a code, a refresh token, a cookie. Each has at least 128 random
 * bits, so it needs no slow hash. A plain hash can be looked up in an index.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
