import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch } from 'undici';

/** Fetches what strangers name. */
export type GuardedFetch = (url: URL, options?: object) => Promise<Response>;

type Resolve = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/** In bytes. A metadata document is much smaller. */
const maxBytes = 64 * 1024;
/** In milliseconds, for the whole exchange. */
const time = 3000;

/**
 * Makes a fetch for addresses that strangers name. It only connects to public addresses, so that nobody can make this server
 * send requests into its own network (RFC 9700 4.15, RFC 6890). The addresses are checked when they are connected to: a name
 * cannot lead elsewhere between check and use. Redirects, other ports, long and slow answers are errors.
 */
export function createGuardedFetch(resolve: Resolve = namesFrom()): GuardedFetch {
  const checkedLookup: LookupFunction = (host, { all }, done) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? [];
      const wrong = (addresses ?? []).find(({ address }) => !isPublic(address));
      if (error || !first) return done(error ?? new Error(`${host} has no address.`), '', 0);
      if (wrong) return done(new Error(`${host} has an address that is not public.`), '', 0);
      return all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  const dispatcher = new Agent({ connect: { lookup: checkedLookup, timeout: time }, maxResponseSize: maxBytes });
  return async (url, options) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol !== 'https:' || url.port !== '') throw new Error(`${url.href} is not https on its own port.`);
    // No name is looked up for an address.
    if (ipaddr.isValid(host) && !isPublic(host)) throw new Error(`${host} is not a public address.`);
    const signal = AbortSignal.timeout(time);
    const answer = await fetch(url, { ...options, redirect: 'manual', signal, dispatcher });
    // Reads the whole body, so that the limits hold for it.
    const headers = [...answer.headers];
    return new Response(await answer.arrayBuffer(), { status: answer.status, headers });
  };
}

/**
 * Asks the name servers itself. The look-up of the system takes a thread of the pool in which passwords are checked, for as
 * long as a name server of a stranger keeps it waiting.
 *
 * @param servers other name servers than those of the system
 */
export function namesFrom(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: time / 3, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (host, done) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    done(null, addresses);
  };
}

/**
 * An IPv4 address that is written as an IPv6 address is where the IPv4 address is (RFC 4291 2.5.5.2, RFC 6052 2.1). Of the
 * others only 2000::/3 is public (RFC 4291 2.4), and what is special in it is not: ISATAP holds any IPv4 address (RFC 5214 6.1).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  if (parsed.match(NAT64)) return isPublic(new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString());
  return parsed.range() === 'unicast' && parsed.match(GLOBAL) && parsed.parts[5] !== ISATAP;
}
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const ISATAP = 0x5efe;
