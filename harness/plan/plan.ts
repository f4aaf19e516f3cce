import { groupedBy } from '../contract/collections.ts';
import { type Contract, type HeaderDimension, mayAct, type Values } from '../contract/contract.ts';
import { personVariable } from '../contract/people.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { type Claims, kindsSent } from '../settings/claims.ts';
import { type Case, differing, type Lack, lackInWords, variableLack } from './case.ts';
import { type Credential, type Credentials, isFresh, type People, type UsedCredential } from './credentials.ts';
import type { Expectation } from './expectation.ts';
import { linesFor, placeholders } from './request.ts';

export interface PlannedCase extends Case {
  readonly group: string;
  readonly expectation: Expectation;
  readonly credential: Credential | undefined;
  /** The same request without its faults; undefined for a case that must be accepted (outcomes 2). */
  readonly control: string | undefined;
  /** The number of dimensions in which it differs from the well-made request of its kind. */
  readonly deviations: number;
}
/** The cases of one operation, kind and rule. */
export interface Group {
  readonly id: string;
  readonly cases: readonly PlannedCase[];
}
export interface Undecidable extends NotPlanned {
  readonly case: Case;
  readonly expectation: Expectation;
}
interface Planned {
  readonly groups: readonly Group[];
  readonly undecidable: readonly Undecidable[];
  /** Every planned case by id, including controls that are in no group. */
  readonly cases: ReadonlyMap<string, PlannedCase>;
  /** The cases of the whole run that must be accepted, also if this plan is narrowed. */
  readonly acceptances: readonly PlannedCase[];
  readonly credentials: readonly UsedCredential[];
  /** The case with this id, also one that the depth leaves out. Undefined if it is no case, or cannot be sent. */
  readonly find: (id: string) => PlannedCase | undefined;
  /** A well-made request with the token of a case, which must be accepted, also one that the depth leaves out. */
  readonly proofOf: (planned: PlannedCase) => PlannedCase | undefined;
  /** Whether the tokens at hand are enough to send a case and its control, also one that the depth leaves out. */
  readonly canSend: (testCase: Case) => boolean;
}
/** A plan, with what follows from its data. */
export interface Plan extends Planned {
  /** Recipes of the credentials with which some planned case must be accepted, so the run can show that they work. */
  readonly provable: ReadonlySet<string>;
  /** The last group that needs a control, by the id of the control. */
  readonly lastGroups: ReadonlyMap<string, Group>;
}

export function planOf(planned: Planned): Plan {
  const lastGroups = new Map<string, Group>();
  for (const group of planned.groups)
    for (const { control } of group.cases) if (control !== undefined) lastGroups.set(control, group);
  const credentials = acceptancesIn(planned.cases).flatMap(({ credential }) => credential ?? []);
  return { ...planned, lastGroups, provable: new Set(credentials.map(({ recipe }) => recipe)) };
}

export function acceptancesIn(cases: Planned['cases']): readonly PlannedCase[] {
  return [...cases.values()].filter(({ expectation }) => expectation.kind === 'accept');
}

/** The nearest acceptance: the case most like this one that must be accepted. It shows that the target answers (outcomes 3). */
export function nearestAcceptance(contract: Contract, plan: Plan, planned: PlannedCase): PlannedCase | undefined {
  const control = planned.control === undefined ? undefined : plan.find(planned.control);
  if (control) return control;
  let nearest: PlannedCase | undefined;
  for (const other of plan.acceptances) {
    if (other.id === planned.id) continue;
    const distance = differing(contract, other.values, planned.values).length;
    if (!nearest || distance < differing(contract, nearest.values, planned.values).length) nearest = other;
  }
  return nearest;
}

/** The plan with the cases that a run sent beyond it, and with their controls. It is the same plan if there are none. */
export function withFurtherCases(plan: Plan, sent: Iterable<string>): Plan {
  const further = new Map<string, PlannedCase>();
  for (const id of sent) {
    const planned = plan.cases.has(id) || further.has(id) ? undefined : plan.find(id);
    if (!planned) continue;
    further.set(id, planned);
    const control = planned.control === undefined ? undefined : plan.find(planned.control);
    if (control && !plan.cases.has(control.id)) further.set(control.id, control);
  }
  return further.size === 0 ? plan : planOf({ ...plan, cases: new Map([...plan.cases, ...further]) });
}

export interface NotPlanned {
  /** `not-testable`: a claimed case lacks a variable. `out-of-plan`: no claim needs it. `not-applicable`: its kind is not claimed. */
  readonly status: 'not-testable' | 'out-of-plan' | 'not-applicable';
  readonly lack: Lack;
}
export interface Supplies {
  readonly catalogue: Catalogue;
  readonly claims: Claims;
  readonly credentials: Credentials;
  readonly people: People;
}

/** Makes a function that says why a case cannot be sent; undefined if it can. */
export function lackFinder(supplies: Supplies): (values: Values) => NotPlanned | undefined {
  const { catalogue, claims, credentials, people } = supplies;
  const { contract } = catalogue;
  const kinds = new Set(kindsSent(catalogue, claims));
  const scopesClaimed = claims.capabilities.includes('scopes');
  const required = new Set(claims.kinds.flatMap((kind) => catalogue.required(kind, scopesClaimed)));
  const unfilled = unfilledValues(contract, people);
  return (values) => {
    if (!kinds.has(values.kind))
      return { status: 'not-applicable', lack: lackInWords(`${values.kind} is not claimed`) };
    const supply = credentials.supply(values);
    if (supply.kind === 'missing') {
      const isRequired = supply.variable !== undefined && required.has(supply.variable);
      return { status: isRequired ? 'not-testable' : 'out-of-plan', lack: supply.lack };
    }
    if (unfilled.every(([dimension, lacking]) => !lacking.has(values[dimension] ?? ''))) return undefined;
    const isNeeded = mayAct(contract, values.kind);
    const lack = variableLack(personVariable(contract, 'ACT_AS'));
    return { status: isNeeded ? 'not-testable' : 'out-of-plan', lack };
  };
}

/** The values of each header whose lines have a placeholder without a value. */
function unfilledValues(
  { matrix }: Contract,
  people: People,
): readonly (readonly [dimension: HeaderDimension, values: ReadonlySet<string>])[] {
  const known = placeholders(people, 'token', 'token');
  return Object.entries(matrix.headers).map(([dimension, header]) => [
    dimension,
    new Set(Object.keys(header.lines).filter((value) => linesFor(header, value, known) === undefined)),
  ]);
}

/** The operator's full tokens, each with its well-made request to each operation, which must be accepted (outcomes 2). */
export function fullTokens(acceptances: readonly PlannedCase[]) {
  const wellMade = acceptances.flatMap((planned) => {
    const { credential, deviations } = planned;
    return deviations > 0 || !credential || isFresh(credential) ? [] : [{ credential, planned }];
  });
  const byToken = groupedBy(wellMade, ({ credential }) => credential.recipe);
  return [...byToken.values()].map((all) => ({
    credential: all[0].credential,
    requests: all.map(({ planned }) => planned),
  }));
}
