import type { Administer } from '../commands/administration.ts';
import { administerByCommand } from '../commands/administration-command.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import type { Settings } from '../settings/settings.ts';
import { type CheckConnection, connectForCheck } from './check-connection.ts';
import { sendRaw } from './raw-socket.ts';
import { createProbe, type Probe } from './undici-probe.ts';

/** How requests reach a target: over the network, or in a rehearsal not at all. */
export interface Transport {
  /** For the cases of the matrix. */
  readonly probe: Probe;
  /** For one connection of a hand-written check. */
  connect(): CheckConnection;
  /** For bytes that no HTTP client lets through. */
  raw(text: string, timeoutMs: number): Promise<RawAnswer | Failure>;
  /** To a server that need not be the target. */
  visit(origin: string, request: WireRequest, timeoutMs: number): Promise<RawAnswer | Failure>;
  /** By ADMINISTRATION_COMMAND; undefined without one. */
  readonly administer: Administer | undefined;
}
/** What a stand-in may need to know of the run; the network needs the settings alone. */
export interface TransportInput {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly parts: RequestParts;
}

export function networkTransport({ settings }: TransportInput): Transport {
  const { baseUrl, concurrency, extraHeaders, timeoutMs } = settings;
  return {
    probe: createProbe({ baseUrl, connections: concurrency, extraHeaders }),
    connect: () => connectForCheck(baseUrl, extraHeaders, timeoutMs),
    raw: (text, timeoutMs) => sendRaw(baseUrl, text, timeoutMs),
    async visit(origin, request, timeoutMs) {
      const connection = connectForCheck(origin, origin === new URL(baseUrl).origin ? extraHeaders : [], timeoutMs);
      try {
        return await connection.exchange(request, timeoutMs);
      } finally {
        connection.close();
      }
    },
    administer: administerByCommand(settings),
  };
}
