import type { Check } from '../checks/check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { createCredentials } from '../plan/credentials.ts';
import { expandOnce } from '../plan/expand.ts';
import { globOf } from '../plan/glob.ts';
import { makePlan } from '../plan/make-plan.ts';
import { peopleOf } from '../plan/people.ts';
import { counted } from '../render/amounts.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import { CAPABILITIES } from '../settings/variables.ts';
import { aboutCase } from './explain-case.ts';
import { citedText, type ExplainContext, type Section } from './explain-context.ts';
import { aboutRequirement } from './explain-requirement.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';

/**
 * Explains a requirement, a case or a check by its id, in words and with a curl line, as if every variable were set.
 * The returned function throws a configuration error for a glob, and for an unknown id with a suggestion.
 */
export function explainer(catalogue: Catalogue, checks: readonly Check[]): (id: string) => readonly Section[] {
  const context = contextOf(catalogue, checks);
  return (id) => explain(context, id);
}

function explain(context: ExplainContext, id: string): readonly Section[] {
  const { contract, checks } = context;
  const requirement = contract.requirements.find((known) => known.id === id);
  if (requirement) return aboutRequirement(context, requirement);
  const check = checks.find((known) => known.id === id);
  if (check) return aboutCheck(context, check);
  const planned = context.plan.cases.get(id);
  if (planned) return aboutCase(context, planned);
  const cases = [...context.plan.cases.keys()];
  if (/[*?[\]{}!()]/.test(id)) {
    const matching = cases.filter(globOf(id));
    const example = matching[0] === undefined ? '' : `, such as ${matching[0]}`;
    throw configurationError(
      `explain takes one id, not a glob: ${id} matches ${counted(matching.length, 'case')}${example}`,
    );
  }
  const known = id.includes('/') ? cases : [...contract.requirements, ...checks].map((one) => one.id);
  throw configurationError(
    `no requirement, case or check has the id ${id}${didYouMean(id, known) || '; the report of a run lists all ids'}`,
  );
}

/** The plan at depth full, with every possible token. */
function contextOf(catalogue: Catalogue, checks: readonly Check[]): ExplainContext {
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

function aboutCheck({ contract }: ExplainContext, { id, title, requirements, intrusive }: Check): Section[] {
  return [
    { title: `Check ${id}`, rows: [['', title]] },
    {
      title: 'What is sent',
      rows: [
        [
          '',
          intrusive
            ? 'many or unusual requests; against a remote target only with --intrusive'
            : 'a few single requests',
        ],
      ],
    },
    {
      title: 'What it decides',
      rows: requirements.map((one) => [one, citedText(contract.requirements.find((known) => known.id === one))]),
    },
  ];
}
