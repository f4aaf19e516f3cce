/** How the console's cookies are kept from others: as far as the address allows (RFC 6265bis 4.1.3). */
export interface CookieJar {
  read(header: string | undefined, name: string): string | undefined;
  /** A `Set-Cookie` line. @param seconds how long the browser keeps it; 0 removes it */
  write(name: string, value: string, seconds: number): string;
}

/**
 * @param publicUrl where browsers reach the service. Only over https can a cookie be Secure and bear the prefix `__Host-`,
 * with which no other host, and no page without TLS, can set it.
 */
export function cookieJar(publicUrl: string): CookieJar {
  const secure = publicUrl.startsWith('https:');
  const named = (name: string) => (secure ? `__Host-${name}` : name);
  return {
    read(header = '', name) {
      const prefix = `${named(name)}=`;
      return header
        .split(/; */)
        .find((pair) => pair.startsWith(prefix))
        ?.slice(prefix.length);
    },
    write(name, value, seconds) {
      // Lax, not Strict: the way back from the authorization server begins at another site when it has its own.
      const attributes = [
        'HttpOnly',
        'SameSite=Lax',
        `Max-Age=${seconds}`,
        ...(secure ? ['Path=/', 'Secure'] : ['Path=/admin']),
      ];
      return [`${named(name)}=${value}`, ...attributes].join('; ');
    },
  };
}
