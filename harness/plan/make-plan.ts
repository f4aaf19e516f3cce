import {
  type Contract,
  type Depth,
  DIMENSIONS,
  type Dimension,
  HEADER_DIMENSIONS,
  type Rule,
  type Values,
} from '../contract/contract.ts';
import type { Claims } from '../settings/claims.ts';
import { requiredTokens, tokenKinds } from '../settings/variables.ts';
import { type Case, differing, makeCase, neutralCase } from './case.ts';
import type { Credential, Credentials } from './credentials.ts';
import { expand } from './expand.ts';
import { type Expectation, expect, faultsOf, silentRulesOf } from './expectation.ts';
import { linesFor, placeholders } from './header-lines.ts';
import type { People } from './people.ts';

/** A case that can be sent, with what it needs and what it must answer. */
export interface PlannedCase extends Case {
  readonly group: string;
  readonly expectation: Expectation;
  readonly credential: Credential | undefined;
  /** The case whose acceptance gives this one's refusal its meaning; undefined for a case that must succeed. */
  readonly control: string | undefined;
  /** In how many dimensions it differs from a well-made request of its kind. */
  readonly deviations: number;
}
/** Cases of one operation, kind and rule: what one test decides. */
export interface Group {
  readonly id: string;
  readonly cases: readonly PlannedCase[];
}
/** A case that cannot be decided, and why. */
export interface Undecidable {
  readonly case: Case;
  readonly expectation: Expectation;
  /** `not-testable`: claimed, and a variable would decide it. `out-of-plan`: nothing claimed needs it. */
  readonly status: 'not-testable' | 'out-of-plan' | 'not-applicable';
  /** The variable to set, or the reason in words. */
  readonly reason: string;
}
export interface Plan {
  readonly depth: Depth;
  readonly groups: readonly Group[];
  readonly undecidable: readonly Undecidable[];
  /** Every planned case by id, the controls that are not themselves cells included. */
  readonly cases: ReadonlyMap<string, PlannedCase>;
  /** Recipes of the credentials that some planned case must accept, and that can so be shown to live. */
  readonly provable: ReadonlySet<string>;
  /** The cases of the whole run that must be accepted, whatever narrows this plan. */
  readonly acceptances: readonly PlannedCase[];
}
export interface PlanInput {
  readonly contract: Contract;
  readonly depth: Depth;
  readonly claims: Claims;
  readonly credentials: Credentials;
  readonly people: People;
}

/** Decides, before any traffic, which cases are sent, in which groups, and what stays undecided for which reason. */
export function makePlan({ contract, depth, claims, credentials, people }: PlanInput): Plan {
  const expectations = rememberingOracle(contract);
  const required = new Set(
    claims.kinds.flatMap((kind) => [...requiredTokens(contract, kind, claims.capabilities.includes('scopes'))]),
  );
  const withTokens = new Set(tokenKinds(contract));
  const cases = new Map<string, PlannedCase>();
  const groups = new Map<string, PlannedCase[]>();
  const undecidable: Undecidable[] = [];

  const lack = (values: Values): Pick<Undecidable, 'status' | 'reason'> | undefined => {
    if (withTokens.has(values.kind) && !claims.kinds.includes(values.kind))
      return { status: 'not-applicable', reason: `${values.kind} is not claimed` };
    const supply = credentials.supply(values);
    if (supply.kind === 'missing')
      return {
        status: required.has(supply.variable) ? 'not-testable' : 'out-of-plan',
        reason: supply.reason ?? supply.variable,
      };
    if (supply.kind === 'unnamed') return { status: 'out-of-plan', reason: supply.reason };
    const known = placeholders(people, 'token', 'token');
    const unfilled = HEADER_DIMENSIONS.find(
      (dimension) => linesFor(contract.matrix.headers[dimension], values[dimension], known) === undefined,
    );
    if (unfilled === undefined) return undefined;
    return { status: values.kind === 'GLOBAL' ? 'not-testable' : 'out-of-plan', reason: 'ACT_AS_EMAIL' };
  };

  const plan = (found: Case, expectation: Expectation, control: string | undefined): PlannedCase => {
    const supply = credentials.supply(found.values);
    const credential = supply.kind === 'token' ? supply.credential : undefined;
    const deviations = differing(
      found.values,
      neutralCase(contract, found.values.operation, found.values.kind).values,
    ).length;
    return { ...found, group: groupOf(found.values, expectation), expectation, credential, control, deviations };
  };

  // A denial without a token of its own is shown beside the first claimed kind that has one.
  const supplied = (operation: string) =>
    claims.kinds.find((kind) => lack(neutralCase(contract, operation, kind).values) === undefined);
  const vouching = new Map(contract.operations.map(({ id }) => [id, supplied(id) ?? claims.kinds[0]]));

  for (const found of expand(contract, depth)) {
    const expectation = expectations(found.values);
    const lacking = lack(found.values);
    if (lacking) {
      undecidable.push({ case: found, expectation, ...lacking });
      continue;
    }
    const control =
      expectation.kind === 'accept' ? undefined : controlOf(contract, found, vouching.get(found.values.operation));
    const controlLack = control && lack(control.values);
    if (controlLack) {
      undecidable.push({ case: found, expectation, ...controlLack });
      continue;
    }
    const planned = plan(found, expectation, control?.id);
    cases.set(found.id, planned);
    const members = groups.get(planned.group);
    if (members) members.push(planned);
    else groups.set(planned.group, [planned]);
    if (control && !cases.has(control.id))
      cases.set(control.id, plan(control, expectations(control.values), undefined));
  }
  const ordered = [...groups].map(([id, members]): Group => ({ id, cases: members }));
  // What must be accepted comes first: it shows which tokens live before their denials are judged.
  ordered.sort((a, b) => Number(isDenial(a)) - Number(isDenial(b)));
  const acceptances = [...cases.values()].filter(({ expectation }) => expectation.kind === 'accept');
  return { depth, groups: ordered, undecidable, cases, provable: provableBy(cases.values()), acceptances };
}

/** Recipes of the credentials that one of these cases must accept. */
export function provableBy(cases: Iterable<PlannedCase>): ReadonlySet<string> {
  const accepting = [...cases].filter(({ expectation }) => expectation.kind === 'accept');
  return new Set(accepting.flatMap(({ credential }) => (credential ? [credential.recipe] : [])));
}

function isDenial({ cases: [first] }: Group): boolean {
  return first?.expectation.kind !== 'accept';
}

/**
 * The control of a case: the same request with its faulted dimensions as a well-made one has them. Where that would rest on
 * something the specification leaves open, it is made ordinary too.
 * @param vouching the kind whose well-made request stands beside a denial that has no token of its own.
 */
export function controlOf(contract: Contract, found: Case, vouching: string | undefined): Case | undefined {
  const kind = tokenKinds(contract).includes(found.values.kind) ? found.values.kind : vouching;
  if (kind === undefined) return undefined;
  const neutral = neutralCase(contract, found.values.operation, kind).values;
  if (kind !== found.values.kind) return makeCase(contract, neutral);
  const faults = repair(found.values, neutral, faultsOf(contract, found.values));
  const control = makeCase(contract, faults);
  if (expect(contract, control.values).kind === 'accept') return control;
  return makeCase(contract, repair(control.values, neutral, silentRulesOf(contract, control.values)));
}

/** The values with every dimension that one of the rules asks for as a well-made request has it. */
function repair(values: Values, neutral: Values, rules: readonly Rule[]): Values {
  const repaired: Record<Dimension, string> = { ...values };
  for (const rule of rules)
    for (const dimension of dimensionsOf(Object.keys(rule.when))) repaired[dimension] = neutral[dimension];
  return { ...values, ...repaired };
}

/** The dimensions that a rule's condition can be repaired in. */
function dimensionsOf(aspects: readonly string[]): Dimension[] {
  return aspects.flatMap((aspect): Dimension[] => {
    if (aspect === 'scope' || aspect === 'holding-form') return ['holding'];
    const dimension = DIMENSIONS.find((name) => name === aspect);
    return dimension && dimension !== 'operation' && dimension !== 'kind' ? [dimension] : [];
  });
}

/** `search/USER/token.expired`: the first fault names the group; then what is left open; else the acceptances. */
export function groupOf({ operation, kind }: Values, { kind: expected, admissible }: Expectation): string {
  return `${operation}/${kind}/${expected === 'accept' ? 'accepted' : (admissible[0]?.rule ?? 'accepted')}`;
}

/** Cases that agree in every aspect that a rule asks for share one expectation. */
function rememberingOracle(contract: Contract): (values: Values) => Expectation {
  const known = new Map<string, Expectation>();
  return (values) => {
    const key = [
      values.family,
      values.scope,
      values['holding-form'],
      ...DIMENSIONS.filter((d) => d !== 'holding').map((d) => values[d]),
    ].join(' ');
    const found = known.get(key) ?? expect(contract, values);
    known.set(key, found);
    return found;
  };
}

/** Another case that must be accepted, closest to this one: it shows that the target answers while this one fails. */
export function nearestAcceptance(plan: Plan, planned: PlannedCase): PlannedCase | undefined {
  const control = planned.control === undefined ? undefined : plan.cases.get(planned.control);
  if (control) return control;
  let best: PlannedCase | undefined;
  for (const other of plan.acceptances) {
    if (other.id === planned.id) continue;
    if (!best || differing(other.values, planned.values).length < differing(best.values, planned.values).length)
      best = other;
  }
  return best;
}
