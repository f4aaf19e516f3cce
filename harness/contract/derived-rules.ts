import { configurationError, didYouMean } from './configuration-error.ts';
import { NEVER_JUDGED, type Outcome, type Rule } from './contract.ts';
import type { Fill } from './derived-matrix.ts';
import type { Operation } from './openapi.ts';
import { barredFrom, type Override, type WrittenContract } from './written-contract.ts';
import type { Placed } from './yaml-file.ts';

/** A rule as specs/derived/defaults.yaml has it. */
export interface DefaultRule extends Pick<Rule, 'id' | 'requirement' | 'when'> {
  readonly outcome?: readonly Outcome[];
  readonly silent?: string;
  readonly reason: string;
}
/** What follows from a contract for everything that is derived. */
export interface Frame {
  readonly written: WrittenContract;
  readonly defaults: { readonly refusals: readonly DefaultRule[] };
  readonly operations: readonly Operation[];
  readonly fill: Fill;
}

/** The rules of refusals: what the defaults say, with the entries of the contract. */
export function refusalsOf({ written, defaults, operations, fill }: Frame, at: Placed<unknown>['at']): readonly Rule[] {
  const { rules: overrides = {} } = written;
  const problems: string[] = [];
  const all = defaults.refusals.flatMap((rule) =>
    operationsFor(operations, rule.id).map(({ id: operation }) => ({
      ...{ ...rule, id: named(rule.id, operation, '') },
      when: fill(rule.when, { operation: [operation], barred: barredFrom(written, operation) }),
    })),
  );
  const rules = all.flatMap(({ when, ...rule }): readonly Rule[] => (when ? [ruleOf({ ...rule, when })] : []));
  const ids = all.map(({ id }) => id);
  for (const [id, override] of Object.entries(overrides)) {
    const rule = rules.find((one) => one.id === id);
    const wanted = [override.expect ?? []].flat();
    const problem = (text: string) => problems.push(`${at('/rules', id)}: rules: ${text}`);
    if (!ids.includes(id)) problem(`unknown rule ${id}${rightRule(defaults, id, ids)}`);
    else if (!rule) problem(`${id} concerns nothing that this contract has; remove the entry`);
    else if (wanted.some((status) => NEVER_JUDGED.includes(status)))
      problem(
        `${id} would expect ${wanted.join(' or ')}; a run sends again what gets ${NEVER_JUDGED.join(', ')}, and never judges it`,
      );
    else if (LETS_IN.test(id) && wanted.some((status) => /^2/.test(String(status))))
      problem(
        `${id} would expect a success, which nothing tells from letting everybody in; name the status of a refusal`,
      );
    else if (changesNothing(rule, override)) problem(`${id} expects that anyway; remove the entry`);
  }
  if (problems.length > 0) throw configurationError(problems);
  return rules.map((rule) => overridden(rule, overrides[rule.id]));
}

/** Where a success means that no token, a wrong one, or who acts as nobody is let in. */
const LETS_IN = /^(?:authorization\.absent$|token\.|scope\.missing$|reach\.|act-as\.unknown$)/;

/** The rule that somebody may have meant. Reports name requirements, so that one of those stands for its rules. */
function rightRule({ refusals }: Frame['defaults'], id: string, ids: readonly string[]): string {
  const ownOf = (wanted: string) => {
    const own = refusals.flatMap((rule) => (rule.requirement === wanted ? [rule.id] : []));
    return own[0] && `; that is a requirement, and its ${own[1] ? 'rules are' : 'rule is'} ${own.join(' and ')}`;
  };
  const ofEach = id.replace(/\.[^.]+$/, '.{operation}');
  return ownOf(id) ?? (didYouMean(id, ids) || (ownOf(ofEach) ?? `; it is one of ${ids.join(', ')}`));
}

function ruleOf({ outcome, silent = '', ...head }: DefaultRule): Rule {
  return { ...head, basis: 'interpreted', ...(outcome ? { outcome } : { silent, never: ['5xx'] }) };
}

function changesNothing(rule: Rule, { expect }: Override): boolean {
  const [first, ...others] = rule.outcome ?? [];
  return expect !== undefined && others.length === 0 && String(first?.status) === String(expect);
}

/** A rule is replaced or left open, and never deleted. What was left open may then be a server error, too. */
function overridden(rule: Rule, override: Override | undefined): Rule {
  if (!override) return rule;
  const { id, requirement, when } = rule;
  const head = { id, requirement, when, basis: 'interpreted' } as const;
  if (override.expect !== undefined)
    return { ...head, reason: override.reason, outcome: [{ status: override.expect }] };
  const { silenced: reason } = override;
  return { ...head, reason, silent: reason, never: rule.silent ? [] : ['5xx'] };
}

/** An id in which the kind is written as ids are. */
export function named(template: string, operation: string, kind: string): string {
  return template.replace('{operation}', operation).replace('{kind}', kind.toLowerCase().replaceAll('_', '-'));
}

/** A template once for each operation that it names. */
export function operationsFor(operations: readonly Operation[], template: string): readonly Operation[] {
  return template.includes('{operation}') ? operations : operations.slice(0, 1);
}
