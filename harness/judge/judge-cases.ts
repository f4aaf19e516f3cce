import { type Contract, operationOf } from '../contract/contract.ts';
import { nearestAcceptance, type Plan, type PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, type Observation } from '../record/observation.ts';
import { judgeAnswer } from './judge-answer.ts';
import { type JudgedCase, judgeCase } from './judge-case.ts';
import type { Judgement } from './judgement.ts';
import type { Miss } from './miss.ts';
import { answerKey } from './same-answer.ts';
import { whyUnproven } from './unproven.ts';

export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'not-applicable', 'not-testable', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What was decided of one case, from everything that was sent for it. */
export interface CaseVerdict {
  readonly case: PlannedCase;
  readonly verdict: Verdict;
  readonly satisfied: readonly string[];
  /** Requirements on a body that was not read to its end. */
  readonly unread?: readonly string[];
  /** The miss behind a fail, a warn, or an inconclusive that came and went. */
  readonly miss?: Miss;
  /** Why it is inconclusive. */
  readonly reason?: string;
  /** Set where a wrong refusal came once and not again. */
  readonly intermittent?: true;
  /** The answer that decided. */
  readonly observation?: Observation;
  readonly sent: number;
}
/** How often a wrong refusal is sent again, and how many like it must repeat before the next is taken at its word. */
export const CONFIRMATIONS = 3;
export const ALIKE_TO_TRUST = 3;

export interface Evidence {
  /** Exchanges by case id, in order. */
  readonly byCase: ReadonlyMap<string, readonly Exchange[]>;
  /** Recipes of credentials that were accepted somewhere. */
  readonly accepted: ReadonlySet<string>;
  /** Why a case was not sent, by its id. */
  readonly unsent?: ReadonlyMap<string, string>;
}

export function gather(exchanges: Iterable<Exchange>): Evidence {
  const byCase = new Map<string, Exchange[]>();
  const accepted = new Set<string>();
  for (const exchange of exchanges) {
    const known = byCase.get(exchange.case);
    if (known) known.push(exchange);
    else byCase.set(exchange.case, [exchange]);
    if (isAccepted(exchange.observation)) accepted.add(exchange.credential);
  }
  return { byCase, accepted };
}

/** What cases are judged under. */
export interface Judging {
  readonly contract: Contract;
  readonly plan: Plan;
  /** Fixtures minted the credentials for this run, so a refused one is the target's fault (OUTCOMES 2). */
  readonly trusted: boolean;
}
/** What is known of all cases together when one of them is decided. */
interface Known extends Judging {
  readonly evidence: Evidence;
  /** Signatures of misses that were confirmed often enough. */
  readonly repeated: ReadonlySet<string>;
}

/** Judges cases on the evidence. Pure: the same journal gives the same verdicts. */
export function judgeCases(judging: Judging, cases: Iterable<PlannedCase>, evidence: Evidence): CaseVerdict[] {
  const { contract, plan } = judging;
  const exchangesOf = (id = '') => evidence.byCase.get(id) ?? [];
  const judged = [...cases].map((planned) => {
    const operation = operationOf(contract, planned.values.operation);
    const judgeOne = (observation: Observation): Judgement | undefined =>
      observation.kind === 'answer' ? judgeAnswer(contract, operation, planned.expectation, observation) : undefined;
    const nearest = () => exchangesOf(nearestAcceptance(plan, planned)?.id);
    return judgeCase(planned, exchangesOf(planned.id), nearest, judgeOne);
  });
  const known = { ...judging, evidence, repeated: repeatedMisses(judged) };
  return judged.map((found) => verdictOn(found, known));
}

function verdictOn(found: JudgedCase, known: Known): CaseVerdict {
  const { planned, sent, last, miss, satisfied, unread, silent } = found;
  const common = { case: planned, sent, ...(last && { observation: last }), ...(miss && { miss }) };
  const doubt = whyInconclusive(found, known);
  if (doubt) return { ...common, ...doubt, verdict: 'inconclusive', satisfied: [] };
  if (miss) return { ...common, verdict: miss.level === 'must' ? 'fail' : 'warn', satisfied: miss.satisfied ?? [] };
  return { ...common, verdict: silent ? 'observed' : 'pass', satisfied, ...(unread.length > 0 && { unread }) };
}

/** Why the answers do not decide the case; undefined where they do. */
function whyInconclusive(
  { planned, miss, misses, passes, last, lost }: JudgedCase,
  { plan, trusted, evidence, repeated }: Known,
): Pick<CaseVerdict, 'reason' | 'intermittent'> | undefined {
  if (!miss && passes === 0) return { reason: lost ?? evidence.unsent?.get(planned.id) ?? 'not sent' };
  const wronglyAccepted = miss?.wronglyAccepted ?? false;
  if (miss && !wronglyAccepted && misses < 2) {
    if (passes > 0) return { reason: 'intermittent: it came once and not again', intermittent: true };
    if (!repeated.has(signatureOf(planned, miss, last)))
      return { reason: 'the answer came once and could not be confirmed' };
  }
  const accepts = !miss && planned.expectation.kind === 'accept';
  const reason =
    trusted || wronglyAccepted || accepts ? undefined : whyUnproven(plan, planned, evidence.accepted, last);
  return reason === undefined ? undefined : { reason };
}

/** Signatures of misses that came every time in enough cases to take the next like them at its word. */
function repeatedMisses(judged: readonly JudgedCase[]): ReadonlySet<string> {
  const repeats = new Map<string, number>();
  for (const { planned, miss, last, steady } of judged) {
    if (!miss || !steady) continue;
    const like = signatureOf(planned, miss, last);
    repeats.set(like, (repeats.get(like) ?? 0) + 1);
  }
  return new Set([...repeats].filter(([, count]) => count >= ALIKE_TO_TRUST).map(([like]) => like));
}

/** Misses that look the same: of one group, blamed on the same requirements, with the same answer. */
export function signatureOf(planned: PlannedCase, miss: Miss, observation: Observation | undefined): string {
  return [planned.group, ...miss.suspects.map(({ template }) => template), answerKey(observation)].join(' ');
}
