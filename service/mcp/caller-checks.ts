import type { IncomingMessage } from 'node:http';
import { Refusal } from '../terms/refusal.ts';

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests that a page got through by rebinding its own name to this address: such a request names the host of the
 * page. Pages of every https origin are welcome, because they must bring a token: no cookie counts here.
 *
 * @param hostnames the names of this service besides those of the loopback address
 */
export function checkCaller({ headers: { host, origin } }: IncomingMessage, hostnames: readonly string[]): void {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? '';
  if (![...loopback, ...hostnames].includes(hostname)) throw new Refusal('foreign-host');
  if (origin !== undefined && !isTrustworthy(origin)) throw new Refusal('foreign-origin');
}

/** Only a potentially trustworthy origin has a page that nobody on the way can change (W3C Secure Contexts 3.1). */
function isTrustworthy(origin: string): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname));
}
