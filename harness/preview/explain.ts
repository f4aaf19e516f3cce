import { CAPABILITIES } from '../contract/check-row.ts';
import { configurationError, didYouMean } from '../contract/configuration-error.ts';
import { once } from '../contract/once.ts';
import { readAsset } from '../contract/yaml-file.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import { expandOnce } from '../plan/expand.ts';
import { globOf } from '../plan/glob.ts';
import { planCases } from '../plan/make-plan.ts';
import { plannerOf } from '../plan/planner.ts';
import { casesOfTokens } from '../plan/product.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import { aboutCase, type ExplainContext, exampleCases, type Section, section, type Words } from './explain-case.ts';
import { type About, aboutCheck, aboutGroup, aboutValue, type Term, termsOf } from './explain-term.ts';
import { aboutWord, knownWords } from './explain-word.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';

/** Explains what reports print, by its id and as if every variable were set. @throws for an unknown id, with a suggestion. */
export function explainer(catalogue: Catalogue): (id: string) => readonly Section[] {
  const context = contextOf(catalogue);
  const terms = termsOf(context);
  return (given) => {
    const id = given.replace(WHAT, '');
    const term = terms.find(({ ids }) => ids.includes(id));
    if (term) return term.about(id);
    for (const about of OTHERS) {
      const sections = about(context, id);
      if (sections) return sections;
    }
    throw unknown(context, terms, id);
  };
}
/** What outputs print before an id. */
const WHAT = /^(?:check|case|requirement|exit(?: code)?) /;

const aboutCaseId: About = (context, id) => {
  const planned = context.find(id);
  return planned && aboutCase(context, planned);
};

/** What a check decides for an operation and a kind: `isolation/search/USER`. */
const aboutUnit: About = (context, id) => {
  const { contract } = context;
  const [name, operation = '', kind = '', ...rest] = id.split('/');
  const check = contract.checks.find((known) => known.id === name);
  const operations = ['any', ...[...contract.operations, ...contract.mcp].map((known) => known.id)];
  const kinds = ['any', ...Object.keys(contract.matrix.kinds)];
  if (!check || rest.length > 0 || !operations.includes(operation) || !kinds.includes(kind)) return undefined;
  return [
    section(`Check ${name} for the operation ${operation} and the kind ${kind}`, []),
    ...aboutCheck(context, check),
  ];
};

/** The cases that a glob matches, such as one in a baseline, or those whose ids begin so. */
const aboutGlob: About = ({ plan }, id) => {
  const matches = globOf(/[*?[\]{}!()]/.test(id) ? id : `${id}/**`);
  const cases = [...plan().cases.values()].filter((planned) => matches(planned.id));
  return cases.length > 0 ? [section(`Glob ${id}`, []), exampleCases(cases)] : undefined;
};

/** What has no name, in the order in which it is looked for. */
const OTHERS: readonly About[] = [aboutCaseId, aboutUnit, aboutValue, aboutGroup, aboutWord, aboutGlob];

function unknown(context: ExplainContext, terms: readonly Term[], id: string): Error {
  const { cases, groups } = context.plan();
  const known = id.includes('/')
    ? [...cases.keys()]
    : [...terms.map(({ ids }) => ids[0]), ...groups.map((group) => group.id), ...knownWords(context)];
  return configurationError(
    `nothing that a report prints has the id ${id}${didYouMean(id, known) || '; the report of a run lists all ids'}`,
  );
}

/** What explanations are made from. Every variable is set, and TOKEN_COMMAND makes every other token. */
function contextOf(catalogue: Catalogue): ExplainContext {
  const { contract, kinds } = catalogue;
  const casesAt = expandOnce(contract);
  const named = embeddedSettings(catalogue, everyVariable(catalogue));
  const settings = withTokensToMint(withVariables(named, ['TOKEN_COMMAND']), () => casesOfTokens(contract));
  const people = peopleOf(contract, settings.variables, 'explain');
  const credentials = createCredentials({ ...settings, unknownToken: '' });
  const claims = { kinds, capabilities: CAPABILITIES, inferred: false };
  const input = { catalogue, casesAt, depth: 'full', claims, credentials, people } as const;
  const planner = plannerOf(input);
  const core = new Set(casesAt('core').map(({ id }) => id));
  const parts = { contract, people, common: [], unknownToken: '' };
  return {
    contract,
    plan: once(() => planCases(input, planner)),
    find: planner.find,
    coreAbout: (requirement) =>
      [...core]
        .flatMap((id) => planner.find(id) ?? [])
        .filter((planned) => requirementsAbout(contract, planned).includes(requirement)),
    core,
    parts,
    settings,
    words: readAsset<Words>(import.meta.url, 'words'),
  };
}
