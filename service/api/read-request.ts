import { Refusal } from '../terms/refusal.ts';
import type { AuthHeaders, Call, RequestContext } from './steps.ts';

/**
 * The three headers of spec 5.1. One that comes in two lines is refused: which of them counts is not shown, and guessing
 * would let a proxy and this service disagree about who is asking. So is an authentication type other than the literal.
 */
export function readHeaders({ request }: RequestContext): AuthHeaders {
  // Not `request.headers`, which silently drops or joins further lines.
  const one = (name: string): string | undefined => {
    const [line, ...more] = request.headersDistinct[name] ?? [];
    if (more.length > 0) throw new Refusal('doubled-header');
    return line;
  };
  const authType = one('x-service-auth-type');
  if (authType !== undefined && authType !== 'OAUTH') throw new Refusal('other-auth-type');
  return { authorization: one('authorization'), actAs: one('x-service-actas'), authType };
}

/** The token out of `Authorization: Bearer <token>`; the scheme in any case, with one or more spaces (RFC 9110 11). */
export function readBearer({ headers: { authorization } }: Call): string {
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) throw new Refusal('no-token');
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal('malformed-authorization');
  return token;
}
