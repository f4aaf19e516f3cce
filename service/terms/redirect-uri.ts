/** Where a redirect URI leads: to a web site, to a program that listens on this device, or to an app on this device. */
export type RedirectKind = 'web' | 'loopback' | 'app';

const maxLength = 2000;
/** The names of this device. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Schemes that belong to browsers, operating systems, shops and network protocols. An app of a person cannot claim them, and a
 * redirect to one of them may run code, open another program, or open a web site in another browser.
 */
const foreignSchemes = new RegExp(
  `^(?:${[
    'about|blob|data|file|filesystem|jar|javascript|mhtml|res|resource|vbscript|view-source',
    'brave|chrome(?:-.*)?|edge|firefox|googlechromes?|microsoft-edge(?:-.*)?|moz-.*|opera(?:-.*)?|touch-https?|x-safari-.*',
    'android-app|content|intent|itms(?:-.*)?|market|ms-.*|search-ms|shell|x-apple\\..*|x-apple-.*',
    'afp|davs?|ftps?|git|gopher|ldaps?|news|nfs|nntp|rtsp|sftp|smb|ssh|svn|telnet|vnc|webcals?|wss?',
  ].join('|')})(?:\\+.*)?:$`,
);

/** The characters of a URI (RFC 3986 2). Parsers disagree about others, such as a backslash. */
const characters = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;
/** The authority has no user information, and its slashes are there. URL parsers are more generous. */
const webForm = /^https?:\/\/[^/?@]+(?:[/?]|$)/i;

/**
 * Decides whether a client may register this redirect URI: https, http on a loopback address (RFC 8252 7.3), or a private
 * scheme of an app (RFC 8252 7.1). RFC 8252 8.4 advises a period in a private scheme. Some well-known apps have none, so
 * `scheme://authority` is accepted as well.
 *
 * @returns undefined for every other URI
 */
export function redirectKind(uri: string): RedirectKind | undefined {
  // Letters of other scripts imitate known hosts.
  const url = uri.length <= maxLength && characters.test(uri) ? URL.parse(uri) : null;
  if (!url) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (/^https?:$/.test(url.protocol) && !webForm.test(uri)) return undefined;
  if (url.protocol === 'https:') return 'web';
  if (url.protocol === 'http:') return loopbackHosts.includes(url.hostname) ? 'loopback' : undefined;
  if (foreignSchemes.test(url.protocol)) return undefined;
  return url.protocol.includes('.') || url.host !== '' ? 'app' : undefined;
}

/** Where the browser goes after the consent, for people: a host, or what opens on their device. */
export function redirectTarget(uri: string): string {
  const url = URL.parse(uri);
  switch (redirectKind(uri)) {
    case 'web':
      return url?.host ?? uri;
    case 'loopback':
      return `a program on this device (${url?.host})`;
    case 'app':
      return `an app on this device (${url?.protocol})`;
    case undefined:
      return uri;
  }
}
