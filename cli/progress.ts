import { CHECK_WEIGHT } from '../harness/plan/shard.ts';
import { spoken } from '../harness/preview/preview-text.ts';
import type { Session } from '../harness/run/session.ts';

/** How often a terminal is told, and how often a log. */
const TERMINAL_MS = 200;
const LOG_MS = 15_000;

/** What a line tells beside the share that is done and the time left. */
export interface Details {
  readonly done: readonly string[];
  /** Why nothing moves just now. */
  readonly holding?: string | undefined;
}

type Watched = Pick<Session, 'checks'> & {
  readonly plan: Pick<Session['plan'], 'groups'>;
  readonly sender: { readonly exchanges: { readonly length: number } };
  readonly gate: Pick<Session['gate'], 'holding'>;
};
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}
export interface Progress {
  /** So much of the whole is done. */
  step(weight: number): void;
  /** Takes the line from a terminal, so that something else can be printed there. */
  hide(): void;
  end(): void;
}

/** Tells how far something is: one line that changes on a terminal, a plain line now and then in a log. */
export function showProgress(whole: number, details: (passedMs: number) => Details, stream: Stream): Progress {
  const started = performance.now();
  let done = 0;
  const tell = () => {
    const passedMs = performance.now() - started;
    const line = lineOf(done / whole, passedMs, details(passedMs));
    stream.write(stream.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
  };
  const timer = setInterval(tell, stream.isTTY ? TERMINAL_MS : LOG_MS).unref();
  const hide = () => void (stream.isTTY && stream.write('\r\x1b[2K'));
  return {
    step(weight) {
      done += weight;
    },
    hide,
    end() {
      clearInterval(timer);
      hide();
    },
  };
}

/** `42 %, 160 requests, 10 a second, about 22 s left`, and why nothing moves when something holds it back. */
export function lineOf(share: number, passedMs: number, { done, holding }: Details): string {
  const left = share > 0 ? [`about ${spoken(((passedMs / share) * (1 - share)) / 1000)} left`] : [];
  return [`${Math.floor(share * 100)} %`, ...done, ...left, ...(holding === undefined ? [] : [holding])].join(', ');
}

/** Progress of a run, which counts its cases and checks. */
export function showRunProgress(session: Watched, stream: Stream): Progress {
  const cases = session.plan.groups.reduce((sum, group) => sum + group.cases.length, 0);
  return showProgress(
    cases + session.checks.length * CHECK_WEIGHT,
    (passedMs) => runDetails(session, passedMs),
    stream,
  );
}

export function runDetails({ sender, gate }: Watched, passedMs: number): Details {
  const requests = sender.exchanges.length;
  const rate = passedMs > 0 ? (requests / passedMs) * 1000 : 0;
  return {
    done: [`${requests} requests`, `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`],
    holding: gate.holding,
  };
}
