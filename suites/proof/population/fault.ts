import {
  ACCEPTED,
  type Contract,
  type Depth,
  type Dimension,
  messageText,
  type Rule,
  type Values,
} from '../../../harness/contract/contract.ts';
import type { fits } from '../../../harness/judge/credit.ts';
import { differing, makeCase, neutralCase } from '../../../harness/plan/case.ts';
import { type CasesAt, expandOnce } from '../../../harness/plan/expand.ts';
import { faultsOf, silentRulesOf } from '../../../harness/plan/expectation.ts';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { rowFinder } from '../../../harness/plan/strength/documented-rows.ts';
import { type Isolated, isolationOf } from '../../../harness/plan/strength/isolation.ts';
import { imaginedTarget } from '../../../harness/preview/imagined-target.ts';
import { madeUp } from '../../../harness/preview/made-up-values.ts';
import { acceptance, plain, requestReader } from '../../../harness/preview/read-request.ts';
import { noJournal } from '../../../harness/record/journal.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { startSession } from '../../../harness/run/start-session.ts';
import type { Transport, TransportInput } from '../../../harness/send/transport.ts';
import { catalogueOf } from '../../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../../harness/settings/read-settings.ts';
import type { Settings } from '../../../harness/settings/settings.ts';
import type { Random } from './random.ts';

/**
 * A fault of the model: a rule does not hold wherever some values occur together. `lifted`: what the rule refuses gets
 * through. Otherwise it is answered with a wrong status.
 */
export interface Fault {
  /** The id of a rule, or `accepted` for requests that must be accepted. */
  readonly rule: string;
  readonly effect: 'lifted' | number;
  readonly condition: Readonly<Record<Dimension, string>>;
}

const WRONG_REFUSALS = [404, 500, 402] as const;
const REFUSALS = [400, 401, 403, 404, 500] as const;

/** What a fault depends on: one documented row in one operation and kind, or so many values wherever they occur. */
export const EXTENTS = ['row', 1, 2, 3] as const;
export type Extent = (typeof EXTENTS)[number];

/**
 * Draws a fault: a rule, then a case that shows it, then some values of this case as the condition. For a documented row
 * these are the operation, the kind, and what else makes the row.
 */
export function drawFault(
  { contract, isolated, rowsOf }: Pick<World, 'contract' | 'isolated' | 'rowsOf'>,
  extent: Extent,
  random: Random,
): Fault {
  const candidates = extent === 'row' ? isolated.filter((one) => one.isClear && rowsOf(one).length > 0) : isolated;
  const rule = random.pick([...new Set(candidates.map((one) => one.rule))].sort());
  const shown = candidates.filter((one) => one.rule === rule);
  const effect = random.below(2) === 0 && rule !== ACCEPTED ? 'lifted' : wrongStatus(contract, rule, random);
  const { values } = random.pick(effect === 'lifted' ? shown : shown.filter(({ isClear }) => isClear));
  const dimensions =
    extent === 'row' ? rowDimensions(contract, rule, values) : random.shuffled(contract.dimensions).slice(0, extent);
  return { rule, effect, condition: Object.fromEntries(dimensions.map((name) => [name, values[name] ?? ''])) };
}

function rowDimensions(contract: Contract, rule: string, values: Values): readonly Dimension[] {
  const wellMade = neutralCase(contract, values.operation, values.kind).values;
  const isOfRow = (dimension: Dimension) =>
    rule === ACCEPTED
      ? differing(contract, values, wellMade).includes(dimension)
      : rule === 'scope.missing' && dimension === 'holding';
  return ['operation', 'kind', ...contract.dimensions.filter(isOfRow)];
}

function wrongStatus({ rules }: Contract, id: string, random: Random): number {
  if (id === ACCEPTED) return random.pick(REFUSALS);
  const outcomes = rules.refusals.find((rule) => rule.id === id)?.outcome ?? [];
  return random.pick(WRONG_REFUSALS.filter((status) => !outcomes.some((outcome) => fitsStatus(outcome, status))));
}

function fitsStatus(outcome: Parameters<typeof fits>[0], status: number): boolean {
  return [outcome.status].flat().some((pattern) => pattern === status || pattern === `${Math.floor(status / 100)}xx`);
}

export function meets({ condition }: Fault, values: Values): boolean {
  return Object.entries(condition).every(([name, value]) => value === values[name]);
}

/** `token.expired lifted where kind:USER header-case:lower`. */
export function inWords({ rule, effect, condition }: Fault): string {
  const where = Object.entries(condition).map(([name, value]) => `${name}:${value}`);
  return `${rule} ${effect === 'lifted' ? effect : `answered ${effect}`} where ${where.join(' ')}`;
}

/** Where faults are drawn: the settings of a run that has every token, and the cases that these tokens allow. */
export interface World {
  readonly contract: Contract;
  readonly settings: (depth: Depth) => Settings;
  readonly casesAt: CasesAt;
  /** Every case that the tokens allow and that isolates a rule. */
  readonly isolated: readonly Isolated[];
  /** The documented rows that a case shows in its operation and kind. */
  readonly rowsOf: (isolated: Isolated) => readonly string[];
}

/** The credentials count as made for the run. Otherwise a token that is always refused could be a wrong token. */
export function worldOf(contract: Contract): World {
  const catalogue = catalogueOf(contract);
  const names = ['TARGET_BASE_URL', ...catalogue.tokens.map(({ name }) => name), 'ACT_AS_EMAIL', 'USER_EMAIL'];
  const variables = Object.fromEntries(names.map((name) => [name, madeUp(name)]));
  const casesAt = expandOnce(contract);
  const settings = (depth: Depth) => embeddedSettings(catalogue, variables, { flags: { CONFORMANCE_DEPTH: depth } });
  const { plan } = startSession(settings('full'), { casesAt, journal: noJournal });
  const isolated = plan.groups.flatMap(({ cases }) => cases.flatMap((one) => isolationOf(contract, one) ?? []));
  return { contract, settings, casesAt, isolated, rowsOf: rowFinder(contract) };
}

/** A target in memory with at most one fault. The order of its checks is drawn, and it accepts what the specification leaves open. */
export function faultyTarget(fault: Fault | undefined, random: Random): (input: TransportInput) => Transport {
  return (input) => {
    const { contract } = input.parts;
    const order = random.shuffled(contract.rules.refusals).map(({ id }) => id);
    const uses = new Map(input.plan.credentials.map(({ use, credential }) => [credential.token, use]));
    const read = requestReader(input.parts, (token) => uses.get(token));
    const send = async (request: WireRequest): Promise<RawAnswer> => {
      const operation = contract.operations.find(
        ({ path, method }) => path === request.path && method === request.method,
      );
      if (!operation) return plain(404);
      const { dimensions } = read(operation, request);
      const { values } = makeCase(contract, { ...dimensions, 'header-case': letterCaseOf(request) });
      const answer = answerTo(contract, values, order, fault);
      return answer === ACCEPTED ? acceptance(operation, '') : answer;
    };
    const probe = { send, close: async () => undefined };
    return { ...imaginedTarget(input), probe, connect: () => probe };
  };
}

function answerTo(
  contract: Contract,
  values: Values,
  order: readonly string[],
  fault: Fault | undefined,
): RawAnswer | typeof ACCEPTED {
  // It answers nothing that is only tolerated.
  const held = faultsOf(contract, values)
    .filter(({ outcome }) => outcome?.some(({ verdict }) => verdict === undefined))
    .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const own = held.find(({ id }) => id === fault?.rule)?.requirement;
  const isFaulty = fault !== undefined && meets(fault, values);
  const left = isFaulty && fault.effect === 'lifted' ? held.filter(({ requirement }) => requirement !== own) : held;
  const [first] = left;
  if (first === undefined) {
    const mustBeAccepted = held.length === 0 && silentRulesOf(contract, values).length === 0;
    const isRefused = isFaulty && fault.rule === ACCEPTED && fault.effect !== 'lifted' && mustBeAccepted;
    return isRefused ? plain(fault.effect) : ACCEPTED;
  }
  if (isFaulty && fault.effect !== 'lifted' && first.requirement === own) return plain(fault.effect);
  return refusal(contract, first);
}

function refusal(contract: Contract, { outcome }: Rule): RawAnswer {
  const { status, message } = outcome?.[0] ?? { status: 400 };
  const [code = 400] = [status].flat();
  const [id] = Array.isArray(message) ? message : [];
  return plain(typeof code === 'number' ? code : 400, {}, id === undefined ? '' : messageText(contract, id));
}

function letterCaseOf({ headers }: WireRequest): string {
  const names = headers.map(([name]) => name);
  if (names.every((name) => name === name.toLowerCase())) return 'lower';
  return names.every((name) => name === name.toUpperCase()) ? 'upper' : 'documented';
}
