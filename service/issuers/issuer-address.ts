/**
 * An address that tokens may be sent to, or keys fetched from: https, or http of this machine alone. Whoever stands between
 * could else read the tokens, or say which ones are good (RFC 6749 1.6, RFC 8414 6.1).
 *
 * @returns undefined for anything else
 */
export function issuerAddress(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol === 'https:') return url;
  return url?.protocol === 'http:' && isLoopback(url.hostname) ? url : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
