import { CAPABILITIES, type Capability, type CheckRow } from '../contract/check-row.ts';
import { unitOf } from '../plan/case.ts';
import { allSuspects } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { MEASURES } from '../settings/latency-limits.ts';
import { variableMeanings } from '../settings/variable-meanings.ts';
import { citedText, type ExplainContext, exampleCases, type Row, type Section, section } from './explain-case.ts';
import { aboutRequirement, aboutRule } from './explain-requirement.ts';

/** Something with a name. The first of its ids is suggested to somebody who misspells one. */
export interface Term {
  readonly ids: readonly [id: string, ...others: readonly string[]];
  readonly about: (id: string) => readonly Section[];
}

/** Everything that reports print and that has a name, from requirements to latency. Of two with the same id, the first counts. */
export function termsOf(context: ExplainContext): readonly Term[] {
  const { contract, settings, words } = context;
  const { rules, matrix, operations } = contract;
  const { catalogue } = settings;
  const examples = (matches: (planned: PlannedCase) => boolean) => exampleCases(casesWith(context, matches));
  return [
    ...contract.requirements.map((one): Term => ({ ids: [one.id], about: () => aboutRequirement(context, one) })),
    ...contract.checks.map((check): Term => {
      // Some capabilities have the name of a check.
      const capability = (id: string) => CAPABILITIES.filter((known) => known === id);
      const about = (id: string) => [
        ...aboutCheck(context, check),
        ...capability(id).flatMap((known) => aboutCapability(context, known)),
      ];
      return { ids: [check.id, `check:${check.id}`], about };
    }),
    ...rules.refusals.map((rule): Term => {
      const isDecidedBy = ({ expectation }: PlannedCase) =>
        allSuspects(expectation).some((one) => one.rule === rule.id);
      const rows = [['requirement', rule.requirement] as const, ...aboutRule(contract, rule)];
      return { ids: [rule.id], about: () => [section(`Rule ${rule.id}`, rows), examples(isDecidedBy)] };
    }),
    ...matrix.scopes.map((scope): Term => ({ ids: [scope], about: () => [aboutScope(context, scope)] })),
    ...Object.entries(matrix.kinds).map(([kind, { family, made }]): Term => {
      const names = catalogue.tokens.filter((token) => token.kind === kind).map(({ name }) => name);
      const variables: readonly Row[] = names.length === 0 ? [] : [['variables', names.join(', ')]];
      const rows = [made ?? words.families[family] ?? family, ...variables];
      const isOfKind = ({ values }: PlannedCase) => values.kind === kind;
      return { ids: [kind], about: () => [section(`Kind of token ${kind}`, rows), examples(isOfKind)] };
    }),
    ...CAPABILITIES.map((id): Term => ({ ids: [id], about: () => aboutCapability(context, id) })),
    ...operations.map(({ id, method, path, scopes, success }): Term => {
      const rows: readonly Row[] = [
        ['request', `${method} ${path}`],
        ['scope', scopes.join(' and ')],
        ['success', String(success.status)],
      ];
      const isToIt = ({ values }: PlannedCase) => values.operation === id;
      return { ids: [id], about: () => [section(`Operation ${id}`, rows), examples(isToIt)] };
    }),
    ...variableMeanings(catalogue).map(({ name, means }): Term => {
      const about = () => {
        const users = casesWith(context, ({ credential }) => credential?.variable === name);
        return [section(`Variable ${name}`, [means]), ...(users.length > 0 ? [exampleCases(users)] : [])];
      };
      // As command lines and masks write it.
      return { ids: [name, `$${name}`, `\${${name}}`, `<${name}>`], about };
    }),
    ...Object.entries(rules.messages).map(([id, { text, requirement }]): Term => {
      const rows: readonly Row[] = [
        ['text', text],
        ['requirement', requirement],
      ];
      return { ids: [id], about: () => [section(`Message ${id}`, rows)] };
    }),
    ...['too slow', 'too-slow', 'latency'].map((id): Term => ({ ids: [id], about: () => [aboutLatency(context, id)] })),
    { ids: ['max latency', '--max-latency'], about: () => [aboutLatency(context, 'max latency')] },
    ...MEASURES.map((id): Term => ({ ids: [id], about: () => [aboutLatency(context, id)] })),
  ];
}

export function aboutCheck(
  { contract }: ExplainContext,
  { id, title, requirements, intrusive }: CheckRow,
): readonly Section[] {
  return [
    section(`Check ${id}`, [title]),
    section('What is sent', [
      intrusive ? 'many or unusual requests; against a remote target only with --intrusive' : 'a few single requests',
    ]),
    section(
      'What it decides',
      requirements.map((one) => [one, citedText(contract, one)]),
    ),
  ];
}

function aboutScope({ contract, settings }: ExplainContext, id: string): Section {
  const covered = contract.operations.filter(({ scopes }) => scopes.includes(id));
  const tokens = settings.catalogue.tokens.filter(
    ({ holding }) => holding === `only:${id}` || holding === `all-but:${id}`,
  );
  return section(`Scope ${id}`, [
    ['covers', covered.map(({ method, path }) => `${method} ${path}`).join(', ') || 'no operation of this suite'],
    ['variables', tokens.map(({ name }) => name).join(', ')],
    ['requirements', covered.map((operation) => `scope.${operation.id}`).join(', ') || 'scope.sole'],
  ]);
}

function aboutCapability({ contract, words }: ExplainContext, id: Capability): readonly Section[] {
  const requirements = contract.requirements.filter(({ capability }) => capability === id);
  return [
    section(`Capability ${id}`, [words.capabilities[id] ?? '']),
    section('What it brings with it', [
      ...requirements.map((one): Row => [one.id, one.text ?? one.excluded ?? '']),
      ...contract.checks.flatMap((check): Row[] =>
        check.capability === id ? [[`check ${check.id}`, check.title]] : [],
      ),
    ]),
  ];
}

/** What reports print of the limits of `--max-latency`. */
function aboutLatency({ words }: ExplainContext, term: string): Section {
  const own = MEASURES.filter((measure) => measure === term);
  return section(`Latency: ${term}`, [
    ...(own.length > 0 ? own : MEASURES).map((measure): Row => [measure, words.measures[measure] ?? '']),
    [
      'counts',
      'every accepted request to an operation, those of checks included; from the request to the end of the response',
    ],
    ['limit', '`--max-latency p95=500` of a run, in milliseconds; `chat:p95=5000` for one operation'],
    ['too slow', 'exit 1: a limit is exceeded, and nothing deviates or is inconclusive. No requirement is affected'],
  ]);
}

function casesWith({ plan }: ExplainContext, matches: (planned: PlannedCase) => boolean): readonly PlannedCase[] {
  return [...plan().cases.values()].filter(matches);
}

export type About = (context: ExplainContext, id: string) => readonly Section[] | undefined;

/** A value of a dimension, as in an id (`act-as:blank`) or in a finding (`validity expired`), or of each that has it (`blank`). */
export const aboutValue: About = (context, id) => {
  const [, name, value = id] = /^([a-z-]+)[: ](.+)$/.exec(id) ?? [];
  const found = Object.entries(context.contract.matrix.dimensions).flatMap(([dimension, meanings]) =>
    (name === undefined || name === dimension) && Object.hasOwn(meanings, value)
      ? [
          section(`${dimension} ${value}`, [meanings[value] ?? '']),
          exampleCases(casesWith(context, ({ values }) => values[dimension] === value)),
        ]
      : [],
  );
  return found.length > 0 ? found : undefined;
};

/** A group of cases, as in JUnit, or the cases of an operation and a kind. */
export const aboutGroup: About = (context, id) => {
  const group = context.plan().groups.find((known) => known.id === id);
  if (group) return [section(`Group ${id}`, []), exampleCases(group.cases)];
  const ofUnit = casesWith(context, ({ values }) => unitOf(values) === id);
  return ofUnit.length > 0 ? [section(`The cases of ${id}`, []), exampleCases(ofUnit)] : undefined;
};
