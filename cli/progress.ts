import { spoken } from '../harness/plan-ahead-text.ts';
import type { Session } from '../harness/run.ts';
import { CHECK_WEIGHT } from '../harness/shard.ts';

/** How often a terminal is told, and how often a log. */
const TERMINAL_MS = 200;
const LOG_MS = 15_000;

type Watched = Pick<Session, 'groups' | 'checks'> & {
  readonly sender: { readonly exchanges: { readonly length: number } };
  readonly gate: Pick<Session['gate'], 'holding'>;
};
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}
export interface Progress {
  /** So many cases, or a check, are decided. */
  step(weight: number): void;
  end(): void;
}

/** Tells how far a run is: one line that changes on a terminal, a plain line now and then in a log. */
export function showProgress(session: Watched, stream: Stream): Progress {
  const started = performance.now();
  const cases = session.groups.reduce((sum, group) => sum + group.cases.length, 0);
  const all = cases + session.checks.length * CHECK_WEIGHT;
  let done = 0;
  const tell = () => {
    const line = lineOf(session, done / all, performance.now() - started);
    stream.write(stream.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
  };
  const timer = setInterval(tell, stream.isTTY ? TERMINAL_MS : LOG_MS).unref();
  return {
    step(weight) {
      done += weight;
    },
    end() {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\x1b[2K');
    },
  };
}

/** `42 %, 160 requests, 10 a second, about 22 s left`, and why nothing moves when something holds it back. */
export function lineOf({ sender, gate }: Watched, share: number, passedMs: number): string {
  const requests = sender.exchanges.length;
  const rate = passedMs > 0 ? (requests / passedMs) * 1000 : 0;
  const left = share > 0 ? (passedMs / share) * (1 - share) : undefined;
  return [
    `${Math.floor(share * 100)} %`,
    `${requests} requests`,
    `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`,
    ...(left === undefined ? [] : [`about ${spoken(left / 1000)} left`]),
    ...(gate.holding === undefined ? [] : [gate.holding]),
  ].join(', ');
}
