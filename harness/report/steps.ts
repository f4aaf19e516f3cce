import { operationOf } from '../contract/contract.ts';
import { answerKey } from '../judge/judge-answer.ts';
import { type CaseVerdict, gather } from '../judge/judge-cases.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { describeWanted } from '../judge/miss.ts';
import { curlFor } from '../plan/curl.ts';
import { nearestAcceptance, type PlannedCase } from '../plan/plan.ts';
import { type Decision, type Exchange, explaining, type Step } from '../record/exchange.ts';
import { type Answer, type Failure, isAccepted, type Observation } from '../record/observation.ts';
import { timeOf } from './latency.ts';

/** A request on the way to a verdict, and what came back. */
export interface ReportedStep {
  /** What the answer was to show. */
  readonly shows: string;
  readonly wanted: string;
  /** A command line over `$VARIABLES` that sends the request again. Absent if none does. */
  readonly curl?: string;
  readonly response: ReportedResponse;
  /** The answer that broke the requirement. */
  readonly failed: boolean;
  /** The case or the check that sent it, if a check decides by what others got: `check:nothing-found`. */
  readonly sentBy?: string;
}

/** Finds the few steps that explain a verdict. A run has twenty thousand exchanges, and nobody reads them all. */
export interface StepLog {
  /** The last acceptance before the answer that decided the case, that answer, and the last one to the same request. */
  ofCase(verdict: CaseVerdict): readonly ReportedStep[];
  /** The acceptance before the step that broke the requirement, that step, and those around it. */
  ofDecision(decision: Decision): readonly ReportedStep[];
  /** The milliseconds until the answer that decided the case. */
  msOf(verdict: CaseVerdict): number | undefined;
  /** The milliseconds that all requests to the case took together. */
  timeOfCase(verdict: CaseVerdict): number | undefined;
  /** The milliseconds that the steps of the decision took together. */
  timeOfDecision(decision: Decision): number | undefined;
}

type BySeq = ReadonlyMap<number, Exchange>;

export function createStepLog(facts: RunFacts, exchanges: readonly Exchange[]): StepLog {
  const { byCase } = gather(exchanges);
  const bySeq = new Map(exchanges.map((exchange) => [exchange.seq, exchange]));
  return {
    ofCase: (verdict) => stepsOfCase(facts, byCase, bySeq, verdict),
    ofDecision: (decision) => stepsOfDecision(facts, bySeq, decision),
    msOf: ({ seq = 0 }) => bySeq.get(seq)?.ms,
    timeOfCase: ({ case: { id } }) => timeOf(byCase.get(id) ?? []),
    timeOfDecision: ({ steps }) => timeOf(steps.flatMap((seq) => bySeq.get(seq) ?? [])),
  };
}

function stepsOfCase(
  facts: RunFacts,
  byCase: ReadonlyMap<string, readonly Exchange[]>,
  bySeq: BySeq,
  { case: planned, seq = 0, miss }: CaseVerdict,
): ReportedStep[] {
  const own = byCase.get(planned.id) ?? [];
  const decisive = bySeq.get(seq) ?? own.at(-1);
  if (!decisive) return [];
  const last = own.at(-1);
  const control = nearestAcceptance(facts.contract, facts.plan, planned);
  const which = planned.control === control?.id ? 'the control' : 'the nearest acceptance';
  const before = control && acceptanceBefore(byCase.get(control.id) ?? [], decisive.seq);
  const ofCase = (shows: string, exchange: Exchange) => ({
    ...stepOf(facts, planned, shows, exchange),
    ...(miss && { wanted: miss.wanted }),
    failed: miss !== undefined && answerKey(exchange.observation) === answerKey(decisive.observation),
  });
  return [
    ...(control && before ? [stepOf(facts, control, `${which} ${control.id} is accepted`, before)] : []),
    ofCase(planned.id, decisive),
    ...(last && last !== decisive ? [ofCase('the same request again', last)] : []),
  ];
}

/** The last acceptance before another exchange. Without one, the last answer before it, or the first. */
function acceptanceBefore(exchanges: readonly Exchange[], seq: number): Exchange | undefined {
  const earlier = exchanges.filter((exchange) => exchange.seq < seq);
  return earlier.findLast(({ observation }) => isAccepted(observation)) ?? earlier.at(-1) ?? exchanges[0];
}

function stepOf(
  { contract, parts, settings }: RunFacts,
  planned: PlannedCase,
  shows: string,
  { observation, ms }: Exchange,
): ReportedStep {
  const operation = operationOf(contract, planned.values.operation);
  return {
    shows,
    wanted: describeWanted(contract, planned.expectation, operation),
    curl: curlFor(parts, settings, planned),
    response: reportResponse(observation, ms),
    failed: false,
  };
}

function stepsOfDecision(facts: RunFacts, bySeq: BySeq, decision: Decision): ReportedStep[] {
  const { check, steps, broke, wanted, commands } = decision;
  const all = steps.flatMap((seq) => bySeq.get(seq) ?? []);
  return explaining(all, broke).map((exchange): ReportedStep => {
    const { step, case: id, observation, ms, seq } = exchange;
    const planned = facts.plan.cases.get(id);
    const response = reportResponse(observation, ms);
    // A check may rest on an answer of the matrix.
    const curl = commands?.[seq];
    const sentBy = id !== `check:${check}` && { sentBy: id };
    if (!step && planned) return { ...stepOf(facts, planned, id, exchange), failed: seq === broke, ...sentBy };
    // An answer to a case that is no longer in the plan, such as that of another shard.
    if (!step) return { shows: id, wanted: 'either', response, failed: false };
    return {
      ...sentBy,
      shows: step.shows,
      wanted: seq === broke ? wantedOfBroken(step, wanted, response) : step.wanted,
      ...(curl !== undefined && { curl }),
      response,
      failed: seq === broke,
    };
  });
}

/**
 * What was wanted of the step that broke the requirement. By default a check wants what its step was to show, which is said
 * already: then this says what the answer must hide or show of private documents.
 */
function wantedOfBroken(step: Step, wanted: string | undefined, response: ReportedResponse): string {
  if (wanted !== undefined && wanted !== step.shows) return wanted;
  const shown = new Set(response.kind === 'answer' ? response.places?.map(({ variable }) => variable) : []);
  const own = step.finds === undefined ? undefined : `${step.finds}_PRIVATE_MARKER`;
  const hides = [...shown].filter((name) => name !== own).map((name) => `$${name}`);
  const conditions = [
    ...(hides.length > 0 ? [`hides ${hides.join(', ')}`] : []),
    ...(own !== undefined && !shown.has(own) ? [`shows $${own}`] : []),
  ];
  return conditions.length === 0 ? step.wanted : `${wantedInWords(step.wanted)}, and ${conditions.join(' and ')}`;
}

/** What was wanted of a step. One can fail although both are right: by what its response shows. */
export function wantedInWords(wanted: string): string {
  return wanted === 'either' ? 'accepted or refused' : wanted;
}

/** What came back to a request: an answer, as far as it may be shown, or the reason why none came. */
export type ReportedResponse = ReportedAnswer | ReportedFailure;

interface ReportedAnswer extends Pick<Answer, 'kind' | 'status' | 'skeleton' | 'schemaErrors' | 'places'> {
  /** Milliseconds from the request to the end of what was read. Absent in journals of earlier versions. */
  readonly ms?: number;
  /** The headers that are recorded, by their usual names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a refusal: the body as it came, redacted, up to 2 KiB, in lines. */
  readonly excerpt?: readonly string[];
}
type ReportedFailure = Pick<Failure, 'kind' | 'detail'> & Pick<ReportedAnswer, 'ms'>;

export function reportResponse(observation: Observation, ms: number | undefined): ReportedResponse {
  const time = ms === undefined ? {} : { ms };
  if (observation.kind === 'failure') return { kind: 'failure', detail: observation.detail, ...time };
  const { kind, status, contentType, challenge, retryAfter, excerpt, skeleton, headers } = observation;
  const { schemaErrors = [], places = [] } = observation;
  const known = { 'Content-Type': contentType, 'WWW-Authenticate': challenge, 'Retry-After': retryAfter };
  const set = Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    kind,
    status,
    headers: { ...Object.fromEntries(set), ...headers },
    ...(excerpt !== undefined && excerpt !== '' && { excerpt: excerpt.split(/\r\n|\r|\n/) }),
    ...(skeleton !== undefined && { skeleton }),
    ...(schemaErrors.length > 0 && { schemaErrors }),
    ...(places.length > 0 && { places }),
    ...time,
  };
}
