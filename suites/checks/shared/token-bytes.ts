import { isJwt } from '../../../harness/plan/tamper.ts';

/**
 * Whether a changed token may still be the same one, because a server may decode it first: the bytes of its parts in
 * base64 or base64url are the same (RFC 4648 3.5), or it differs only in the case of hexadecimal digits.
 */
export function isSameToken(token: string, changed: string): boolean {
  if (token.toLowerCase() === changed.toLowerCase() && /^(?:.*[^0-9a-z])?[0-9a-f]+$/i.test(token)) return true;
  if (isJwt(token)) return bytesOf(token) === bytesOf(changed);
  // A prefix, such as `key_`, is not part of what is encoded.
  return [...SEPARATORS, undefined].some((separator) => {
    const [own, other] = [token, changed].map((text) => {
      const at = separator === undefined ? 0 : text.lastIndexOf(separator) + 1;
      return `${text.slice(0, at)}${bytesOf(text.slice(at))}`;
    });
    return own === other;
  });
}
const SEPARATORS = ['.', '_', '-', ':', '~'] as const;

function bytesOf(token: string): string {
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return parts.join('.');
}
