import { createHash } from 'node:crypto';
import type { Depth, Dimension, Outcome, Values } from '../contract/contract.ts';
import { type Case, makeCase, neutralCase } from '../plan/case.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import type { CasesAt } from '../plan/expand.ts';
import { faultsOf } from '../plan/expectation.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange, Role, RunRecord } from '../record/exchange.ts';
import { type Answer, type Failure, type Observation, type Observer, observe } from '../record/observation.ts';
import { createRedactor } from '../record/redact.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { casesAt as casesOfDepth, catalogue, contract } from './contract.ts';
import { variedCases } from './varied-cases.ts';

export { catalogue, contract };

/** A value for every variable of the suite. */
export const everyVariable: Readonly<Record<string, string>> = {
  TARGET_BASE_URL: 'https://target.example/prefix/',
  ...Object.fromEntries(
    catalogue.tokens.map(({ name }) => [name, createHash('sha256').update(name).digest('base64url')]),
  ),
  ACT_AS_EMAIL: 'ada@people.example',
  USER_EMAIL: 'uma@people.example',
};

const varied = variedCases(contract);
/** The cases of each depth, but depth core has cases that tests can name. */
export const casesAt: CasesAt = (depth) => (depth === 'core' ? varied : casesOfDepth(depth));

type Changes = Readonly<Record<string, string | undefined>>;

/** The settings of a run with every variable set. Undefined removes one. */
export function settingsWith(changes: Changes = {}): Settings {
  return readSettings(catalogue, { environment: { ...everyVariable, ...changes }, dotenv: {} });
}

export function planWith(changes: Changes = {}, depth: Depth = 'core', cases: CasesAt = casesAt): Plan {
  const { claims, variables } = settingsWith(changes);
  const credentials = createCredentials({
    catalogue,
    variables,
    unknownToken: 'nobody-issued-this-token-of-forty-3-letters',
  });
  const people = peopleOf(contract, variables, 'test');
  return makePlan({ catalogue, casesAt: cases, depth, claims, credentials, people });
}

/** The well-made request of a kind with some values changed. */
export function caseOf(operation: string, kind: string, changes: Readonly<Record<Dimension, string>> = {}): Case {
  return makeCase(contract, { ...neutralCase(contract, operation, kind).values, ...changes });
}

export function plannedCase(plan: Plan, operation: string, kind: string, changes = {}): PlannedCase {
  const { id } = caseOf(operation, kind, changes);
  const planned = plan.cases.get(id);
  if (!planned) throw new Error(`${id} is not planned`);
  return planned;
}

export const observer: Observer = {
  messages: contract.rules.messages,
  redactor: createRedactor(),
  markers: [],
};

/** The observation of an answer to an operation. */
export function answer(
  status: number,
  text = '',
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  operation = 'search',
): Answer {
  const asked = contract.operations.find(({ id }) => id === operation);
  return observe(observer, { status, headers, text, truncated: false }, asked);
}

export const SEARCH_BODY = '{"results":[],"trackingToken":"t","requestId":"r"}';
export const accepted = answer(200, SEARCH_BODY);
export const reset: Failure = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };

/** The documented text of a message, by its id in rules.yaml. */
export function messageText(id: string): string {
  const message = contract.rules.messages[id];
  if (!message) throw new Error(`rules.yaml has no message ${id}`);
  return message.text;
}

function refusal({ status, message }: Outcome, operation: string): Answer {
  const [code = 400] = [status].flat();
  const [id] = Array.isArray(message) ? message : [];
  const text = id === undefined ? '' : JSON.stringify({ error: messageText(id) });
  return answer(typeof code === 'number' ? code : 400, text, undefined, operation);
}

/** What a conforming target answers, by the first outcome of a rule and by operation. Tests ask thousands of times. */
const refusals = new Map(
  contract.rules.refusals.flatMap(({ outcome: [outcome] = [] }) =>
    outcome ? [[outcome, byOperation((operation) => refusal(outcome, operation))]] : [],
  ),
);
const acceptances = byOperation((operation) => answer(200, SEARCH_BODY, undefined, operation));

/** An answer for each operation. */
function byOperation(answerOf: (operation: string) => Answer): Readonly<Record<string, Answer>> {
  return Object.fromEntries(contract.operations.map(({ id }) => [id, answerOf(id)]));
}

/** The answer of a conforming target. In a case with several faults, it is about the first one in rules.yaml. */
export function rightAnswer(values: Values): Answer {
  const [fault] = faultsOf(contract, values);
  const outcome = fault?.outcome?.[0];
  const right = (outcome ? refusals.get(outcome) : acceptances)?.[values.operation];
  if (!right) throw new Error(`no right answer for the operation ${values.operation}`);
  return right;
}

/** How a target reads a request. A target that overlooks a fault answers as if the request had none. */
export type Reading = (values: Values) => Values;

/** A reading that changes the values of the requests for which `applies` is true. */
export function taking(applies: (values: Values) => boolean, as: Readonly<Record<Dimension, string>>): Reading {
  return (values) => (applies(values) ? makeCase(contract, { ...values, ...as }).values : values);
}

/** The exchanges of a run that sends every case of a plan several times. */
export function sendAll(plan: Plan, respond: (planned: PlannedCase) => Observation, times = 2): Exchange[] {
  const list: Exchange[] = [];
  for (const planned of plan.cases.values())
    for (let time = 0; time < times; time += 1) list.push(exchangeOf(planned, respond(planned), list.length + 1));
  return list;
}

export function exchangeOf(planned: PlannedCase, observation: Observation, seq: number, role: Role = 'cell'): Exchange {
  const credential = planned.credential?.recipe ?? 'no token';
  return { type: 'exchange', seq, case: planned.id, role, credential, observation };
}

/** The first entry of a journal: a run at depth core with every variable and two checks. */
export function runRecord(change: Partial<RunRecord> = {}): RunRecord {
  return {
    type: 'run',
    version: '0.0.0',
    run: 'one',
    contract: contract.digest,
    startedAt: '2026-11-21T00:00:00Z',
    target: 'https://target.example',
    depth: 'core',
    claims: settingsWith().claims,
    trusted: false,
    checks: { isolation: ['user.isolation'], paging: ['search.page-size'] },
    variables: Object.fromEntries(Object.keys(everyVariable).map((name) => [name, 'environment'])),
    ...change,
  };
}
