import type { Check } from '../checks/check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { createCredentials } from '../plan/credentials.ts';
import { expandOnce } from '../plan/expand.ts';
import { globOf } from '../plan/glob.ts';
import { makePlan } from '../plan/make-plan.ts';
import { peopleOf } from '../plan/people.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import { CAPABILITIES } from '../settings/variables.ts';
import { aboutCase } from './explain-case.ts';
import { aboutRequirement } from './explain-requirement.ts';
import { type Section, type World, wordsOf } from './explain-world.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';

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
