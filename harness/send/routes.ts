import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Settings } from '../settings/settings.ts';
import { proxyFor, socketHost } from './proxy.ts';
import { connectTo } from './raw-socket.ts';
import { lookupIn, vicinityOf } from './vicinity.ts';

/** Another way to the same target than a client takes by itself: an address of its name, or HTTP/2 (RFC 9113). */
export type Route = { readonly address: string } | { readonly protocol: 'h2' };

/** The ways to a target. The addresses are those of its name that take connections, if there are several. */
export interface Routes {
  readonly addresses: readonly string[];
  readonly speaksHttp2: boolean;
}
export const NO_ROUTES: Routes = { addresses: [], speaksHttp2: false };

/** A node behind a name that takes longer is tried by nothing else either. */
const CONNECT_MS = 3_000;

/**
 * Resolves the name of the target and connects to each address. Sends no request. A proxy resolves names itself, and speaks
 * for the target.
 * @param resolver that of Node by default.
 */
export async function routesTo(
  { baseUrl, clientCertificate }: Pick<Settings, 'baseUrl' | 'clientCertificate'>,
  resolver: LookupFunction = lookup,
): Promise<Routes> {
  if (proxyFor(baseUrl)) return NO_ROUTES;
  const target = new URL(baseUrl);
  const host = socketHost(target);
  const named = isIP(host) === 0 ? await addressesOf(host, resolver) : [{ address: host, family: isIP(host) }];
  const reached = await Promise.all(
    meantAmong(named).map(async (one) => {
      const how = { lookup: lookupIn([one]), ALPNProtocols: ['h2', 'http/1.1'] };
      const socket = connectTo(target, clientCertificate, how);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => resolve(true));
        socket.once('error', () => resolve(false));
        socket.setTimeout(CONNECT_MS, () => resolve(false));
      });
      socket.destroy();
      return { ...one, isOpen, protocol: 'alpnProtocol' in socket ? socket.alpnProtocol : undefined };
    }),
  );
  const open = reached.filter(({ isOpen }) => isOpen);
  return {
    addresses: open.length > 1 ? open.map(({ address }) => address) : [],
    speaksHttp2: open.some(({ protocol }) => protocol === 'h2'),
  };
}

/** A public name may have a near address only to lead the suite there. */
export function meantAmong(named: readonly LookupAddress[]): readonly LookupAddress[] {
  const isPublic = ({ address }: LookupAddress) => vicinityOf(address) === 'public';
  return named.some(isPublic) ? named.filter(isPublic) : named;
}

const addressesOf = (host: string, resolver: LookupFunction) =>
  new Promise<readonly LookupAddress[]>((resolve) =>
    resolver(host, { all: true }, (error, found) => resolve(error || typeof found === 'string' ? [] : found)),
  );
