import {
  type Basis,
  type Contract,
  holds,
  type Level,
  type Message,
  type Outcome,
  type Rule,
  requirementFor,
  type Values,
} from '../contract/contract.ts';

/** An outcome that a case may have, and the requirement it satisfies. */
export interface Admissible {
  readonly rule: string;
  readonly requirement: string;
  readonly outcome: Outcome;
}
/** A requirement that a miss may be blamed on. */
export interface Suspect {
  readonly rule: string;
  /** The requirement before {operation} is filled in: one cause, whatever the operation. */
  readonly template: string;
  readonly requirement: string;
  readonly level: Level;
  readonly basis: Basis;
}
/** What a case must answer, computed from the rules alone. */
export interface Expectation {
  /** `refuse`: a decisive rule holds. `accept`: none does. `open`: only silent rules hold. */
  readonly kind: 'refuse' | 'accept' | 'open';
  readonly admissible: readonly Admissible[];
  /** Requirements of the silent rules that hold; their `never` counts whatever else is admissible. */
  readonly silent: readonly Suspect[];
  readonly suspects: readonly Suspect[];
  /** Ids of the documented messages that a refusal of this case may carry. */
  readonly messages: ReadonlySet<string>;
}

/** Everything that a miss may be blamed on, and what the specification leaves open beside it. */
export function allSuspects({ suspects, silent }: Pick<Expectation, 'suspects' | 'silent'>): readonly Suspect[] {
  return [...suspects, ...silent];
}

/** The oracle: which outcomes a case admits, with the requirement behind each. Pure; the same for every target. */
export function expect(contract: Contract, values: Values): Expectation {
  const { refusals, messages, acceptances } = contract.rules;
  const held = refusals.filter(({ when }) => holds(when, values));
  const decisive = held.filter((rule) => rule.outcome !== undefined);
  const silent = held.filter((rule) => rule.silent !== undefined);
  const admissible: Admissible[] = [];
  for (const rule of decisive)
    for (const outcome of rule.outcome)
      admissible.push({ rule: rule.id, requirement: requirementFor(rule.requirement, values.operation), outcome });
  for (const rule of silent)
    admissible.push({
      rule: rule.id,
      requirement: requirementFor(rule.requirement, values.operation),
      outcome: { status: '4xx' },
    });
  const suspects =
    decisive.length > 0
      ? decisive.map((rule) => suspectOf(contract, { ...rule, rule: rule.id }, values))
      : acceptances
          .filter(({ when }) => holds(when, values))
          .map(({ requirement }) => suspectOf(contract, { rule: 'acceptance', requirement, basis: 'stated' }, values));
  return {
    kind: decisive.length > 0 ? 'refuse' : silent.length > 0 ? 'open' : 'accept',
    admissible,
    silent: silent.map(({ id, requirement }) =>
      suspectOf(contract, { rule: id, requirement, basis: 'interpreted' }, values),
    ),
    suspects,
    messages: allowedMessages(messages, values),
  };
}

/** The level of a requirement; `must` for one that the ledger excludes cannot occur (consistency.ts). */
export function levelOf(contract: Contract, requirement: string): Level {
  return contract.requirements.find(({ id }) => id === requirement)?.level ?? 'must';
}

/** The decisive rules that hold, in file order: the faults of a case. */
export function faultsOf(contract: Contract, values: Values): readonly Rule[] {
  return contract.rules.refusals.filter((rule) => rule.outcome !== undefined && holds(rule.when, values));
}

/** The silent rules that hold: what the specification leaves open about a case. */
export function silentRulesOf(contract: Contract, values: Values): readonly Rule[] {
  return contract.rules.refusals.filter((rule) => rule.silent !== undefined && holds(rule.when, values));
}

function suspectOf(
  contract: Contract,
  { rule, requirement: template, basis }: Pick<Suspect, 'rule' | 'requirement' | 'basis'>,
  { operation }: Values,
): Suspect {
  const requirement = requirementFor(template, operation);
  return { rule, template, requirement, level: levelOf(contract, requirement), basis };
}

function allowedMessages(messages: Readonly<Record<string, Message>>, values: Values): ReadonlySet<string> {
  return new Set(
    Object.entries(messages)
      .filter(([, { allowed }]) => allowed.some((when) => holds(when, values)))
      .map(([id]) => id),
  );
}
