import { type Contract, type Requirement, type Rule, requirementFor } from '../contract/contract.ts';
import { describeOutcome } from '../judge/wording.ts';
import { allSuspects } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import { aboutCase } from './explain-case.ts';
import type { Section, World } from './explain-world.ts';

export function aboutRequirement(world: World, requirement: Requirement): Section[] {
  const { contract, plan, checks, core } = world;
  const { id, source, level, text, excluded } = requirement;
  const head = { title: `${id}, a requirement`, rows: [] };
  if (excluded !== undefined)
    return [head, { title: `${source} says something that nothing decides`, rows: [['why', excluded]] }];
  const deciding = [...plan.cases.values()].filter((planned) => requirementsAbout(contract, planned).includes(id));
  const named = (template: string) => contract.operations.some((one) => requirementFor(template, one.id) === id);
  const rules = contract.rules.refusals.filter((rule) => named(rule.requirement));
  const messages = Object.values(contract.rules.messages).filter((message) => message.requirement === id);
  const inCore = deciding.filter((planned) => core.has(planned.id));
  const [example] = [...inCore].sort((a, b) => a.deviations - b.deviations || aptness(b, id) - aptness(a, id));
  const own = checks.filter(({ requirements }) => requirements.includes(id));
  return [
    head,
    { title: 'What the specification says', rows: [[source, `${text} (${level})`]] },
    ...(rules.length > 0 ? [{ title: 'Rules', rows: rules.flatMap((rule) => aboutRule(contract, rule)) }] : []),
    ...(messages.length > 0
      ? [{ title: 'The message, as a whole line', rows: messages.map((message) => ['', message.text] as const) }]
      : []),
    {
      title: 'What decides it',
      rows: [
        ['cases', `${deciding.length} at depth full, ${inCore.length} at depth core`],
        ...own.map((check) => ['check', `${check.id}: ${check.title}`] as const),
      ],
    },
    ...(example ? [{ title: 'For example', rows: [] }, ...aboutCase(world, example)] : []),
  ];
}

/** A case that is about nothing else shows a requirement best. */
function aptness({ expectation }: PlannedCase, id: string): number {
  const about = allSuspects(expectation);
  return about.some(({ requirement }) => requirement === id) ? 1 / about.length : 0;
}

function aboutRule(contract: Contract, rule: Rule): (readonly [string, string])[] {
  const when = Object.entries(rule.when).map(([aspect, value]) => `${aspect} is ${[value].flat().join(' or ')}`);
  const admits =
    rule.outcome === undefined
      ? `left open, never ${rule.never.join(', ')}`
      : `${rule.outcome.map((outcome) => describeOutcome(contract, outcome)).join('; or ')} (${rule.basis})`;
  const reason = rule.silent ?? rule.reason;
  return [
    [rule.id, `where ${when.join(' and ')}: ${admits}`],
    ...(reason === undefined ? [] : [['', reason] as const]),
  ];
}
