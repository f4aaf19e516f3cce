import type { Contract } from './contract.ts';
import type { Exchange } from './journal.ts';
import { type Judgement, judge, type Miss } from './judge.ts';
import { isAccepted, type Observation, transportReason } from './observation.ts';
import type { Plan, PlannedCase } from './plan.ts';

export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'not-applicable', 'not-testable', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What was decided of one case, from everything that was sent for it. */
export interface CaseVerdict {
  readonly case: PlannedCase;
  readonly verdict: Verdict;
  readonly satisfied: readonly string[];
  /** The miss behind a fail, a warn, or an inconclusive that came and went. */
  readonly miss?: Miss;
  /** Why it is inconclusive. */
  readonly reason?: string;
  /** The answer that decided. */
  readonly observation?: Observation;
  readonly sent: number;
}
/** How often a wrong refusal is sent again, and how many like it must repeat before the next is taken at its word. */
export const CONFIRMATIONS = 3;
export const ALIKE_TO_TRUST = 3;
/** Sends of one case that must all end in the same transport outcome, its companion accepted around each. */
export const RECURRENCES = 3;

export interface Evidence {
  /** Exchanges by case id, in order. */
  readonly byCase: ReadonlyMap<string, readonly Exchange[]>;
  /** Recipes of credentials that were accepted somewhere. */
  readonly accepted: ReadonlySet<string>;
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
export function decideCases(
  contract: Contract,
  plan: Plan,
  cases: Iterable<PlannedCase>,
  evidence: Evidence,
  trusted: boolean,
): CaseVerdict[] {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const judged = [...cases].map((planned) => {
    const operation = operations.get(planned.values.operation);
    const exchanges = evidence.byCase.get(planned.id) ?? [];
    const judgeOne = (observation: Observation): Judgement | undefined =>
      observation.kind === 'answer' && operation
        ? judge(contract, operation, planned.expectation, observation)
        : undefined;
    return { planned, exchanges, ...assess(planned, exchanges, evidence, judgeOne) };
  });
  const repeated = new Set<string>();
  const repeats = new Map<string, number>();
  for (const { planned, miss, steady } of judged) {
    if (!miss || !steady) continue;
    const like = signatureOf(planned, miss);
    repeats.set(like, (repeats.get(like) ?? 0) + 1);
    if ((repeats.get(like) ?? 0) >= ALIKE_TO_TRUST) repeated.add(like);
  }
  return judged.map(({ planned, exchanges, miss, misses, passes, last, lost, satisfied, silent }): CaseVerdict => {
    const common = { case: planned, sent: exchanges.length, ...(last && { observation: last }) };
    if (miss) {
      const sure = miss.wronglyAccepted || misses > 1 || (passes === 0 && repeated.has(signatureOf(planned, miss)));
      if (!sure)
        return {
          ...common,
          verdict: 'inconclusive',
          satisfied: [],
          miss,
          reason:
            passes > 0 ? 'intermittent: it came once and not again' : 'the answer came once and could not be confirmed',
        };
      const doubt = trusted || planned.credential?.fresh ? undefined : deadCredential(plan, planned, evidence, last);
      if (doubt) return { ...common, verdict: 'inconclusive', satisfied: [], miss, reason: doubt };
      return { ...common, verdict: miss.level === 'must' ? 'fail' : 'warn', satisfied: [], miss };
    }
    if (passes === 0) return { ...common, verdict: 'inconclusive', satisfied: [], reason: lost ?? 'not sent' };
    const control = trusted || planned.twin === undefined ? undefined : refusedControl(plan, planned, evidence);
    if (control) return { ...common, verdict: 'inconclusive', satisfied: [], reason: control };
    return { ...common, verdict: silent ? 'observed' : 'pass', satisfied };
  });
}

interface Assessment {
  readonly miss: Miss | undefined;
  readonly misses: number;
  readonly passes: number;
  readonly last: Observation | undefined;
  /** The transport outcome that kept the case from being decided. */
  readonly lost: string | undefined;
  readonly satisfied: readonly string[];
  readonly silent: boolean;
  /** A miss that was sent again as often as is due and came every time. */
  readonly steady: boolean;
}

function assess(
  planned: PlannedCase,
  exchanges: readonly Exchange[],
  evidence: Evidence,
  judgeOne: (o: Observation) => Judgement | undefined,
): Assessment {
  let [misses, passes, silent] = [0, 0, false];
  let miss: Miss | undefined;
  let last: Observation | undefined;
  let lost: string | undefined;
  let satisfied: readonly string[] = [];
  for (const { observation } of exchanges) {
    const transport = transportReason(observation);
    if (transport !== undefined) {
      lost = transport;
      continue;
    }
    const judgement = judgeOne(observation);
    if (judgement?.kind === 'miss') {
      misses += 1;
      if (!miss || (judgement.wronglyAccepted && !miss.wronglyAccepted)) [miss, last] = [judgement, observation];
    } else if (judgement) {
      passes += 1;
      if (judgement.kind === 'pass') satisfied = judgement.satisfied;
      silent = judgement.kind === 'observed';
      if (!miss) last = observation;
    }
  }
  if (misses + passes === 0) {
    const recurring = recurs(planned, exchanges, evidence);
    const judgement = recurring && judgeOne(recurring);
    if (judgement?.kind === 'miss')
      return {
        miss: judgement,
        misses: RECURRENCES,
        passes: 0,
        last: recurring,
        lost,
        satisfied,
        silent,
        steady: true,
      };
    if (recurring && !judgement) {
      const { suspects, silent: open } = planned.expectation;
      const failed: Miss = {
        kind: 'miss',
        suspects: suspects.length > 0 ? suspects : open,
        level: 'must',
        wronglyAccepted: false,
        wanted: 'an answer',
        got: lost ?? 'no answer',
      };
      return { miss: failed, misses: RECURRENCES, passes: 0, last: recurring, lost, satisfied, silent, steady: true };
    }
  }
  const steady = passes === 0 && (misses > 1 || (miss?.wronglyAccepted ?? false));
  return { miss, misses, passes, last, lost, satisfied, silent, steady };
}

/**
 * The transport outcome of a case that had it on every recurrence send, with its companion accepted before and after
 * each: then it is the case's own answer. 408 and 429 never are (OUTCOMES 3).
 */
function recurs(planned: PlannedCase, exchanges: readonly Exchange[], { byCase }: Evidence): Observation | undefined {
  const sends = exchanges.filter(({ role }) => role === 'recurrence');
  if (sends.length < RECURRENCES) return undefined;
  const never = sends.some(
    ({ observation }) => observation.kind === 'answer' && (observation.status === 408 || observation.status === 429),
  );
  if (never) return undefined;
  const companions = [...byCase.values()]
    .flat()
    .filter((other) => other.role === 'recurrence' && other.case !== planned.id && isAccepted(other.observation));
  const between = (from: number, to: number) => companions.some(({ seq }) => seq > from && seq < to);
  const turns = [0, ...sends.map(({ seq }) => seq), Number.POSITIVE_INFINITY];
  const surrounded = turns.slice(1).every((until, index) => between(turns[index] ?? 0, until));
  return surrounded ? sends.at(-1)?.observation : undefined;
}

/** Misses that look the same: blamed on the same requirements, with the same answer. */
export function signatureOf(planned: PlannedCase, miss: Miss): string {
  return `${planned.group} ${miss.suspects.map(({ template }) => template).join('+')} ${miss.got.replace(/[0-9a-f-]{16,}|\d{6,}/gi, '*').slice(0, 60)}`;
}

/** A refusal of what must be accepted proves nothing while nothing shows that its credential lives. */
function deadCredential(
  plan: Plan,
  planned: PlannedCase,
  { accepted }: Evidence,
  last: Observation | undefined,
): string | undefined {
  const recipe = planned.credential?.recipe;
  if (planned.expectation.kind !== 'accept' || recipe === undefined || accepted.has(recipe)) return undefined;
  if (last?.kind === 'answer' && last.status < 400) return undefined;
  // 403 says that the target knows the token and denies it something, where a dead one gets 401. That is the target's
  // word on what the token may do, as long as the kind as such works.
  const full = [...plan.cases.values()].some(
    ({ values, credential }) =>
      values.kind === planned.values.kind &&
      values.holding === 'all' &&
      credential !== undefined &&
      accepted.has(credential.recipe),
  );
  if (last?.kind === 'answer' && last.status === 403 && full && planned.values.holding !== 'all') return undefined;
  return `${recipe} is accepted nowhere: the token or the target, this cannot be told`;
}

function refusedControl(plan: Plan, planned: PlannedCase, { accepted }: Evidence): string | undefined {
  const { recipe, fresh } = (planned.twin === undefined ? undefined : plan.cases.get(planned.twin)?.credential) ?? {};
  return recipe === undefined || fresh || accepted.has(recipe)
    ? undefined
    : `its control with ${recipe} was accepted nowhere: the token or the target, this cannot be told`;
}
