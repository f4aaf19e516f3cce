/** The host of a URL as sockets and resolvers take it. A URL has an IPv6 address in brackets (RFC 3986 3.2.2). */
export function socketHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}
