import { counted } from '../harness/contract/amounts.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { CHECK_WEIGHT } from '../harness/plan/shard.ts';
import { minutesAndSeconds } from '../harness/render/amounts.ts';
import type { Progressed, Session } from '../harness/run/session.ts';

/** How often progress is shown on a terminal, and in a log. */
const TERMINAL_MS = 200;
const LOG_MS = 15_000;

/** What a progress line shows besides the percentage and the time left. */
export interface Details {
  readonly done: readonly string[];
  /** Why the run is waiting at the moment. */
  readonly holding?: string | undefined;
  /** How long that takes, in milliseconds. */
  readonly heldMs?: number | undefined;
  /** How much of the current step is probably done. */
  readonly partly?: number;
  /** How long everything takes according to a rehearsal, in milliseconds. */
  readonly forecastMs?: number | undefined;
  /** What is being done. */
  readonly doing?: string | undefined;
}

type Watched = Pick<Session, 'checks'> & {
  readonly plan: Pick<Session['plan'], 'groups'>;
  readonly sender: { readonly exchanges: { readonly length: number } };
  readonly gate: Pick<Session['gate'], 'holding' | 'heldMs'>;
};
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
interface Progress {
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
    const now = details(passedMs);
    const share = (done + (now.partly ?? 0)) / whole;
    const leftMs = timeLeft({ ...now, share, passedMs });
    const line = visible(lineOf(share, leftMs, now));
    // Of a line that goes on in the next row, a terminal clears that row only.
    const row = line.slice(0, (stream.columns || Number.POSITIVE_INFINITY) - 1);
    stream.write(stream.isTTY ? `\r\x1b[2K${row}` : `${line}\n`);
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

/** Shows how many tokens TOKEN_COMMAND has made. Nothing is sent before, and each may take 30 seconds. */
export const showMintingOn =
  (stream: Stream) =>
  (whole: number): Progress =>
    showProgress(whole, () => ({ done: [`making ${counted(whole, 'token')} with TOKEN_COMMAND`] }), stream);

interface Pace extends Pick<Details, 'heldMs' | 'forecastMs'> {
  readonly share: number;
  readonly passedMs: number;
}

/**
 * The time left in milliseconds: from the forecast, or from the pace until now if that is slower. It is never less than the
 * present pause, and rises while a step takes longer than it should. Undefined while nothing is known.
 */
export function timeLeft({ share, passedMs, heldMs = 0, forecastMs = 0 }: Pace): number | undefined {
  if (share <= 0) return undefined;
  // So little says nothing of the pace: a first step that waits would make days of minutes.
  const isEarly = forecastMs > 0 && share < EARLY;
  const wholeMs = isEarly ? forecastMs + passedMs : Math.max(forecastMs, passedMs / share);
  return Math.max(heldMs, wholeMs * (1 - share));
}
const EARLY = 0.05;

/** `42 %, 160 requests, 10 a second, about 22 s left, check isolation`, or why the run is waiting. */
export function lineOf(share: number, leftMs: number | undefined, { done, holding, doing }: Details): string {
  const left = leftMs === undefined ? [] : [`about ${minutesAndSeconds(leftMs / 1000)} left`];
  const now = holding ?? doing;
  return [`${Math.floor(share * 100)} %`, ...done, ...left, ...(now === undefined ? [] : [now])].join(', ');
}

const ALMOST = 0.99;

/** Shows the progress of a run, of which `step` is told. @param stepsMs how long each step takes, if the run was rehearsed. */
export function showRunProgress(session: Watched, stream: Stream, stepsMs?: readonly number[]) {
  const { plan, checks } = session;
  const cases = plan.groups.reduce((sum, group) => sum + group.cases.length, 0);
  const whole = stepsMs ? stepsMs.reduce((sum, ms) => sum + ms, 0) : cases + checks.length * CHECK_WEIGHT;
  let steps = 0;
  let begun = performance.now();
  let doing: string | undefined;
  // A rehearsed step goes on by itself, also while it pauses, but it is not done before its end.
  const partly = () => Math.min(performance.now() - begun, (stepsMs?.[steps] ?? 0) * ALMOST);
  const progress = showProgress(
    whole,
    (passedMs) => ({ ...runDetails(session, passedMs), doing, partly: partly(), forecastMs: stepsMs && whole }),
    stream,
  );
  return {
    step(step: Progressed) {
      begun = performance.now();
      progress.step(stepsMs?.[steps] ?? weightOf(step));
      steps += 1;
      doing = step.kind === 'check begins' ? `check ${step.check.id}` : undefined;
    },
    end: progress.end,
  };
}

function weightOf(step: Progressed): number {
  switch (step.kind) {
    case 'group done':
      return step.group.cases.length;
    case 'check begins':
      return 0;
    case 'check done':
      return CHECK_WEIGHT;
  }
}

export function runDetails({ sender, gate }: Watched, passedMs: number): Details {
  const requests = sender.exchanges.length;
  const rate = passedMs > 0 ? (requests / passedMs) * 1000 : 0;
  return {
    done: [`${requests} requests`, `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`],
    holding: gate.holding,
    heldMs: gate.heldMs,
  };
}
