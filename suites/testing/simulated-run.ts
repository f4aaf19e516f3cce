import type { Check } from '../../harness/checks/check.ts';
import type { WireRequest } from '../../harness/plan/request.ts';
import { imaginedTarget } from '../../harness/preview/imagined-target.ts';
import { rehearsalClock } from '../../harness/preview/rehearsal-clock.ts';
import type { JournalEntry } from '../../harness/record/exchange.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { startSession } from '../../harness/run/start-session.ts';
import type { Clock } from '../../harness/send/clock.ts';
import type { Transport, TransportInput } from '../../harness/send/transport.ts';
import { casesAt } from '../../harness/testing/contract.ts';
import { settingsWith } from '../../harness/testing/small-world.ts';
import type { Answer } from './trouble.ts';

export const MARKERS = {
  USER_PRIVATE_QUERY: 'what only uma may see',
  USER_PRIVATE_MARKER: 'umbrella-17',
  ACT_AS_PRIVATE_QUERY: 'what only ada may see',
  ACT_AS_PRIVATE_MARKER: 'anchor-23',
};

/** What comes back instead of the right answer to a request. A request that is sent as a text has none. */
export type Instead = (
  right: () => Promise<Answer>,
  clock: Clock,
  request: WireRequest | undefined,
  timeoutMs: number,
) => Answer | Promise<Answer>;

interface SimulatedRun {
  readonly checks: readonly Check[];
  /** Changes of the variables. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly intrusive?: boolean;
}

/** A whole run against a target in memory that conforms but for this, on simulated time. */
export async function simulate(instead: Instead, { checks, variables = {}, intrusive = false }: SimulatedRun) {
  const clock = rehearsalClock();
  const transport = (input: TransportInput): Transport => {
    const target = imaginedTarget(input);
    return {
      ...target,
      probe: {
        ...target.probe,
        send: async (...sent) => instead(() => target.probe.send(...sent), clock, sent[0], sent[1]),
      },
      connect() {
        const connection = target.connect();
        return {
          ...connection,
          send: async (...sent) => instead(() => connection.send(...sent), clock, sent[0], sent[1]),
        };
      },
      raw: async (text, timeoutMs) => instead(() => target.raw(text, timeoutMs), clock, undefined, timeoutMs),
    };
  };
  const entries: JournalEntry[] = [];
  const journal = { ...noJournal, append: (entry: JournalEntry) => entries.push(entry) };
  const settings = settingsWith({ ...MARKERS, CONFORMANCE_CLAIMS: 'user global', ...variables });
  const session = startSession(settings, { checks, casesAt, intrusive, clock, transport, journal });
  const problem = await session.preflight();
  await session.sendAll();
  const judged = session.judge();
  await session.close();
  return { judged, problem, entries, minutes: clock.now() / 60_000, session };
}
