import type { Check } from '../../harness/checks/check.ts';
import type { Administer, AdministrationAnswer } from '../../harness/commands/administration.ts';
import { neutralCase } from '../../harness/plan/case.ts';
import type { CasesAt } from '../../harness/plan/expand.ts';
import { buildRequest, type WireRequest } from '../../harness/plan/request.ts';
import { imaginedTarget } from '../../harness/preview/imagined-target.ts';
import { rehearsalClock } from '../../harness/preview/rehearsal-clock.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { type Failure, isSuccess, type RawAnswer } from '../../harness/record/observation.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { NO_ROUTES } from '../../harness/send/routes.ts';
import type { Transport, TransportInput } from '../../harness/send/transport.ts';
import type { Settings } from '../../harness/settings/settings.ts';
import { aligned } from './kill-matrix.ts';

/** A target in memory that gives one answer to everything, or to everything but the documented requests. */
export interface UniformTarget {
  readonly what: string;
  readonly answer: RawAnswer | Failure;
  readonly administration: AdministrationAnswer;
  /** Whether documented requests with a valid token are accepted all the same. */
  readonly acceptsTokens: boolean;
  /** If set, only the tokens of this kind get the answer. Everything else is as documented. */
  readonly kind?: string;
}

const answered = (status: number, text = '', type = 'text/plain'): RawAnswer => ({
  ...{ status, text, headers: { 'content-type': type }, truncated: false },
});
const no: AdministrationAnswer = { kind: 'refused', why: 'no' };
const failed: AdministrationAnswer = { kind: 'failed', why: 'ADMINISTRATION_COMMAND ended with code 1' };
const yes: AdministrationAnswer = {
  kind: 'done',
  secret: 'a-secret-of-the-uniform-target',
  token: { id: '1' },
  tokens: [],
  shown: '',
};
const silence: Failure = { kind: 'failure', failure: 'timeout', detail: 'timeout (the answer)' };
const uniform = (what: string, answer: UniformTarget['answer'], administration: AdministrationAnswer) => ({
  ...{ what, answer, administration, acceptsTokens: false },
});

export const uniformTargets: readonly UniformTarget[] = [
  ...[401, 403, 404].map((status) => uniform(`${status}`, answered(status, 'No.'), no)),
  uniform('200, empty', answered(200), yes),
  uniform('200, HTML', answered(200, '<!doctype html><title>Welcome</title>', 'text/html'), yes),
  ...[429, 500].map((status) => uniform(`${status}`, answered(status, 'Oops.'), failed)),
  uniform('silence', silence, failed),
  ...[400, 401, 403, 404].map((status) => ({
    ...uniform(`tokens, else ${status}`, answered(status, 'No.'), no),
    acceptsTokens: true,
  })),
];

/** A target that refuses one kind of token, whatever comes with it, and does all else as documented. */
export const targetWithout = (kind: string): UniformTarget => ({
  ...uniform(`all but ${kind}`, answered(401, 'No.'), no),
  kind,
});

/** What each check decides of one of these targets, without a server and on a clock of its own. */
export async function runOnUniform(
  settings: Settings,
  checks: readonly Check[],
  target: UniformTarget,
  casesAt: CasesAt,
): Promise<ReadonlyMap<string, readonly Decision[]>> {
  const transport = (input: TransportInput) => uniformTransport(input, target);
  // The gate stays open, so that every check runs against a silent target.
  const options = {
    casesAt,
    checks,
    journal: noJournal,
    clock: rehearsalClock(),
    transport,
    patienceMs: Number.POSITIVE_INFINITY,
    // Some checks draw their requests by the id of the run.
    run: 'abcd1234',
  };
  const session = startSession(settings, options);
  const decisions = new Map<string, readonly Decision[]>();
  for (const check of session.checks) decisions.set(check.id, await session.runCheck(check));
  await session.close();
  return decisions;
}

function uniformTransport(input: TransportInput, target: UniformTarget): Transport {
  const imagined = imaginedTarget(input);
  if (target.kind !== undefined) return withoutKind(input, imagined, target.kind, target.answer);
  const documented = documentedRequests(input);
  const send = async (request: WireRequest): Promise<RawAnswer | Failure> => {
    if (!target.acceptsTokens || !documented(request)) return target.answer;
    const right = await imagined.probe.send(request, 0);
    return 'status' in right && isSuccess(right.status) ? right : target.answer;
  };
  // The first token is made where tokens are accepted. It is the control of all others.
  let first = target.acceptsTokens;
  const administer: Administer = async (request) => {
    if (!first || !imagined.administer) return target.administration;
    first = false;
    return imagined.administer(request);
  };
  const probe = { send, close: async () => undefined };
  return {
    probe,
    connect: () => probe,
    raw: async () => target.answer,
    visit: async () => target.answer,
    routes: async () => NO_ROUTES,
    mayVisit: async () => true,
    administer: imagined.administer && administer,
  };
}

function withoutKind(
  { settings }: TransportInput,
  right: Transport,
  kind: string,
  answer: RawAnswer | Failure,
): Transport {
  const names = new RegExp(`^${kind}_(?:MCP_)?TOKEN`);
  const tokens = [...settings.variables].flatMap(([name, { value }]) => (names.test(name) ? value : []));
  const isRefused = (request: unknown) => tokens.some((token) => JSON.stringify(request).includes(token));
  const probe: Transport['probe'] = {
    ...right.probe,
    send: async (request, timeout) => (isRefused(request) ? answer : right.probe.send(request, timeout)),
  };
  return {
    ...right,
    probe,
    connect: () => probe,
    raw: async (text, ...rest) => (isRefused(text) ? answer : right.raw(text, ...rest)),
    visit: async (to, request, ...rest) => (isRefused(request) ? answer : right.visit(to, request, ...rest)),
  };
}

/** Whether a request is a documented one, with any token. */
function documentedRequests({ parts, settings }: TransportInput): (request: WireRequest) => boolean {
  const { contract } = parts;
  const formOf = ({ method, path, headers, body }: WireRequest) => {
    const lines = headers.filter(([name]) => name !== 'Authorization').map((line) => line.join(': '));
    return JSON.stringify([method, path, lines.sort(), body]);
  };
  const forms = new Set(
    settings.claims.kinds.flatMap((kind) =>
      contract.operations.map(({ id }) => formOf(buildRequest(parts, neutralCase(contract, id, kind).values, ''))),
    ),
  );
  return (request) => forms.has(formOf(request));
}

/** What each check decides of each target: `pass`, and what is blamed with which verdict. */
export function uniformTable(
  rows: readonly (readonly [target: string, check: string, decisions: readonly Decision[]])[],
) {
  const cells = rows.map(([target, check, decisions]) => {
    const verdicts = [...new Set(decisions.map(({ verdict }) => verdict))].sort();
    const shown = verdicts.map((verdict) => {
      const named = verdict === 'pass' || verdict === 'fail' || verdict === 'warn';
      const of = decisions.filter((one) => one.verdict === verdict).map(({ requirement }) => requirement);
      return named ? `${verdict} ${[...new Set(of)].sort().join(', ')}` : verdict;
    });
    return [target, check, shown.join('; ') || '-'];
  });
  return `${aligned([['target', 'check', 'decisions'], ...cells])}\n`;
}
