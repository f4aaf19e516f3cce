import { type Contract, messageText } from '../contract/contract.ts';
import { type Answer, isAccepted } from '../record/observation.ts';
import { answeredBy } from './credit.ts';
import type { CaseVerdict } from './judge-cases.ts';

/** Something that the specification leaves open, and what this target does. */
export interface Freedom {
  readonly freedom: string;
  readonly choice: string;
}

/** What the target makes of what is left to it. Pure; nothing here is a verdict. */
export function freedomsOf(contract: Contract, verdicts: readonly CaseVerdict[]): readonly Freedom[] {
  const decided = verdicts.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed');
  const where = (meets: (verdict: CaseVerdict) => boolean) => choices(contract, decided.filter(meets));
  const onlyRule = (rule: string) => (verdict: CaseVerdict) =>
    verdict.case.expectation.admissible.every((admissible) => admissible.rule === rule) &&
    verdict.case.expectation.admissible.length > 0;
  const rows: Freedom[] = [
    { freedom: 'order of checks', choice: orderOfChecks(decided) },
    { freedom: 'blank act-as', choice: where(onlyRule('act-as.blank')) },
    { freedom: 'missing auth type', choice: where(onlyRule('auth-type.missing')) },
    ...contract.rules.refusals
      .filter(({ silent }) => silent !== undefined)
      .map(({ id }) => ({ freedom: id.replace('.', ', ').replaceAll('-', ' '), choice: where(onlyRule(id)) })),
    { freedom: 'error body', choice: errorBodies(verdicts) },
  ];
  return rows.filter(({ choice }) => choice !== '');
}

/** `accepted`, `401 "Invalid Secret"`: the distinct answers, the most frequent first. */
function choices(contract: Contract, verdicts: readonly CaseVerdict[]): string {
  const counts = new Map<string, number>();
  for (const { observation } of verdicts) {
    if (observation?.kind !== 'answer') continue;
    const text = isAccepted(observation) ? 'accepted' : refusalText(contract, observation);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
    .map(([text]) => text)
    .slice(0, 4)
    .join('; ');
}

function refusalText(contract: Contract, { status, whole }: Answer): string {
  const messages = whole.map((id) => JSON.stringify(messageText(contract, id)));
  return [String(status), ...messages].join(' ');
}

// What a person would call the steps of a check order, by the requirement that a refusal satisfies.
const STEPS: readonly (readonly [name: string, requirement: RegExp])[] = [
  ['token', /^token\./],
  ['auth type', /^auth-type\./],
  ['act-as', /^act-as\./],
  ['scope', /^scope\./],
  ['body', /\.request$|^request\./],
];

/**
 * Where two faults meet, the one that is answered is checked first; `=` where no answer tells two steps apart. Steps that
 * come first now one and now the other, as a body that is parsed early and validated late, are named behind.
 */
function orderOfChecks(verdicts: readonly CaseVerdict[]): string {
  const lead = new Map<string, number>();
  const met = new Set<string>();
  for (const { case: planned, observation } of verdicts) {
    if (planned.expectation.kind !== 'refuse' || observation?.kind !== 'answer') continue;
    const faulted = stepsOf(planned.expectation.suspects.map(({ requirement }) => requirement));
    const answered = stepsOf(answeredBy(planned.expectation, observation));
    // Any refusal satisfies a faulty body, so it was looked at first only where nothing else is satisfied.
    const first = answered.find((step) => step !== 'body') ?? answered[0];
    if (faulted.length !== 2 || first === undefined || answered.filter((step) => step !== 'body').length > 1) continue;
    for (const step of faulted) {
      met.add(step);
      const pair = [first, step].join(' ');
      if (step !== first) lead.set(pair, (lead.get(pair) ?? 0) + 1);
    }
  }
  const leads = (a: string, b: string) => lead.get(`${a} ${b}`) ?? 0;
  const beats = (a: string, b: string) => leads(a, b) > leads(b, a);
  const steps = STEPS.map(([name]) => name).filter((name) => met.has(name));
  const wins = (step: string) =>
    steps.filter((other) => beats(step, other)).length - steps.filter((other) => beats(other, step)).length;
  const ordered = steps.sort((a, b) => wins(b) - wins(a));
  const chain = ordered
    .map((step, index) => (index === 0 ? step : `${wins(step) === wins(ordered[index - 1] ?? '') ? '=' : '>'} ${step}`))
    .join(' ');
  const mixed = ordered.flatMap((a, index) =>
    ordered.slice(index + 1).flatMap((b) => (leads(a, b) > 0 && leads(b, a) > 0 ? [`${a} and ${b}`] : [])),
  );
  return mixed.length === 0 ? chain : `${chain}; either first: ${mixed.join(', ')}`;
}

function stepsOf(requirements: readonly string[]): string[] {
  return STEPS.filter(([, pattern]) => requirements.some((requirement) => pattern.test(requirement))).map(
    ([name]) => name,
  );
}

function errorBodies(verdicts: readonly CaseVerdict[]): string {
  const forms = new Map<string, number>();
  for (const { observation } of verdicts) {
    if (observation?.kind !== 'answer' || isAccepted(observation)) continue;
    const form =
      observation.form === 'empty'
        ? 'empty'
        : `${observation.form} (${observation.contentType?.split(';')[0] ?? 'no content type'})`;
    forms.set(form, (forms.get(form) ?? 0) + 1);
  }
  return [...forms]
    .sort(([, x], [, y]) => y - x)
    .map(([form]) => form)
    .slice(0, 4)
    .join('; ');
}
