import { NEVER_JUDGED } from '../contract/contract.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, isAnswer, lossInWords, type Observation, transportReason } from '../record/observation.ts';
import { isOutlived } from '../record/outlived.ts';
import { whyUnread } from './judge-answer.ts';
import type { Appearance } from './looks.ts';
import { highestLevel, type Judgement, type Miss } from './miss.ts';

/** A transport outcome is judged if it comes on this many sends, with the nearest acceptance accepted around each. */
export const RECURRENCES = 3;
const STRANGE = 'a 2xx looks like nothing that the target accepts, and came only sometimes, as from a gateway';

/** What the answers to one case show, without its control and its credential. */
export interface JudgedCase {
  readonly planned: PlannedCase;
  /** The number of requests that were sent for the case. */
  readonly sent: number;
  readonly miss: Miss | undefined;
  readonly misses: number;
  readonly passes: number;
  /** The exchange that decides the case. */
  readonly last: Exchange | undefined;
  /** Why an answer decides nothing: a transport outcome, or a body that was not read to its end. */
  readonly lost: string | undefined;
  readonly satisfied: readonly string[];
  readonly unread: readonly string[];
  readonly silent: boolean;
  /** The miss came again on every confirmation. */
  readonly isReproducible: boolean;
  /** A wrong acceptance that looks like no other and came too rarely, or without acceptances of the control around it. */
  readonly isDoubtful: boolean;
}
export interface CaseJudging {
  readonly judgeOne: (planned: PlannedCase, observation: Observation) => Judgement | undefined;
  /** The exchanges of the nearest acceptance of a case. */
  readonly nearest: (planned: PlannedCase) => readonly Exchange[];
  readonly appearance: (planned: PlannedCase, observation: Observation) => Appearance;
  /** Requests of this run are lost by chance so often that no transport outcome is judged. */
  readonly isUnsteady: () => boolean;
}

/** Judges all answers to one case. @param exchanges those of the case, in order. */
export function judgeCase(
  planned: PlannedCase,
  exchanges: readonly Exchange[],
  { judgeOne, nearest, appearance, isUnsteady }: CaseJudging,
): JudgedCase {
  let misses = 0;
  let passes = 0;
  let silent = false;
  let miss: Miss | undefined;
  let last: Exchange | undefined;
  let lost: string | undefined;
  let satisfied: readonly string[] = [];
  let unread: readonly string[] = [];
  // What the specification leaves open may be refused in any way, also with a closed connection or a page (outcomes 3).
  const isFree = planned.expectation.silent.length > 0;
  for (const exchange of exchanges) {
    const { observation } = exchange;
    const transport = transportReason(observation);
    const judgement = transport === undefined ? judgeOne(planned, observation) : undefined;
    if (!judgement || judgement.kind === 'undecided') {
      lost = transport === undefined ? whyUnread(observation) : lossInWords(observation);
      continue;
    }
    const look = judgement.kind === 'miss' && appearance(planned, observation);
    if (look === 'fickle') {
      lost = STRANGE;
      continue;
    }
    if (look === 'unusual' && isFree && isPage(observation)) {
      passes += 1;
      silent = true;
      last ??= exchange;
      continue;
    }
    if (judgement.kind === 'miss') {
      misses += 1;
      if (!miss || (judgement.wronglyAccepted && !miss.wronglyAccepted)) [miss, last] = [judgement, exchange];
      continue;
    }
    passes += 1;
    if (judgement.kind === 'pass') {
      satisfied = judgement.satisfied;
      unread = judgement.unread ?? [];
    }
    silent = judgement.kind === 'observed';
    if (!miss) last = exchange;
  }
  const recurring =
    misses + passes === 0 && !isUnsteady() ? recurringOutcome(exchanges, () => nearest(planned)) : undefined;
  const judged =
    recurring &&
    (judgeOne(planned, recurring.observation) ?? noAnswer(planned, transportReason(recurring.observation)));
  if (recurring?.observation.kind === 'failure' && isFree) [passes, silent, last] = [RECURRENCES, true, recurring];
  else if (judged?.kind === 'miss') [misses, miss, last] = [RECURRENCES, judged, recurring];
  const isUnusual =
    miss?.wronglyAccepted === true && last !== undefined && appearance(planned, last.observation) === 'unusual';
  const isUsual = (observation: Observation) => appearance(planned, observation) === 'usual';
  const isDoubtful = isUnusual && (misses < 2 || !isSurrounded(exchanges, nearest(planned), isUsual));
  const isReproducible = passes === 0 && !isDoubtful && (misses > 1 || (miss?.wronglyAccepted ?? false));
  const sent = exchanges.length;
  return { planned, sent, lost, satisfied, unread, silent, miss, misses, passes, last, isReproducible, isDoubtful };
}

/** Whether an answer is a page. Data in an unusual form may be an acceptance. */
function isPage(observation: Observation): boolean {
  return isAnswer(observation) && observation.form === 'markup';
}

/** The miss of a case that never gets an answer, and of which the specification leaves nothing open. */
function noAnswer({ expectation: { suspects } }: PlannedCase, got = 'no answer'): Miss {
  return { kind: 'miss', suspects, level: highestLevel(suspects), wronglyAccepted: false, wanted: 'an answer', got };
}

/**
 * The transport outcome that comes on every recurrence send of a case, while its nearest acceptance is accepted before
 * and after each of them. It is then the target's answer to this case. 408, 423 and 429 never are (outcomes 3), nor is a
 * refusal of a token that has expired.
 */
function recurringOutcome(exchanges: readonly Exchange[], nearest: () => readonly Exchange[]): Exchange | undefined {
  const sends = exchanges.filter(({ role }) => role === 'recurrence');
  if (sends.length < RECURRENCES || sends.some(({ observation }) => isOutlived(observation))) return undefined;
  const outcomes = new Set(sends.map(({ observation }) => outcomeOf(observation)));
  if (outcomes.size > 1 || NEVER_JUDGED.some((status) => outcomes.has(status))) return undefined;
  const accepted = nearest().filter(({ role, observation }) => role === 'recurrence' && isAccepted(observation));
  return isEachBetween([0, ...seqsOf(sends)], seqsOf(accepted)) ? sends.at(-1) : undefined;
}

/** Whether the nearest acceptance was answered normally after each send of a case, and so between all of them. */
function isSurrounded(
  sends: readonly Exchange[],
  nearest: readonly Exchange[],
  isUsual: (observation: Observation) => boolean,
): boolean {
  const normal = nearest.filter(({ observation }) => isAccepted(observation) && isUsual(observation));
  return isEachBetween(seqsOf(sends), seqsOf(normal));
}

/** Whether there is an acceptance after each of the sends and before the next one. */
function isEachBetween(sends: readonly number[], acceptances: readonly number[]): boolean {
  return sends.every((from, index) => {
    const until = sends[index + 1] ?? Number.POSITIVE_INFINITY;
    return acceptances.some((seq) => seq > from && seq < until);
  });
}

function seqsOf(exchanges: readonly Exchange[]): readonly number[] {
  return exchanges.map(({ seq }) => seq);
}

function outcomeOf(observation: Observation): string | number {
  return observation.kind === 'failure' ? observation.failure : observation.status;
}

/** So many requests must have been lost before a share of them means something. */
const FEWEST_LOST = 5;
/**
 * A case is sent at least seven times before its transport outcome is judged. If one request in five is lost by chance, a case
 * loses all seven once in 78,000 times. Above that share, a run with some hundred cases would blame chance.
 */
const MOST_LOST = 1 / 5;

/**
 * Whether requests are lost by chance so often that a transport outcome of a case says nothing about the target. A request
 * was lost by chance if the same case got an answer at another time. A check sends different requests, some of which a target
 * may never answer.
 */
export function losesByChance(cases: Iterable<readonly Exchange[]>): boolean {
  let [lost, answered] = [0, 0];
  for (const all of cases) {
    const exchanges = all.filter(({ role }) => role !== 'check');
    const answers = exchanges.filter(({ observation }) => transportReason(observation) === undefined).length;
    answered += answers;
    if (answers > 0) lost += exchanges.length - answers;
  }
  return lost >= FEWEST_LOST && lost > MOST_LOST * (lost + answered);
}
