import { attributionOf } from '../contract/attribution.ts';
import {
  type Acceptance,
  type Attribution,
  type Contract,
  holds,
  type Level,
  type Outcome,
  type Rule,
  requirementFor,
  type Values,
} from '../contract/contract.ts';

/** An outcome that a case admits, and the requirement that it satisfies. */
export interface Admissible {
  readonly rule: string;
  readonly requirement: string;
  readonly outcome: Outcome;
}
export interface Suspect {
  readonly rule: string;
  /** The requirement before `{operation}` is filled in. Misses with the same template can be one cause. */
  readonly template: string;
  readonly requirement: string;
  readonly level: Level;
  readonly attribution: Attribution;
}
/** What a case must get, computed from the rules alone (outcomes 1). */
export interface Expectation {
  /** `refuse`: a decisive rule holds. `open`: only silent rules hold. `accept`: no rule holds. */
  readonly kind: 'refuse' | 'accept' | 'open';
  readonly admissible: readonly Admissible[];
  /** The requirements of the silent rules that hold. An answer that such a rule never admits is a miss in any case. */
  readonly silent: readonly Suspect[];
  /** A silent rule that holds admits a server error, too. Only the author of a contract can say so, with a reason. */
  readonly mayFail: boolean;
  readonly suspects: readonly Suspect[];
  /** Ids of the documented messages that a refusal of this case may carry. */
  readonly messages: readonly string[];
}

/** The suspects, and the requirements of the silent rules that hold. */
export function allSuspects({ suspects, silent }: Pick<Expectation, 'suspects' | 'silent'>): readonly Suspect[] {
  return [...suspects, ...silent];
}

/** What of rules.yaml holds for a case. */
interface Held {
  readonly refusals: readonly Rule[];
  readonly acceptances: readonly Acceptance[];
  readonly messages: readonly string[];
}

/**
 * The oracle: which outcomes a case admits, and the requirement behind each. Pure, and the same for every target.
 * Thousands of cases share some hundred expectations: what holds for them, their operation and their kind are the same.
 */
export function expect(contract: Contract, values: Values): Expectation {
  const known = expectations.get(contract) ?? new Map<string, Expectation>();
  expectations.set(contract, known);
  const { refusals, acceptances, messages } = contract.rules;
  const held: Held = {
    refusals: refusals.filter(({ when }) => holds(when, values)),
    acceptances: acceptances.filter(({ when }) => holds(when, values)),
    messages: Object.keys(messages).filter((id) => messages[id]?.allowed.some((when) => holds(when, values))),
  };
  const accepted = held.acceptances.map((acceptance) => acceptances.indexOf(acceptance));
  const ids = [...held.refusals.map(({ id }) => id), ...accepted, ...held.messages];
  const key = [values.operation, values.kind, ...ids].join(' ');
  const found = known.get(key) ?? expectationFrom(contract, held, values);
  known.set(key, found);
  return found;
}

const expectations = new WeakMap<Contract, Map<string, Expectation>>();

function expectationFrom(contract: Contract, held: Held, values: Pick<Values, 'operation' | 'kind'>): Expectation {
  const decisive = held.refusals.filter((rule) => rule.outcome !== undefined);
  const silent = held.refusals.filter((rule) => rule.silent !== undefined);
  const admissible = ({ id, requirement }: Rule, outcome: Outcome): Admissible => ({
    rule: id,
    requirement: requirementFor(requirement, values.operation),
    outcome,
  });
  const suspect = (rule: string, cited: Rule | Acceptance) => suspectOf(contract, rule, cited, values);
  return {
    kind: decisive.length > 0 ? 'refuse' : silent.length > 0 ? 'open' : 'accept',
    admissible: [
      ...decisive.flatMap((rule) => rule.outcome.map((outcome) => admissible(rule, outcome))),
      ...silent.map((rule) => admissible(rule, { status: '4xx' })),
    ],
    silent: silent.map((rule) => suspect(rule.id, rule)),
    mayFail: silent.some(({ never }) => never?.length === 0),
    suspects:
      decisive.length > 0
        ? decisive.map((rule) => suspect(rule.id, rule))
        : // The refusal of a case without a fault may be blamed on these.
          held.acceptances.map((acceptance) => suspect('acceptance', acceptance)),
    messages: held.messages,
  };
}

/** Whether a case must be refused with 401 or 403, as a wrong token is, and not for another part of the request. */
export function refusesToken({ kind, admissible }: Expectation, status: number | undefined): boolean {
  const codes = admissible.flatMap(({ outcome }): readonly unknown[] => [outcome.status].flat());
  if (status === 400 && codes.includes(status)) return false;
  return kind === 'refuse' && (codes.includes(401) || codes.includes(403));
}

/** The level of a requirement. Only an excluded requirement has none, and counts as `must`. */
export function levelOf(contract: Contract, requirement: string): Level {
  return contract.requirements.find(({ id }) => id === requirement)?.level ?? 'must';
}

/** The faults of a case: the decisive rules that hold, in the order of rules.yaml. */
export function faultsOf(contract: Contract, values: Values): readonly Rule[] {
  return contract.rules.refusals.filter((rule) => rule.outcome !== undefined && holds(rule.when, values));
}

/** The silent rules that hold: what the specification leaves open about a case. */
export function silentRulesOf(contract: Contract, values: Values): readonly Rule[] {
  return contract.rules.refusals.filter((rule) => rule.silent !== undefined && holds(rule.when, values));
}

function suspectOf(
  contract: Contract,
  rule: string,
  cited: Rule | Acceptance,
  values: Pick<Values, 'operation' | 'kind'>,
): Suspect {
  const template = cited.requirement;
  const requirement = requirementFor(template, values.operation);
  const attribution = attributionOf(contract, requirement, values, cited);
  return { rule, template, requirement, level: levelOf(contract, requirement), attribution };
}
