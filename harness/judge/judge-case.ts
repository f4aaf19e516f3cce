import { allSuspects } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, type Observation, transportReason } from '../record/observation.ts';
import type { Judgement } from './judgement.ts';
import { gravest, type Miss } from './miss.ts';

/** Sends of one case that must all end in the same transport outcome, its nearest acceptance accepted around each. */
export const RECURRENCES = 3;
const UNREAD = 'the body is longer, or came slower, than what is read of one';

/** What the answers to one case say, before its control and its credential are looked at. */
export interface JudgedCase {
  readonly planned: PlannedCase;
  /** How many requests were sent for it. */
  readonly sent: number;
  readonly miss: Miss | undefined;
  readonly misses: number;
  readonly passes: number;
  readonly last: Observation | undefined;
  /** What kept the case from being decided: a transport outcome, a body that could not be read. */
  readonly lost: string | undefined;
  readonly satisfied: readonly string[];
  readonly unread: readonly string[];
  readonly silent: boolean;
  /** A miss that was sent again as often as is due and came every time. */
  readonly steady: boolean;
}

/**
 * @param exchanges those of the case, in order.
 * @param nearest those of the case that must be accepted around each of its recurrences.
 */
export function judgeCase(
  planned: PlannedCase,
  exchanges: readonly Exchange[],
  nearest: () => readonly Exchange[],
  judgeOne: (observation: Observation) => Judgement | undefined,
): JudgedCase {
  let [misses, passes, silent] = [0, 0, false];
  let miss: Miss | undefined;
  let last: Observation | undefined;
  let lost: string | undefined;
  let satisfied: readonly string[] = [];
  let unread: readonly string[] = [];
  for (const { observation } of exchanges) {
    const transport = transportReason(observation);
    const judgement = transport === undefined ? judgeOne(observation) : undefined;
    if (!judgement || judgement.kind === 'undecided') {
      lost = transport ?? UNREAD;
      continue;
    }
    if (judgement.kind === 'miss') {
      misses += 1;
      if (!miss || (judgement.wronglyAccepted && !miss.wronglyAccepted)) [miss, last] = [judgement, observation];
      continue;
    }
    passes += 1;
    if (judgement.kind === 'pass') [satisfied, unread] = [judgement.satisfied, judgement.unread ?? []];
    silent = judgement.kind === 'observed';
    if (!miss) last = observation;
  }
  const common = { planned, sent: exchanges.length, lost, satisfied, unread, silent };
  const recurring = misses + passes === 0 ? recurs(exchanges, nearest) : undefined;
  const judged = recurring && (judgeOne(recurring) ?? noAnswer(planned, lost));
  if (recurring && judged?.kind === 'miss')
    return { ...common, miss: judged, misses: RECURRENCES, passes: 0, last: recurring, steady: true };
  const steady = passes === 0 && (misses > 1 || (miss?.wronglyAccepted ?? false));
  return { ...common, miss, misses, passes, last, steady };
}

/** As a server error does, it also breaks what is left open beside a fault: that is never no answer. */
function noAnswer({ expectation }: PlannedCase, got = 'no answer'): Miss {
  const { kind } = expectation;
  const blamed = kind === 'open' ? expectation.silent : allSuspects(expectation);
  return { kind: 'miss', suspects: blamed, level: gravest(blamed), wronglyAccepted: false, wanted: 'an answer', got };
}

/**
 * The transport outcome of a case that had the same on every recurrence send, with its nearest acceptance accepted before
 * and after each: then it is the case's own answer. 408 and 429 never are (OUTCOMES 3).
 */
function recurs(exchanges: readonly Exchange[], nearest: () => readonly Exchange[]): Observation | undefined {
  const sends = exchanges.filter(({ role }) => role === 'recurrence');
  if (sends.length < RECURRENCES) return undefined;
  const outcomes = new Set(sends.map(({ observation }) => outcomeOf(observation)));
  if (outcomes.size > 1 || outcomes.has(408) || outcomes.has(429)) return undefined;
  const accepted = nearest().filter(({ role, observation }) => role === 'recurrence' && isAccepted(observation));
  const between = (from: number, to: number) => accepted.some(({ seq }) => seq > from && seq < to);
  const turns = [0, ...sends.map(({ seq }) => seq), Number.POSITIVE_INFINITY];
  const surrounded = turns.slice(1).every((until, index) => between(turns[index] ?? 0, until));
  return surrounded ? sends.at(-1)?.observation : undefined;
}

function outcomeOf(observation: Observation): string | number {
  return observation.kind === 'failure' ? observation.failure : observation.status;
}
