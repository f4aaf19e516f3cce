import type { Contract } from '../contract/contract.ts';
import { nearestAcceptance, type Plan, type PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, type Observation } from '../record/observation.ts';
import { type Judgement, judgeAnswer, type Miss } from './judge-answer.ts';
import { type JudgedCase, judgeCase } from './judge-case.ts';
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

/** Judges cases on the evidence. Pure: the same journal gives the same verdicts. */
export function judgeCases(
  contract: Contract,
  plan: Plan,
  cases: Iterable<PlannedCase>,
  evidence: Evidence,
  trusted: boolean,
): CaseVerdict[] {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const exchangesOf = (id = '') => evidence.byCase.get(id) ?? [];
  const judged = [...cases].map((planned): JudgedCase => {
    const operation = operations.get(planned.values.operation);
    const exchanges = exchangesOf(planned.id);
    const judgeOne = (observation: Observation): Judgement | undefined =>
      observation.kind === 'answer' && operation
        ? judgeAnswer(contract, operation, planned.expectation, observation)
        : undefined;
    const nearest = () => exchangesOf(nearestAcceptance(plan, planned)?.id);
    return judgeCase(planned, exchanges, nearest, judgeOne);
  });
  const repeated = repeatedMisses(judged);
  return judged.map((found): CaseVerdict => {
    const { planned, sent, last, miss, passes, satisfied, unread } = found;
    const common = { case: planned, sent, ...(last && { observation: last }) };
    const inconclusive = (reason: string) =>
      ({ ...common, verdict: 'inconclusive', satisfied: [], ...(miss && { miss }), reason }) as const;
    if (!miss && passes === 0) return inconclusive(found.lost ?? evidence.unsent?.get(planned.id) ?? 'not sent');
    const wronglyAccepted = miss?.wronglyAccepted ?? false;
    if (miss && !wronglyAccepted && found.misses < 2) {
      if (passes > 0) return { ...inconclusive('intermittent: it came once and not again'), intermittent: true };
      if (!repeated.has(signatureOf(planned, miss, last)))
        return inconclusive('the answer came once and could not be confirmed');
    }
    const accepts = !miss && planned.expectation.kind === 'accept';
    const unproven =
      trusted || wronglyAccepted || accepts ? undefined : whyUnproven(plan, planned, evidence.accepted, last);
    if (unproven !== undefined) return inconclusive(unproven);
    if (miss)
      return { ...common, verdict: miss.level === 'must' ? 'fail' : 'warn', satisfied: miss.satisfied ?? [], miss };
    return {
      ...common,
      verdict: found.silent ? 'observed' : 'pass',
      satisfied,
      ...(unread.length > 0 && { unread }),
    };
  });
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
