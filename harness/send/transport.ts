import { type Administer, administerByCommand } from '../commands/administration.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import type { Settings } from '../settings/settings.ts';
import { sendRaw } from './raw-socket.ts';
import { createProbe, type Probe } from './undici-probe.ts';
import { lookupIn, notedLookup, visitsFor } from './vicinity.ts';

/** How requests reach the target: over the network, or, in a rehearsal, an imagined target. */
export interface Transport {
  /** For the cases of the matrix. */
  readonly probe: Probe;
  /** Opens connections for a check. By default one. @param origin another server that the operator named; by default the target. */
  connect(connections?: number, origin?: string): Probe;
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

/** @param administer administers the tokens of the target, by default with ADMINISTRATION_COMMAND. */
export function networkTransport({ settings }: TransportInput, administer = administerByCommand(settings)): Transport {
  const { baseUrl, concurrency, extraHeaders, clientCertificate: certificate } = settings;
  const reached = new Set<string>();
  const visits = visitsFor(settings, undefined, reached);
  const lookup = notedLookup(reached);
  // What opens the gateway of the target is no other server's business.
  const ownTo = (origin: string) =>
    origin === new URL(baseUrl).origin ? { extraHeaders, certificate } : { extraHeaders: [] };
  return {
    probe: createProbe({ baseUrl, connections: concurrency, extraHeaders, certificate, lookup }),
    connect: (connections = 1, origin) =>
      origin === undefined
        ? createProbe({ baseUrl, connections, extraHeaders, certificate, readsAll: true, lookup })
        : createProbe({ baseUrl: origin, connections, ...ownTo(origin), readsAll: true }),
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
