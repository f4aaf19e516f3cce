import {
  ACCEPTED,
  type Contract,
  DIMENSIONS,
  type Dimension,
  type Values,
} from '../../../harness/contract/contract.ts';
import type { fits } from '../../../harness/judge/credit.ts';
import type { Isolated } from '../../../harness/plan/strength/isolation.ts';
import type { Random } from './random.ts';

/**
 * A fault of the model: a rule does not hold wherever some values occur together. `lifted`: what the rule refuses gets
 * through. Otherwise it is answered with a wrong status.
 */
export interface Fault {
  /** The id of a rule, or `accepted` for requests that must be accepted. */
  readonly rule: string;
  readonly effect: 'lifted' | number;
  readonly condition: Readonly<Partial<Record<Dimension, string>>>;
}

const WRONG_REFUSALS = [404, 500, 402] as const;
const REFUSALS = [400, 401, 403, 404, 500] as const;

/** Draws a fault: a rule, then a case that shows it, then up to three values of this case as the condition. */
export function drawFault(contract: Contract, isolated: readonly Isolated[], random: Random): Fault {
  const rule = random.pick([...new Set(isolated.map((one) => one.rule))].sort());
  const shown = isolated.filter((one) => one.rule === rule);
  const effect = random.below(2) === 0 && rule !== ACCEPTED ? 'lifted' : wrongStatus(contract, rule, random);
  const { values } = random.pick(effect === 'lifted' ? shown : shown.filter(({ isClear }) => isClear));
  const dimensions = random.shuffled(DIMENSIONS).slice(0, 1 + random.below(3));
  return { rule, effect, condition: Object.fromEntries(dimensions.map((name) => [name, values[name]])) };
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
  return DIMENSIONS.every((name) => condition[name] === undefined || condition[name] === values[name]);
}

/** `token.expired lifted where kind:USER header-case:lower`. */
export function inWords({ rule, effect, condition }: Fault): string {
  const where = Object.entries(condition).map(([name, value]) => `${name}:${value}`);
  return `${rule} ${effect === 'lifted' ? effect : `answered ${effect}`} where ${where.join(' ')}`;
}
