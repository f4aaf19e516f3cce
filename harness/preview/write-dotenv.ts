import { writeFileSync } from 'node:fs';
import type { Check } from '../checks/check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { expandOnce } from '../plan/expand.ts';
import { suiteVersion } from '../record/suite-version.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { type Claims, claimsInWords } from '../settings/claims.ts';
import { readSettings } from '../settings/read-settings.ts';
import { howToMake, meaningOf, SETTING_MEANINGS, variableMeanings } from '../settings/variable-meanings.ts';
import { COMMAND_VARIABLES, MARKER_VARIABLES, SETTING_VARIABLES } from '../settings/variables.ts';
import { madeUp } from './made-up-values.ts';
import { decidable } from './what-to-set-next.ts';

/** More than there are variables that decide anything by themselves. */
const MOST_STEPS = 40;
const PEOPLE = ['USER_EMAIL', 'ACT_AS_EMAIL'];

/**
 * The text of a `.env` for claims: every variable that decides something, the cheapest useful set first, and below it
 * what only enlarges the run. What must be filled in has no `#` before it, the rest has one.
 */
export async function dotenvFor(catalogue: Catalogue, claims: Claims, checks: readonly Check[]): Promise<string> {
  const stated = claimsInWords(claims);
  const { requirements, steps } = await stepsTo(catalogue, claims, checks);
  const tokens = catalogue.tokens.filter(({ kind }) => claims.kinds.includes(kind));
  const words = new Map(variableMeanings(catalogue).map(({ name, means }) => [name, means]));
  const listed = new Set(['TARGET_BASE_URL', ...PEOPLE, ...steps.flatMap(({ variables }) => variables)]);
  const needed = claims.kinds.flatMap((kind) => catalogue.required(kind, claims.capabilities.includes('scopes')));
  const rest = tokens.filter(({ name }) => !listed.has(name));
  rest.sort((a, b) => Number(needed.includes(b.name)) - Number(needed.includes(a.name)));
  const optional = (name: string) => [`# ${name}: ${words.get(name) ?? meaningOf(name)}`, `# ${name}=`];
  let decided = 0;

  const sections: (readonly string[])[] = [
    [
      `# Variables of client-api-conformance ${suiteVersion} for: ${stated}`,
      '# Fill in from the top; take away the # before a name that you fill in. `plan` says at any time what can be decided',
      '# and what to add. This file will hold secrets: keep it readable by you alone and out of version control.',
    ],
    [`# ${words.get('TARGET_BASE_URL')}`, 'TARGET_BASE_URL='],
    ['# What it claims to implement: all of this must be decided.', `CONFORMANCE_CLAIMS=${quoted(stated)}`],
    ['# Two people, by their email.', ...PEOPLE.flatMap(optional)],
    ...steps.map(({ variables, requirements: finished, gain }, index) => {
      decided += finished.length;
      const head = `# ${index + 1}. Decides ${gain} more; then ${decided} of ${requirements.length} requirements are decided.`;
      const others = variables.filter((name) => !PEOPLE.includes(name));
      return [
        head,
        ...others.flatMap((name) => [`# ${words.get(name)}`, index === 0 ? `${name}=` : `# ${name}=`]),
        ...variables.filter((name) => PEOPLE.includes(name)).map((name) => `# It needs ${name} above.`),
      ];
    }),
    [
      '# More tokens send more cases, the most useful first; no requirement waits for them alone.',
      ...rest.flatMap((token) => [`# ${howToMake(catalogue.contract, token)}`, `# ${token.name}=`]),
    ],
    ...[...claims.kinds.filter((kind) => kind !== 'GLOBAL').map((kind) => `${kind}_EMAIL`), 'UNKNOWN_EMAIL']
      .filter((name) => !listed.has(name))
      .map(optional),
    ...MARKER_VARIABLES.filter((name) => !listed.has(name)).map(optional),
    ...[...COMMAND_VARIABLES, 'AUTHORIZATION_SERVER_ISSUER'].map(optional),
    [
      '# How the suite behaves; flags of the same name win.',
      ...SETTING_VARIABLES.filter((name) => name !== 'CONFORMANCE_CLAIMS').flatMap((name) => [
        `# ${SETTING_MEANINGS[name].means}`,
        `# ${name}=${SETTING_MEANINGS[name].example}`,
      ]),
    ],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The greedy way from nothing to everything. Sibling scopes are left out of it: each weighs the same. */
function stepsTo(catalogue: Catalogue, claims: Claims, checks: readonly Check[]) {
  const base = { TARGET_BASE_URL: madeUp('TARGET_BASE_URL'), CONFORMANCE_CLAIMS: claims.kinds.join(' ') };
  const tokens = Object.fromEntries(claims.kinds.map((kind) => [`${kind}_TOKEN`, madeUp(`${kind}_TOKEN`)]));
  const settings = readSettings(catalogue, { environment: { ...base, ...tokens }, dotenv: {} });
  const casesAt = expandOnce(catalogue.contract);
  return decidable({ ...settings, variables: new Map() }, { checks, casesAt, most: MOST_STEPS });
}

function quoted(text: string): string {
  return text.includes(' ') ? `'${text}'` : text;
}

/**
 * Writes a file that is readable by its owner alone.
 * @throws a configuration error where it is there already, or cannot be written.
 */
export function writeDotenvFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = errorCause(error);
    if (code === 'EEXIST')
      throw configurationError(`${file} is there already; it is never overwritten. Move it away, or edit it yourself`);
    throw configurationError(`cannot write ${file} (${code})`);
  }
}
