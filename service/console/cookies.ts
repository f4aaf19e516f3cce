/** Reads and writes the console's cookies. */
export interface CookieJar {
  /** @param header the value of the `Cookie` header */
  read(header: string | undefined, name: string): string | undefined;
  /**
   * Makes the value of a `Set-Cookie` header.
   * @param seconds the lifetime in the browser; 0 removes the cookie
   */
  write(name: string, value: string, seconds: number): string;
}

/**
 * @param publicUrl the address of the service for browsers. Over https, the cookies are Secure and have the prefix `__Host-`:
 * no other host and no page without TLS can set them (RFC 6265bis 4.1.3).
 */
export function cookieJar(publicUrl: string): CookieJar {
  const secure = publicUrl.startsWith('https:');
  const prefixed = (name: string) => (secure ? `__Host-${name}` : name);
  return {
    read(header = '', name) {
      const prefix = `${prefixed(name)}=`;
      return header
        .split(/; */)
        .find((pair) => pair.startsWith(prefix))
        ?.slice(prefix.length);
    },
    write(name, value, seconds) {
      // With Strict, the browser would not send the cookie after the redirect from an authorization server on another site.
      const attributes = [
        'HttpOnly',
        'SameSite=Lax',
        `Max-Age=${seconds}`,
        ...(secure ? ['Path=/', 'Secure'] : ['Path=/admin']),
      ];
      return [`${prefixed(name)}=${value}`, ...attributes].join('; ');
    },
  };
}
