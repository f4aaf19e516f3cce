import type { IncomingHttpHeaders } from 'node:http';

/** Lets pages of the allowed origins read the answer, with the headers that a client needs (Fetch, "CORS protocol"). */
export const readableByPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, MCP-Protocol-Version',
};

/** The answer to a preflight. A client may send any header: what a header may do is decided with the request itself. */
export function preflight({ 'access-control-request-headers': wanted }: IncomingHttpHeaders): Record<string, string> {
  return {
    ...readableByPages,
    'access-control-allow-methods': 'POST',
    'access-control-max-age': '3600',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
  };
}
