import { groupedBy, tallied } from '../contract/collections.ts';
import { type Contract, operationOf } from '../contract/contract.ts';
import { once } from '../contract/once.ts';
import { type Credential, isFresh } from '../plan/credentials.ts';
import { nearestAcceptance, type Plan, type PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, isTokenRefusal, type Observation } from '../record/observation.ts';
import { type Elsewhere, elsewhereIn, mayBeChance } from './by-chance.ts';
import { answerKey, judgeAnswer } from './judge-answer.ts';
import { type CaseJudging, type JudgedCase, judgeCase, losesByChance } from './judge-case.ts';
import { appearanceOf, type Looks, lookOf, looksOf } from './looks.ts';
import type { Miss } from './miss.ts';

export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'not-applicable', 'not-testable', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface CaseVerdict {
  readonly case: PlannedCase;
  readonly verdict: Verdict;
  readonly satisfied: readonly string[];
  /** Requirements on a body that was not read to its end. */
  readonly unread?: readonly string[];
  /** The miss behind a fail, a warn, or a refusal that did not repeat. */
  readonly miss?: Miss;
  /** Why the case is inconclusive. */
  readonly reason?: string;
  /** It is inconclusive because the target refuses its token also where it must accept it. */
  readonly tokenRefused?: true;
  /** A wrong refusal came once and did not repeat, or as seldom as it came elsewhere. */
  readonly intermittent?: true;
  /** The same case got a right answer at another time. */
  readonly comesAndGoes?: true;
  /** More sends would tell whether the wrong answer came by chance. */
  readonly unclear?: true;
  /** The answer that decided the case, and its place in the journal. */
  readonly observation?: Observation;
  readonly seq?: number;
  readonly sent: number;
}
/** How often a wrong refusal is sent again. */
export const CONFIRMATIONS = 3;
/** Once this many identical misses have repeated, further ones are trusted without sending them again. */
export const REPEATS_TO_TRUST = 3;

interface Evidence {
  /** Exchanges by case id, in order. */
  readonly byCase: ReadonlyMap<string, readonly Exchange[]>;
  /** Recipes of the credentials that the target accepted at least once. */
  readonly accepted: ReadonlySet<string>;
  /** Why a case was not sent, by case id. */
  readonly unsent?: ReadonlyMap<string, string>;
  /** What the acceptances of the whole run look like. By default those of these exchanges. */
  readonly looks?: () => Looks;
}

export function gather(exchanges: readonly Exchange[]): Evidence {
  const accepted = exchanges.filter(({ observation }) => isAccepted(observation));
  return {
    byCase: groupedBy(exchanges, (exchange) => exchange.case),
    accepted: new Set(accepted.map(({ credential }) => credential)),
  };
}

/** What is the same for all cases of a run. */
export interface Judging {
  readonly contract: Contract;
  readonly plan: Plan;
  /** The credentials were made for this run, so that a refusal of one is the target's fault (outcomes 2). */
  readonly trusted: boolean;
}
/** What all cases together show. */
interface Known extends Judging {
  readonly evidence: Evidence;
  /** The signatures of misses that repeated often enough to be trusted. */
  readonly repeated: ReadonlySet<string>;
  readonly elsewhere: () => Elsewhere;
  /** The number of cases that were judged. */
  readonly count: number;
}

/** Judges cases. Pure: the same journal gives the same verdicts. */
export function judgeCases(judging: Judging, cases: Iterable<PlannedCase>, evidence: Evidence): CaseVerdict[] {
  const { contract, plan } = judging;
  const exchangesOf = (id = '') => evidence.byCase.get(id) ?? [];
  const looks = once(() => evidence.looks?.() ?? looksOf(plan, [...evidence.byCase.values()].flat()));
  const caseJudging: CaseJudging = {
    judgeOne: ({ values, expectation }, observation) =>
      observation.kind === 'answer'
        ? judgeAnswer(contract, operationOf(contract, values.operation), expectation, observation)
        : undefined,
    nearest: (planned) => exchangesOf(nearestAcceptance(contract, plan, planned)?.id),
    appearance: ({ values }, observation) => appearanceOf(looks, values.operation, observation),
    isUnsteady: once(() => losesByChance(evidence.byCase.values())),
  };
  const judged = [...cases].map((planned) => judgeCase(planned, exchangesOf(planned.id), caseJudging));
  const elsewhere = once(() => elsewhereIn(plan, evidence.byCase));
  const known: Known = { ...judging, evidence, repeated: repeatedMisses(judged), elsewhere, count: judged.length };
  return judged.map((found) => verdictOn(found, known));
}

function verdictOn(found: JudgedCase, known: Known): CaseVerdict {
  const { planned, sent, last, miss, passes, satisfied, unread, silent } = found;
  const doubt = whyInconclusive(found, known);
  if (!doubt && !miss && last) {
    const verdict = silent ? 'observed' : 'pass';
    const { observation, seq } = last;
    const decided = { case: planned, sent, observation, seq, verdict, satisfied } as const;
    // Nearly every case of a run. To copy properties takes longer than to judge.
    return unread.length === 0 ? decided : { ...decided, unread };
  }
  const comesAndGoes = miss && passes > 0 && { comesAndGoes: true as const };
  const decisive = last && { observation: last.observation, seq: last.seq };
  const common = { case: planned, sent, ...decisive, ...(miss && { miss }), ...comesAndGoes };
  if (!miss || doubt) return { ...common, ...doubt, verdict: 'inconclusive', satisfied: [] };
  return { ...common, verdict: miss.level === 'must' ? 'fail' : 'warn', satisfied: miss.satisfied ?? [] };
}

/** Why the answers do not decide the case. Undefined if they do. */
function whyInconclusive(
  { planned, miss, misses, passes, last: decisive, lost, isDoubtful }: JudgedCase,
  known: Known,
): Pick<CaseVerdict, 'reason' | 'intermittent' | 'unclear' | 'tokenRefused'> | undefined {
  const { plan, trusted, evidence, repeated } = known;
  const last = decisive?.observation;
  if (!miss && passes === 0) return { reason: lost ?? evidence.unsent?.get(planned.id) ?? 'not sent' };
  const wronglyAccepted = miss?.wronglyAccepted ?? false;
  if (miss && isDoubtful && !repeated.has(signatureOf(planned, miss, last)))
    return { reason: 'a 2xx that looks like nothing that the target accepts could not be confirmed' };
  if (miss && !wronglyAccepted && misses < 2) {
    if (passes > 0)
      return { reason: 'intermittent: the wrong answer came once and did not repeat', intermittent: true };
    if (!repeated.has(signatureOf(planned, miss, last)))
      return { reason: 'the wrong answer came once and could not be confirmed' };
  }
  if (miss && last && !wronglyAccepted && !repeated.has(signatureOf(planned, miss, last))) {
    const own = { times: misses, sends: misses + passes };
    const chance = mayBeChance(own, known.elsewhere()(planned, last), known.count);
    const reason = `intermittent: the wrong answer came ${own.times} times of ${own.sends}, which may be chance`;
    if (chance !== 'no') return { reason, intermittent: true, ...(chance === 'unclear' && { unclear: true }) };
  }
  const unproven = trusted || wronglyAccepted ? undefined : whyUnproven(plan, planned, evidence, last);
  return unproven && { reason: unproven.reason, ...(unproven.refused && { tokenRefused: true }) };
}

/** The signatures of misses that were reproducible in enough cases to trust further ones. */
function repeatedMisses(judged: readonly JudgedCase[]): ReadonlySet<string> {
  const repeats = tallied(
    judged.flatMap(({ planned, miss, last, isReproducible }) =>
      miss && isReproducible ? [signatureOf(planned, miss, last?.observation)] : [],
    ),
  );
  return new Set([...repeats].filter(([, count]) => count >= REPEATS_TO_TRUST).map(([signature]) => signature));
}

/** Identifies identical misses: those of one group with the same suspects and the same answer. */
export function signatureOf(planned: PlannedCase, miss: Miss, observation: Observation | undefined): string {
  // Where no schema describes the body, only its look tells an acceptance from a page of a gateway.
  const isShown = miss.wronglyAccepted && observation?.kind === 'answer' && !observation.schemaErrors;
  const look = isShown ? lookOf(observation) : '';
  return [planned.group, ...miss.suspects.map(({ template }) => template), answerKey(observation), look].join(' ');
}

/** Why a refusal proves nothing. */
interface Unproven {
  readonly reason: string;
  /** The target refused a request that it must accept. Otherwise such a request got no answer, or was not sent. */
  readonly refused: boolean;
}

/**
 * Why a refusal proves nothing: its control, or its own credential, was never accepted, although some request must be
 * accepted with it (outcomes 2). Undefined if the refusal counts.
 * @param last the answer to judge.
 */
function whyUnproven(
  plan: Plan,
  planned: PlannedCase,
  { accepted, byCase }: Evidence,
  last: Observation | undefined,
): Unproven | undefined {
  if (planned.expectation.kind === 'accept') return whyWrongRefusalUnproven(plan, planned, accepted, last);
  const control = planned.control === undefined ? undefined : plan.find(planned.control)?.credential;
  if (control && !isFresh(control) && !accepted.has(control.recipe)) return neverAccepted(control, false);
  const { credential } = planned;
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  // The cases of a plan that must be accepted are judged themselves.
  if (plan.provable.has(credential.recipe)) return neverAccepted(credential, false);
  // If the plan has none, the run sends one before it blames a refusal (send-group.ts).
  const proofs = byCase.get(plan.proofOf(planned)?.id ?? '') ?? [];
  if (proofs.length === 0) return undefined;
  return neverAccepted(
    credential,
    proofs.some(({ observation }) => isTokenRefusal(observation)),
  );
}

/** The same text for a control and for the token itself, so that a report lists each token once. */
function neverAccepted({ recipe }: Credential, refused: boolean): Unproven {
  return { reason: `no request with ${recipe} was accepted; check this token first`, refused };
}

/** A request that must be accepted was refused. That proves nothing until its credential is accepted somewhere. */
function whyWrongRefusalUnproven(
  plan: Plan,
  { credential, values }: PlannedCase,
  accepted: ReadonlySet<string>,
  last: Observation | undefined,
): Unproven | undefined {
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  if (last?.kind !== 'answer' || !isTokenRefusal(last)) return undefined;
  // 403 means that the target knows the token and denies it the operation. An unknown token gets 401. So 403 counts if
  // the full token of the kind works.
  if (last.status === 403 && values.holding !== 'all' && fullTokenWorks(plan, values.kind, accepted)) return undefined;
  return neverAccepted(credential, true);
}

function fullTokenWorks(plan: Plan, kind: string, accepted: ReadonlySet<string>): boolean {
  for (const { values, credential } of plan.cases.values())
    if (values.kind === kind && values.holding === 'all' && credential && accepted.has(credential.recipe)) return true;
  return false;
}
