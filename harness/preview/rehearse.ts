import type { JudgedRun } from '../judge/judge-run.ts';
import { noJournal } from '../record/journal.ts';
import { isSuccess } from '../record/observation.ts';
import { noRedactor } from '../record/redact.ts';
import type { Session } from '../run/session.ts';
import { type SessionOptions, startSession } from '../run/start-session.ts';
import { MOST_CHATS } from '../run/wire-sending.ts';
import type { ChatLimit } from '../send/chat-budget.ts';
import type { TransportInput } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import { imaginedTarget, type OnAnswer, type OnSent } from './imagined-target.ts';
import { rehearsalClock } from './rehearsal-clock.ts';

/** A run against an imagined target, to find out what a real run would send and decide. */
export interface Rehearsal {
  readonly session: Session;
  readonly judged: JudgedRun;
  /** Traffic of the cases. */
  readonly matrix: Traffic;
  /** Traffic of the hand-written checks. */
  readonly checks: Traffic;
  /** How long the run takes at its rate, in milliseconds, with the pauses after refused tokens. 0 without a rate. */
  readonly lastsMs: number;
  /** How long each step of `sendAll` takes, in order, in milliseconds. */
  readonly stepsMs: readonly number[];
}
export interface Traffic {
  readonly requests: number;
  /** Requests that are refused, as they should be. */
  readonly refused: number;
  /** Those of them that count as refused tokens (outcomes 6). */
  readonly denied: number;
  /** Accepted requests to slow operations, such as chat. */
  readonly chats: number;
}
export interface RehearsalOptions
  extends Required<Pick<SessionOptions, 'checks' | 'intrusive' | 'casesAt'>>,
    Pick<SessionOptions, 'narrowing' | 'chatLimit'> {
  /** Is called with every request as one text, and with the origin that it goes to. */
  readonly onSent?: OnSent;
}

/** Runs a whole session, with gate and judgement, on a clock of its own. Sends nothing and writes nothing. */
export async function rehearse(settings: Settings, options: RehearsalOptions): Promise<Rehearsal> {
  const clock = rehearsalClock();
  const matrix = { requests: 0, refused: 0, denied: 0, chats: 0 };
  const checks = { ...matrix };
  let current = matrix;
  const onAnswer: OnAnswer = (operation, status) => {
    current.requests += 1;
    if (status >= 400) current.refused += 1;
    if (isSuccess(status) && operation?.isSlow) current.chats += 1;
  };
  const transport = (input: TransportInput) => imaginedTarget(input, onAnswer, options.onSent);
  const session = startSession(settings, { ...options, clock, journal: noJournal, redactor: noRedactor, transport });
  let counted = 0;
  const countDenied = () => {
    current.denied += session.gate.refusedTokens - counted;
    counted = session.gate.refusedTokens;
  };
  await session.preflight();
  const stepsMs: number[] = [];
  let before = clock.now();
  let running = 0;
  await session.sendAll((step) => {
    stepsMs.push(clock.now() - before);
    before = clock.now();
    countDenied();
    if (step.kind !== 'group done') running += step.kind === 'check begins' ? 1 : -1;
    current = running > 0 ? checks : matrix;
  });
  countDenied();
  const judged = session.judge();
  await session.close();
  return { session, judged, matrix, checks, lastsMs: clock.now(), stepsMs };
}

/** The chats that a run needs, found by rehearsing it. */
interface ChatNeed {
  /** What the run is held to. */
  readonly limit: ChatLimit;
  /** Accepted chats of a run that sends all of them. */
  readonly all: number;
  /** Accepted chats of a run that leaves out those that show nothing new. */
  readonly fewest: number;
  /** The run within this limit. */
  readonly rehearsal: Rehearsal;
}

/** A target may cause more chats than an imagined one, because wrong answers are sent again. */
const RESERVE = 1.1;

/**
 * The chat budget of a run, and what it must suffice for. Undefined for a target on this machine, which has no limit.
 * The default is what the plan needs and a tenth more, at most 100 (outcomes 6).
 */
export async function chatNeed(settings: Settings, options: RehearsalOptions): Promise<ChatNeed | undefined> {
  if (settings.loopback) return undefined;
  const unlimited = (isTight: boolean) =>
    rehearse(settings, { ...options, chatLimit: { max: Number.POSITIVE_INFINITY, isTight } });
  const chatsOf = ({ matrix, checks }: Rehearsal) => matrix.chats + checks.chats;
  const whole = await unlimited(false);
  const all = chatsOf(whole);
  const isTight = all > (settings.chatBudget ?? MOST_CHATS);
  const fewest = isTight ? chatsOf(await unlimited(true)) : all;
  const needed = Math.max(1, Math.min(MOST_CHATS, Math.ceil(fewest * RESERVE)));
  const limit = { max: settings.chatBudget ?? needed, isTight };
  // A limit that is not reached changes nothing.
  return {
    limit,
    all,
    fewest,
    rehearsal: isTight ? await rehearse(settings, { ...options, chatLimit: limit }) : whole,
  };
}

/** What a rehearsal tells of a run against another machine before its first request. */
export interface Forecast {
  readonly chatLimit: ChatLimit | undefined;
  /** How long each step of the run takes, in milliseconds. Pauses after refused tokens are a part of it. */
  readonly stepsMs: readonly number[] | undefined;
}

/** Rehearses a run to know its chat budget and how long it takes. */
export async function forecastOf(settings: Settings, options: RehearsalOptions): Promise<Forecast> {
  const need = await chatNeed(settings, options);
  if (!need) return { chatLimit: undefined, stepsMs: undefined };
  const { limit, rehearsal } = need;
  return { chatLimit: limit, stepsMs: settings.rate === undefined ? undefined : rehearsal.stepsMs };
}
