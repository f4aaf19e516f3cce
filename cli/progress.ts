import { visible } from '../harness/contract/visible-text.ts';
import { CHECK_WEIGHT } from '../harness/plan/shard.ts';
import { minutesAndSeconds } from '../harness/render/amounts.ts';
import type { Session } from '../harness/run/session.ts';

/** How often progress is shown on a terminal, and in a log. */
const TERMINAL_MS = 200;
const LOG_MS = 15_000;

/** What a progress line shows besides the percentage and the time left. */
export interface Details {
  readonly done: readonly string[];
  /** Why the run is waiting at the moment. */
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
  /** Adds to what is done. */
  step(weight: number): void;
  /** Clears the line on a terminal, so that something else can be printed there. */
  hide(): void;
  end(): void;
}

/** Shows progress: one line that is updated on a terminal, a new line every 15 seconds in a log. */
export function showProgress(whole: number, details: (passedMs: number) => Details, stream: Stream): Progress {
  const started = performance.now();
  let done = 0;
  const show = () => {
    const passedMs = performance.now() - started;
    const line = visible(lineOf(done / whole, passedMs, details(passedMs)));
    stream.write(stream.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
  };
  const timer = setInterval(show, stream.isTTY ? TERMINAL_MS : LOG_MS).unref();
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

/** `42 %, 160 requests, 10 a second, about 22 s left`, and the reason if the run is waiting. */
export function lineOf(share: number, passedMs: number, { done, holding }: Details): string {
  const left = share > 0 ? [`about ${minutesAndSeconds(((passedMs / share) * (1 - share)) / 1000)} left`] : [];
  return [`${Math.floor(share * 100)} %`, ...done, ...left, ...(holding === undefined ? [] : [holding])].join(', ');
}

/** Shows the progress of a run: its cases and checks. */
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
