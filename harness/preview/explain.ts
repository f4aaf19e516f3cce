import type { Check } from '../checks/check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import {
  type Contract,
  DIMENSIONS,
  operationOf,
  type Requirement,
  type Rule,
  requirementFor,
} from '../contract/contract.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { describeWanted } from '../judge/judge-answer.ts';
import { describeOutcome } from '../judge/wording.ts';
import { createCredentials } from '../plan/credentials.ts';
import { curlFor } from '../plan/curl.ts';
import { expandOnce } from '../plan/expand.ts';
import { allSuspects, type Suspect } from '../plan/expectation.ts';
import { globOf } from '../plan/glob.ts';
import { makePlan } from '../plan/make-plan.ts';
import { peopleOf } from '../plan/people.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { howToMake } from '../settings/variable-meanings.ts';
import { CAPABILITIES } from '../settings/variables.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';

/** A part of an explanation: rows of a name and what is said of it. */
export interface Section {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}
interface World {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly plan: Plan;
  /** Ids of the cases of depth core. */
  readonly core: ReadonlySet<string>;
  readonly parts: RequestParts;
  readonly settings: Settings;
}

/**
 * What a requirement, a case or a check is about, in words and with a command line, as if every variable were set.
 * @throws a configuration error for what is none of them, with the likely meant one, and for a glob.
 */
export function explainer(catalogue: Catalogue, checks: readonly Check[]): (id: string) => readonly Section[] {
  const world = worldOf(catalogue, checks);
  return (id) => explain(world, id);
}

function explain(world: World, id: string): readonly Section[] {
  const { contract, checks } = world;
  const requirement = contract.requirements.find((known) => known.id === id);
  if (requirement) return aboutRequirement(world, requirement);
  const check = checks.find((known) => known.id === id);
  if (check) return aboutCheck(world, check);
  const planned = world.plan.cases.get(id);
  if (planned) return aboutCase(world, planned);
  const cases = [...world.plan.cases.keys()];
  if (/[*?[\]{}!()]/.test(id)) {
    const matching = cases.filter(globOf(id));
    const meant = matching[0] === undefined ? '' : `, such as ${matching[0]}`;
    throw configurationError(`explain takes one id; ${id} is a glob, which matches ${matching.length} cases${meant}`);
  }
  const known = id.includes('/') ? cases : [...contract.requirements, ...checks].map((one) => one.id);
  throw configurationError(
    `${id} is no requirement, case or check${didYouMean(id, known) || '; the report of a run lists them all'}`,
  );
}

/** The full plan with every token there could be. */
function worldOf(catalogue: Catalogue, checks: readonly Check[]): World {
  const { contract, kinds } = catalogue;
  const casesAt = expandOnce(contract);
  const named = embeddedSettings(catalogue, everyVariable(catalogue), { environment: {}, dotenv: {} });
  const settings = withTokensToMint(withVariables(named, ['TOKEN_COMMAND']), casesAt);
  const people = peopleOf(settings.variables, 'explain');
  const credentials = createCredentials({ ...settings, unknownToken: '' });
  const claims = { kinds, capabilities: CAPABILITIES, inferred: false };
  const plan = makePlan({ catalogue, casesAt, depth: 'full', claims, credentials, people });
  const core = new Set(casesAt('core').map(({ id }) => id));
  return { contract, checks, plan, core, parts: { contract, people, common: [], unknownToken: '' }, settings };
}

function aboutCase({ contract, plan, core, parts, settings }: World, planned: PlannedCase): Section[] {
  const { values, expectation, credential } = planned;
  const operation = operationOf(contract, values.operation);
  const { dimensions, kinds } = contract.matrix;
  const rows = DIMENSIONS.flatMap((dimension): [string, string][] => {
    const value = values[dimension];
    switch (dimension) {
      case 'operation':
        return [[dimension, `${operation.method} ${operation.path}, which needs the scope ${operation.scope}`]];
      case 'kind':
        return [[dimension, `${value}, family ${kinds[value]?.family}`]];
      case 'holding':
        return value === '-' ? [] : [[dimension, `${value}: the scope is ${values.scope}`]];
      default:
        return value === '-' ? [] : [[dimension, `${value}: ${dimensions[dimension][value]}`]];
    }
  });
  const token = settings.catalogue.tokens.find(({ name }) => name === credential?.variable);
  const control = planned.control === undefined ? undefined : plan.cases.get(planned.control);
  return [
    { title: `${planned.id}, a case of ${core.has(planned.id) ? 'every depth' : 'the deeper depths'}`, rows: [] },
    {
      title: 'What is sent',
      rows: [
        ...rows,
        ...(credential ? [['token', credential.recipe] as const] : []),
        ...(token ? [['created as', howToMake(contract, token)] as const] : []),
      ],
    },
    { title: 'What is accepted', rows: [['', describeWanted(contract, expectation, operation)]] },
    {
      title: 'Why',
      rows: allSuspects(expectation).flatMap((suspect) => reasonsOf(contract, suspect)),
    },
    ...(control ? [{ title: 'It counts beside an acceptance of', rows: [['', control.id] as const] }] : []),
    { title: 'Again', rows: [['', curlFor(parts, settings, planned)]] },
  ];
}

function reasonsOf(contract: Contract, { rule: id, requirement, basis }: Suspect): (readonly [string, string])[] {
  const rule = contract.rules.refusals.find((known) => known.id === id);
  const reason = rule?.silent ?? rule?.reason;
  const how = rule ? `rule ${id}, ${rule.silent === undefined ? basis : 'left open'}` : 'shown by its success';
  return [
    [requirement, wordsOf(contract.requirements.find((known) => known.id === requirement))],
    ['', `${how}${reason === undefined ? '' : `: ${reason}`}`],
  ];
}

function wordsOf(requirement: Requirement | undefined): string {
  return requirement ? `${requirement.text ?? ''} (${requirement.source}, ${requirement.level})` : '';
}

function aboutRequirement(world: World, requirement: Requirement): Section[] {
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

function aboutCheck({ contract }: World, { id, title, requirements, intrusive }: Check): Section[] {
  return [
    { title: `${id}, a hand-written check`, rows: [['', title]] },
    {
      title: 'What is sent',
      rows: [['', intrusive ? 'many or unusual requests: --intrusive for a remote target' : 'a few single requests']],
    },
    {
      title: 'What it decides',
      rows: requirements.map((one) => [one, wordsOf(contract.requirements.find((known) => known.id === one))]),
    },
  ];
}
