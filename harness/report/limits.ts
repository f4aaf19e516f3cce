import { groupedBy } from '../contract/collections.ts';
import { type Contract, requirementFor, type When } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { RequirementVerdict, Undecided } from '../judge/judge-requirements.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { ANYWHERE, type Lack, neutralCase, textOfLack, type Unit, unitOf } from '../plan/case.ts';
import { faultsOf } from '../plan/expectation.ts';
import { factorsOf } from '../plan/product.ts';
import { conditionsOf } from '../plan/requirements-about.ts';
import { isAccepted } from '../record/observation.ts';

/** Why something is undecided or not planned. */
export interface ReportedLack {
  /** The name of the variable that is not set, or what went wrong. */
  readonly reason: string;
  /** The variable that is not set. Absent if that is not the reason. */
  readonly variable?: string;
}
/** Claimed requirements that are undecided for the same reason. */
export interface ReportedUndecided extends ReportedLack, Pick<Undecided, 'status' | 'accepted'> {
  readonly requirements: readonly string[];
  readonly units: readonly string[];
}
/** The number of cases that are not planned for a reason. No claimed requirement needs them. */
export interface OutOfPlan extends ReportedLack {
  readonly cases: number;
}

export function reportLack(lack: Lack): ReportedLack {
  return { reason: textOfLack(lack), ...(lack.kind === 'variable' && { variable: lack.name }) };
}

export function undecidedBy({ requirements }: JudgedRun): readonly ReportedUndecided[] {
  const all = requirements.flatMap(({ requirement: { id }, undecided }) =>
    undecided.map((found) => ({ id, ...found })),
  );
  return [...groupedBy(all, ({ accepted, lack }) => `${accepted} ${textOfLack(lack)}`).values()].map((alike) => {
    const [{ lack, status, accepted }] = alike;
    return {
      ...reportLack(lack),
      status,
      accepted,
      requirements: [...new Set(alike.map(({ id }) => id))].sort(),
      units: [...new Set(alike.map(({ unit }) => unit))].sort(),
    };
  });
}

export function outOfPlan({ plan }: RunFacts): readonly OutOfPlan[] {
  const lacks = plan.undecidable.flatMap(({ status, lack }) => (status === 'out-of-plan' ? [lack] : []));
  return [...groupedBy(lacks, textOfLack)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, alike]) => ({ ...reportLack(alike[0]), cases: alike.length }));
}

/** The variables whose tokens were never accepted, such as expired ones. Nothing shows that they ever worked (outcomes 2). */
export function restsOnWord({ plan }: RunFacts, { exchanges }: JudgedRun): string[] {
  const accepted = new Set(
    exchanges.flatMap(({ credential, observation }) => (isAccepted(observation) ? [credential] : [])),
  );
  const used = [...plan.cases.values()].flatMap(({ credential, values }) =>
    credential && values.validity !== 'tampered' && values.family !== 'unknown' && !accepted.has(credential.recipe)
      ? [credential.variable]
      : [],
  );
  return [...new Set(used)].sort();
}

/** In how many units, operations with a kind of token, a run decided a requirement, of those that it concerns. */
export interface Places {
  readonly decided: number;
  readonly of: number;
}

type Found = Pick<RequirementVerdict, 'requirement' | 'units'>;

/**
 * Counts the places of a requirement: the operations and claimed kinds for which a rule about it can hold. What no rule
 * names is about the operation that its id begins with, or about all, and about what was tried without a token.
 */
export function placesOf(contract: Contract, kinds: readonly string[], { requirement, units }: Found): Places {
  const operations = contract.operations.filter((operation) => isAbout(contract, requirement.id, operation));
  const { isCited, conditions } = conditionsOf(contract, requirement, operations);
  const concerned = conditions.flatMap(({ operation, when }) =>
    kinds
      .map((kind) => ({ operation: operation.id, kind }))
      .filter((unit) => canHold(contract, when, unit) && mayShow(contract, requirement.id, unit))
      .map(unitOf),
  );
  const tried = isCited && concerned.length > 0 ? [] : [...units.keys()];
  const all = new Set([...concerned, ...tried]);
  const decided = units.get(ANYWHERE) ? all.size : [...all].filter((unit) => units.get(unit)).length;
  return { decided, of: all.size };
}

function isAbout({ operations }: Contract, id: string, { id: name, documentsBody }: Operation): boolean {
  if (id === 'response.content-type') return documentsBody;
  return id.startsWith(`${name}.`) || !operations.some((one) => id.startsWith(`${one.id}.`));
}

/** A kind that may not use an operation shows nothing there but that. */
function mayShow(contract: Contract, requirement: string, { operation, kind }: Unit): boolean {
  const barring = faultsOf(contract, neutralCase(contract, operation, kind).values);
  return barring.length === 0 || barring.some((rule) => requirementFor(rule.requirement, operation) === requirement);
}

/** Whether some request to the operation with a token of the kind can meet a condition. */
function canHold(contract: Contract, when: When, unit: Unit): boolean {
  const factors = factorsOf(contract, unit);
  const { family } = neutralCase(contract, unit.operation, unit.kind).values;
  const possible = new Map([...factors, ['family', [family]]]);
  // What else a condition names follows from the holding.
  return Object.entries(when).every(([name, wanted]) => {
    const values = possible.get(name);
    return values === undefined || [wanted].flat().some((value) => values.includes(value));
  });
}
