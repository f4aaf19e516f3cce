import { Refusal } from '../terms/refusal.ts';
import type { AuthHeaders, Call, RequestContext } from './steps.ts';

/**
 * Reads the three headers of spec 5.1. A header in two lines is refused: if a proxy and this service picked different
 * lines, they would disagree about the caller. An authentication type other than OAUTH is refused too, and a blank one says
 * nothing.
 */
export function readHeaders({ request }: RequestContext): AuthHeaders {
  // `request.headers` would silently drop or join repeated lines.
  const one = (name: string): string | undefined => {
    const [line, ...more] = request.headersDistinct[name] ?? [];
    if (more.length > 0) throw new Refusal('doubled-header');
    return line;
  };
  const authType = one('x-service-auth-type') || undefined;
  if (authType !== undefined && authType !== 'OAUTH') throw new Refusal('other-auth-type');
  return { authorization: one('authorization'), actAs: one('x-service-actas'), authType };
}

/**
 * Reads the token of `Authorization: Bearer <token>`. The scheme has any letter case and one or more spaces after it (RFC 9110
 * 11.1, 11.4).
 */
export function readBearer({ headers: { authorization } }: Call): string {
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) throw new Refusal('no-token');
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal('malformed-authorization');
  return token;
}
