import { configurationError, didYouMean } from '../contract/configuration-error.ts';
import { CAPABILITIES, type CheckRow } from '../contract/contract.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import { expandOnce } from '../plan/expand.ts';
import { globOf } from '../plan/glob.ts';
import { planCases } from '../plan/make-plan.ts';
import { plannerOf } from '../plan/planner.ts';
import { casesOfTokens } from '../plan/product.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import { aboutCase, citedText, type ExplainContext, exampleCases, type Section } from './explain-case.ts';
import { aboutRequirement } from './explain-requirement.ts';
import { aboutTerm, termIds } from './explain-term.ts';
import { aboutWord, KNOWN_WORDS } from './explain-word.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';

/**
 * Explains what reports print, by its id and as if every variable were set: a requirement, a check, a case, a term, or a
 * glob of a baseline. The returned function throws a configuration error for an unknown id, with a suggestion.
 */
export function explainer(catalogue: Catalogue): (id: string) => readonly Section[] {
  const context = contextOf(catalogue);
  return (id) => explain(context, id);
}

function explain(context: ExplainContext, id: string): readonly Section[] {
  const { contract, find } = context;
  const requirement = contract.requirements.find((known) => known.id === id);
  if (requirement) return aboutRequirement(context, requirement);
  const check = contract.checks.find((known) => id.replace(/^check:/, '') === known.id);
  // Some capabilities have the name of a check.
  if (check) return [...aboutCheck(context, check), ...(aboutTerm(context, id) ?? [])];
  const planned = find(id);
  if (planned) return aboutCase(context, planned);
  return (
    aboutUnit(context, id) ??
    aboutTerm(context, id) ??
    aboutWord(context, id) ??
    aboutGlob(context, id) ??
    unknown(context, id)
  );
}

/** What a check decides for an operation and a kind: `isolation/search/USER`. */
function aboutUnit(context: ExplainContext, id: string): readonly Section[] | undefined {
  const { contract } = context;
  const [name, operation = '', kind = '', ...rest] = id.split('/');
  const check = contract.checks.find((known) => known.id === name);
  const operations = ['any', ...[...contract.operations, ...contract.mcp].map((known) => known.id)];
  const kinds = ['any', ...Object.keys(contract.matrix.kinds)];
  if (!check || rest.length > 0 || !operations.includes(operation) || !kinds.includes(kind)) return undefined;
  return [
    { title: `Check ${name} for the operation ${operation} and the kind ${kind}`, rows: [] },
    ...aboutCheck(context, check),
  ];
}

/** The cases that a glob matches, such as one in a baseline. */
function aboutGlob({ plan }: ExplainContext, id: string): readonly Section[] | undefined {
  if (!/[*?[\]{}!()]/.test(id)) return undefined;
  const matches = globOf(id);
  const cases = [...plan().cases.values()].filter((planned) => matches(planned.id));
  return cases.length > 0 ? [{ title: `Glob ${id}`, rows: [] }, exampleCases(cases)] : undefined;
}

function unknown(context: ExplainContext, id: string): never {
  const { contract, plan } = context;
  const names = [...contract.requirements, ...contract.checks].map((one) => one.id);
  const known = id.includes('/') ? [...plan().cases.keys()] : [...names, ...termIds(context), ...KNOWN_WORDS];
  throw configurationError(
    `nothing that a report prints has the id ${id}${didYouMean(id, known) || '; the report of a run lists all ids'}`,
  );
}

/** What explanations are made from. Every variable is set, and TOKEN_COMMAND makes every other token. */
function contextOf(catalogue: Catalogue): ExplainContext {
  const { contract, kinds } = catalogue;
  const casesAt = expandOnce(contract);
  const named = embeddedSettings(catalogue, everyVariable(catalogue), { environment: {}, dotenv: {} });
  const settings = withTokensToMint(withVariables(named, ['TOKEN_COMMAND']), () => casesOfTokens(contract));
  const people = peopleOf(settings.variables, 'explain');
  const credentials = createCredentials({ ...settings, unknownToken: '' });
  const claims = { kinds, capabilities: CAPABILITIES, inferred: false };
  const input = { catalogue, casesAt, depth: 'full', claims, credentials, people } as const;
  const planner = plannerOf(input);
  let known: ReturnType<ExplainContext['plan']> | undefined;
  const plan = () => {
    known ??= planCases(input, planner);
    return known;
  };
  const core = new Set(casesAt('core').map(({ id }) => id));
  const parts = { contract, people, common: [], unknownToken: '' };
  return {
    contract,
    plan,
    find: planner.find,
    coreAbout: (requirement) =>
      [...core]
        .flatMap((id) => planner.find(id) ?? [])
        .filter((planned) => requirementsAbout(contract, planned).includes(requirement)),
    core,
    parts,
    settings,
  };
}

function aboutCheck({ contract }: ExplainContext, { id, title, requirements, intrusive }: CheckRow): Section[] {
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
