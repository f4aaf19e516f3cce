import { isIP, type LookupFunction } from 'node:net';
import { type Administer, administerByCommand } from '../commands/administration.ts';
import { once } from '../contract/once.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import type { Settings } from '../settings/settings.ts';
import { sendRaw } from './raw-socket.ts';
import { type Route, type Routes, routesTo } from './routes.ts';
import { createProbe, type Probe } from './undici-probe.ts';
import { lookupIn, notedLookup, visitsFor } from './vicinity.ts';

/** How requests reach the target: over the network, or, in a rehearsal, an imagined target. */
export interface Transport {
  /** For the cases of the matrix. */
  readonly probe: Probe;
  /** Opens connections for a check, by default one to the target. @param origin another server that the operator named. */
  connect(connections?: number, origin?: string, route?: Route): Probe;
  /** The other ways to the target. They are looked for once. */
  routes(): Promise<Routes>;
  /** Sends a request that no HTTP client would send. */
  raw(text: string, timeoutMs: number): Promise<RawAnswer | Failure>;
  /** Whether a target may send the suite to this address (vicinity.ts). */
  mayVisit(url: URL): Promise<boolean>;
  /** Sends a request to any server, such as the authorization server, if a target may send the suite there. */
  visit(origin: string, request: WireRequest, timeoutMs: number): Promise<RawAnswer | Failure>;
  /** Administers the tokens of the target. Undefined if nobody said how. */
  readonly administer: Administer | undefined;
}
/** What a transport may need. The network only needs the settings. */
export interface TransportInput {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly parts: RequestParts;
}

/** @param administer by default with ADMINISTRATION_COMMAND. @param resolver by default that of Node. */
export function networkTransport(
  { settings }: TransportInput,
  administer = administerByCommand(settings),
  resolver?: LookupFunction,
): Transport {
  const { baseUrl, concurrency, extraHeaders, clientCertificate: certificate } = settings;
  const reached = new Set<string>();
  const visits = visitsFor(settings, undefined, reached);
  const lookup = notedLookup(reached, resolver);
  // What opens the gateway of the target is no other server's business.
  const ownTo = (origin: string) =>
    origin === new URL(baseUrl).origin ? { extraHeaders, certificate } : { extraHeaders: [] };
  const along = (route: Route | undefined) =>
    route && 'address' in route
      ? { lookup: notedLookup(reached, lookupIn([{ address: route.address, family: isIP(route.address) }])) }
      : { lookup, isHttp2: route !== undefined };
  return {
    probe: createProbe({ baseUrl, connections: concurrency, extraHeaders, certificate, lookup }),
    connect: (connections = 1, origin, route) =>
      origin === undefined
        ? createProbe({ baseUrl, connections, extraHeaders, certificate, readsAll: true, ...along(route) })
        : createProbe({ baseUrl: origin, connections, ...ownTo(origin), readsAll: true }),
    routes: once(() => routesTo(settings, resolver)),
    raw: (text, timeoutMs) => sendRaw(baseUrl, text, timeoutMs, certificate),
    mayVisit: async (url) => (await visits(url)).kind === 'allowed',
    async visit(origin, request, timeoutMs) {
      const visit = await visits(new URL(origin));
      if (visit.kind === 'refused') return { kind: 'failure', failure: 'other', detail: visit.why };
      const lookup = visit.addresses && lookupIn(visit.addresses);
      const probe = createProbe({ baseUrl: origin, connections: 1, ...ownTo(origin), readsAll: true, lookup });
      try {
        return await probe.send(request, timeoutMs);
      } finally {
        await probe.close();
      }
    },
    administer,
  };
}
