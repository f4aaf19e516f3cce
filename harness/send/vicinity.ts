import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Settings } from '../settings/settings.ts';
import { socketHost } from './proxy.ts';

/** Where an address is, seen from this machine. `reserved` addresses belong to no host that anybody could mean. */
export type Vicinity = 'this machine' | 'link-local' | 'private' | 'public' | 'reserved';

/** The addresses to connect to, so that a name cannot lead elsewhere later; or why the host must not be visited. */
export type Visit =
  | { readonly kind: 'allowed'; readonly addresses: readonly LookupAddress[] | undefined }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Decides which hosts a target may send the suite to. A target could not have meant an address that it cannot reach
 * itself: this machine, the network of this machine, or none (RFC 6890). Hosts that the operator named are always allowed.
 * @param reached the addresses to which requests to the target went: its owner can change what its name means.
 */
export function visitsFor(
  { baseUrl, variables }: Pick<Settings, 'baseUrl' | 'variables'>,
  resolve: (host: string) => Promise<readonly LookupAddress[]> = (host) => lookup(host, { all: true }),
  reached: ReadonlySet<string> = new Set(),
): (url: URL) => Promise<Visit> {
  const names = ['AUTHORIZATION_SERVER_ISSUER', 'MCP_URL'];
  const trusted = [baseUrl, ...names.map((name) => variables.get(name)?.value ?? '')];
  const hosts = new Set(trusted.flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : [])));
  const addressesOf = async (url: URL): Promise<readonly LookupAddress[]> => {
    const host = socketHost(url);
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    if (LOCALHOST.test(host)) return THIS_MACHINE;
    return resolve(host).catch(() => []);
  };
  return async (url) => {
    if (hosts.has(url.hostname)) return { kind: 'allowed', addresses: undefined };
    const addresses = await addressesOf(url);
    const named = (await addressesOf(new URL(baseUrl))).map(({ address }) => address);
    const vicinities = [...named, ...reached].map(vicinityOf);
    // A target that is elsewhere too may have added an address only to lead the suite there.
    const isNear = (vicinity: Vicinity) => vicinities.length > 0 && vicinities.every((one) => one === vicinity);
    const wrong = addresses.find(({ address }) => {
      const vicinity = vicinityOf(address);
      return vicinity !== 'public' && (vicinity === 'reserved' || !isNear(vicinity));
    });
    if (wrong)
      return {
        kind: 'refused',
        why: `not sent: the target named a host whose address is ${IN_WORDS[vicinityOf(wrong.address)]}`,
      };
    // A name that nobody knows is refused by the connection, or known to a proxy.
    return { kind: 'allowed', addresses: addresses.length > 0 ? addresses : undefined };
  };
}

/** Replaces the resolver: whatever the name is, the connection goes to these addresses. */
export function lookupIn(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** The resolver, which adds the addresses that it gives to `reached`. */
export function notedLookup(reached: Set<string>, resolver: LookupFunction = resolveName): LookupFunction {
  return (host, options, done) =>
    resolver(host, options, (error, found, family) => {
      for (const one of [found].flat()) {
        const address = typeof one === 'object' ? one.address : one;
        if (address) reached.add(address);
      }
      done(error, found, family);
    });
}

/** RFC 6761 6.3: these names always mean this machine. */
const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const LOCALHOST = /(?:^|\.)localhost\.?$/;

const IN_WORDS: Readonly<Record<Vicinity, string>> = {
  'this machine': 'this machine, and the target is elsewhere',
  'link-local': 'link-local, and the target is elsewhere',
  private: 'in a private network, and the target is elsewhere',
  reserved: 'reserved',
  public: 'public',
};

/**
 * An IPv4 address that is written as an IPv6 address (RFC 4291 2.5.5.2, RFC 6052 2.1) is where the IPv4 address is. Of the
 * others only 2000::/3 is public (RFC 4291 2.4), and what is special in it is not: ISATAP holds any IPv4 address (RFC 5214 6.1).
 * The service decides the same in a function of its own, because it shares no code with the harness; both have one test.
 */
export function vicinityOf(address: string): Vicinity {
  if (!ipaddr.isValid(address)) return 'reserved';
  const parsed = ipaddr.process(address);
  switch (parsed.range()) {
    case 'unicast':
      return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL) && parsed.parts[5] !== ISATAP)
        ? 'public'
        : 'reserved';
    case 'loopback':
    case 'unspecified':
      return 'this machine';
    case 'linkLocal':
      return 'link-local';
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private';
    case 'rfc6052':
      // The other prefix, of RFC 8215, is for networks that are not public.
      return parsed.match(NAT64) ? vicinityOf(new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString()) : 'reserved';
    default:
      return 'reserved';
  }
}
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const ISATAP = 0x5efe;
