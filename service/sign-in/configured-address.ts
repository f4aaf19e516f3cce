import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Makes a function that gives a request the address of this server, before oidc-provider reads it. Host, X-Forwarded-* and an
 * absolute request target (RFC 9112 3.2.2) come from the client. oidc-provider would build the addresses in its metadata and
 * the attributes of its cookies from them.
 *
 * @param issuer the configured address
 */
export function configuredAddress(issuer: string): (request: IncomingMessage) => void {
  const { host, protocol } = new URL(issuer);
  return (request) => {
    for (const name of Object.keys(request.headers))
      if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete request.headers[name];
    request.headers.host = host;
    // Koa reads the scheme from here, because the connection itself may come from a proxy.
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.url = originForm(request.url ?? '/');
  };
}

/** Removes scheme and authority from a request target (RFC 9112 3.2.1). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : '/';
}

/**
 * Sets the headers of every answer. Pages with a style or a script of their own replace the content security policy or add to
 * it.
 *
 * @param issuer the configured address
 */
export function securityHeaders(issuer: string): (response: ServerResponse) => void {
  const headers = new Map([
    // oidc-provider adds the hash of its script to `script-src` on the page that sends a form (form_post).
    ['content-security-policy', "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['x-content-type-options', 'nosniff'],
    ...(issuer.startsWith('https:') ? [['strict-transport-security', 'max-age=31536000'] as const] : []),
  ]);
  return (response) => void response.setHeaders(headers);
}
