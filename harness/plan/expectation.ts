import { attributionOf } from '../contract/attribution.ts';
import {
  type Acceptance,
  type Attribution,
  type Contract,
  holds,
  type Level,
  type Message,
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
/** A requirement that a miss may be blamed on. */
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
  readonly suspects: readonly Suspect[];
  /** Ids of the documented messages that a refusal of this case may carry. */
  readonly messages: ReadonlySet<string>;
}

/** The suspects, and the requirements of the silent rules that hold. */
export function allSuspects({ suspects, silent }: Pick<Expectation, 'suspects' | 'silent'>): readonly Suspect[] {
  return [...suspects, ...silent];
}

/** The oracle: which outcomes a case admits, and the requirement behind each. Pure, and the same for every target. */
export function expect(contract: Contract, values: Values): Expectation {
  const held = contract.rules.refusals.filter(({ when }) => holds(when, values));
  const decisive = held.filter((rule) => rule.outcome !== undefined);
  const silent = held.filter((rule) => rule.silent !== undefined);
  const admissible = ({ id, requirement }: Rule, outcome: Outcome): Admissible => ({
    rule: id,
    requirement: requirementFor(requirement, values.operation),
    outcome,
  });
  return {
    kind: kindOf(decisive, silent),
    admissible: [
      ...decisive.flatMap((rule) => rule.outcome.map((outcome) => admissible(rule, outcome))),
      ...silent.map((rule) => admissible(rule, { status: '4xx' })),
    ],
    silent: silent.map((rule) => suspectOf(contract, rule.id, rule, values)),
    suspects:
      decisive.length > 0
        ? decisive.map((rule) => suspectOf(contract, rule.id, rule, values))
        : acceptanceSuspects(contract, values),
    messages: allowedMessages(contract.rules.messages, values),
  };
}

function kindOf(decisive: readonly Rule[], silent: readonly Rule[]): Expectation['kind'] {
  if (decisive.length > 0) return 'refuse';
  return silent.length > 0 ? 'open' : 'accept';
}

/**
 * Whether a case must be refused with 401 or 403, as a wrong token is. The other refusals are about the rest of the
 * request, such as a missing header or field, and so is a 400 that the case admits.
 * @param status what came. Undefined if no answer came.
 */
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

/** The requirements that the refusal of a case without a fault may be blamed on. */
function acceptanceSuspects(contract: Contract, values: Values): readonly Suspect[] {
  return contract.rules.acceptances
    .filter(({ when }) => holds(when, values))
    .map((acceptance) => suspectOf(contract, 'acceptance', acceptance, values));
}

function suspectOf(contract: Contract, rule: string, cited: Rule | Acceptance, values: Values): Suspect {
  const template = cited.requirement;
  const requirement = requirementFor(template, values.operation);
  const attribution = attributionOf(contract, requirement, values, cited);
  return { rule, template, requirement, level: levelOf(contract, requirement), attribution };
}

function allowedMessages(messages: Readonly<Record<string, Message>>, values: Values): ReadonlySet<string> {
  return new Set(
    Object.entries(messages)
      .filter(([, { allowed }]) => allowed.some((when) => holds(when, values)))
      .map(([id]) => id),
  );
}
