/**
 * Accepts an address of an issuer: https, or http on this machine. Over plain http to another host, an attacker on the way
 * could read the tokens or replace the keys (RFC 6750 5.3, RFC 8414 6.1).
 *
 * @returns undefined for everything else
 */
export function issuerAddress(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol === 'https:') return url;
  return url?.protocol === 'http:' && isLoopback(url.hostname) ? url : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
