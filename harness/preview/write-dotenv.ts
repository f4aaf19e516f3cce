import type { Check } from '../checks/check.ts';
import { counted } from '../contract/amounts.ts';
import { configurationError, errorCause, errorCode } from '../contract/configuration-error.ts';
import { ACT_AS, actsAs, type Contract } from '../contract/contract.ts';
import { calledAs } from '../contract/package-files.ts';
import { NOT_PEOPLE, personVariable } from '../contract/people.ts';
import { expandOnce } from '../plan/expand.ts';
import { suiteVersion } from '../record/journal.ts';
import { writeNew } from '../record/report-folder.ts';
import { type Catalogue, mcpTokens } from '../settings/catalogue.ts';
import { type Claims, claimsInWords } from '../settings/claims.ts';
import { readSettings } from '../settings/read-settings.ts';
import { howToMake, meaningOf, settingLines, variableMeanings } from '../settings/variable-meanings.ts';
import { COMMAND_VARIABLES, MARKER_VARIABLES, SETTING_VARIABLES } from '../settings/variables.ts';
import { madeUp } from './made-up-values.ts';
import { decidable, type Step } from './what-to-set-next.ts';

/** No limit in practice: fewer variables than this decide anything. */
const MOST_STEPS = 40;

/**
 * The text of a `.env` for these claims: first the variables that decide something, the most useful at the top, then
 * those that only enlarge the run. The first token to fill in has no `#` before it. The other tokens have one.
 * @param contractFile the file of a contract that somebody wrote.
 */
export async function dotenvFor(
  catalogue: Catalogue,
  claims: Claims,
  { checks, contractFile }: { readonly checks: readonly Check[]; readonly contractFile?: string | undefined },
): Promise<string> {
  const stated = claimsInWords(claims);
  const { steps } = await stepsTo(catalogue, claims, checks);
  const tokens = catalogue.tokens.filter(({ kind }) => claims.kinds.includes(kind));
  const words = new Map(variableMeanings(catalogue).map(({ name, means }) => [name, means]));
  const { contract } = catalogue;
  const two = peopleIn(contract);
  const owners = two.length === 0 ? [] : claims.kinds.filter((kind) => !actsAs(contract, kind));
  const ofKinds = owners.map((kind) => personVariable(contract, kind)).filter((name) => !two.includes(name));
  // Where an answer shows whom a request runs as, each kind may have an owner of its own.
  const people = [...two, ...(contract.identity ? ofKinds : [])];
  const nobody = contract.headers.includes(ACT_AS) ? NOT_PEOPLE.map((owner) => personVariable(contract, owner)) : [];
  const hasChats = contract.operations.some(({ isSlow }) => isSlow);
  const listed = new Set(['TARGET_BASE_URL', ...people, ...steps.flatMap(({ variables }) => variables)]);
  const needed = claims.kinds.flatMap((kind) => catalogue.required(kind, claims.capabilities.includes('scopes')));
  const rest = tokens.filter(({ name }) => !listed.has(name));
  rest.sort((a, b) => Number(needed.includes(b.name)) - Number(needed.includes(a.name)));
  const ofMcp = mcpTokens(catalogue.contract)
    .filter(({ kind }) => claims.kinds.includes(kind))
    .map(({ name }) => name);
  const isKnown = (name: string) => catalogue.names.includes(name);
  const stands = ['CONFORMANCE_CLAIMS', ...(contractFile === undefined ? [] : ['CONFORMANCE_CONTRACT'])];
  const optional = (name: string) => [`# ${name}: ${words.get(name) ?? meaningOf(contract, name)}`, `# ${name}=`];

  const sections: (readonly string[])[] = [
    [
      `# Variables of client-api-conformance ${suiteVersion} for: ${stated}`,
      `# Fill in from the top. Remove the # before each name that you fill in. \`${calledAs} plan\` shows`,
      '# at any time what can be decided and what to add. This file will contain secrets: make sure that only you can read',
      '# it, and keep it out of version control.',
    ],
    [`# ${words.get('TARGET_BASE_URL')}`, 'TARGET_BASE_URL='],
    ...(contractFile === undefined
      ? []
      : [['# The contract by which the target is judged.', `CONFORMANCE_CONTRACT=${quoted(contractFile)}`]]),
    ['# What the target claims to implement. All of it must be decided.', `CONFORMANCE_CLAIMS=${quoted(stated)}`],
    ...(people.length > 0 ? [people.flatMap(optional)] : []),
    ...steps.map((step, index) => {
      const { claimed, decidable: done } = step.after;
      const effect =
        step.requirements.length > 0
          ? `${done} of ${counted(claimed, 'requirement')} can be decided.`
          : `more can be decided on ${step.places.join(', ')}.`;
      return linesOfStep(step, index, effect, { words, two });
    }),
    [
      '# Optional tokens, which add cases. Every requirement can be decided without them.',
      ...rest.flatMap((token) => [`# ${howToMake(catalogue.contract, token)}`, `# ${token.name}=`]),
    ],
    ...[...ofKinds, ...nobody].filter((name) => !listed.has(name)).map(optional),
    ...MARKER_VARIABLES.filter((name) => isKnown(name) && !listed.has(name)).map(optional),
    ...[...COMMAND_VARIABLES, 'AUTHORIZATION_SERVER_ISSUER', 'MCP_URL', ...ofMcp].filter(isKnown).map(optional),
    [
      '# Settings of the suite. A command-line flag overrides its variable.',
      ...SETTING_VARIABLES.filter((name) => !stands.includes(name))
        .filter((name) => hasChats || !name.includes('_CHAT_'))
        .flatMap(settingLines),
    ],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The variables of the owner of tokens, and of who others act as. None if nothing shows whom a request runs as. */
function peopleIn(contract: Contract): readonly string[] {
  if (!contract.headers.includes(ACT_AS)) return contract.identity ? [personVariable(contract, 'USER')] : [];
  return ['USER', 'ACT_AS'].map((owner) => personVariable(contract, owner));
}

/** The variables of a step, below a comment on what they are good for. Those of the first step have no `#`. */
function linesOfStep(
  { variables }: Step,
  index: number,
  effect: string,
  { words, two }: { readonly words: ReadonlyMap<string, string>; readonly two: readonly string[] },
): readonly string[] {
  const people = variables.filter((name) => two.includes(name));
  const others = variables.filter((name) => !two.includes(name));
  const above = `${people.join(' and ')} above`;
  if (others.length === 0) return [`# ${index + 1}. After ${above}: ${effect}`];
  const noun = others.every((name) => name.includes('_TOKEN')) ? 'token' : 'variable';
  return [
    `# ${index + 1}. After ${others.length === 1 ? `this ${noun}` : `these ${noun}s`}: ${effect}`,
    ...others.flatMap((name) => [`# ${words.get(name)}`, index === 0 ? `${name}=` : `# ${name}=`]),
    ...(people.length > 0 ? [`# Also set ${above}.`] : []),
  ];
}

/** The steps from no variable to everything decided. `scopes` is not claimed here, because all scopes are worth the same. */
function stepsTo(catalogue: Catalogue, claims: Claims, checks: readonly Check[]) {
  const base = { TARGET_BASE_URL: madeUp('TARGET_BASE_URL'), CONFORMANCE_CLAIMS: claims.kinds.join(' ') };
  const tokens = Object.fromEntries(claims.kinds.map((kind) => [`${kind}_TOKEN`, madeUp(`${kind}_TOKEN`)]));
  const settings = readSettings(catalogue, { environment: { ...base, ...tokens }, dotenv: {} });
  const casesAt = expandOnce(catalogue.contract);
  return decidable({ ...settings, variables: new Map() }, { checks, intrusive: false, casesAt, most: MOST_STEPS });
}

function quoted(text: string): string {
  return text.includes(' ') ? `'${text}'` : text;
}

/** Writes a file that somebody fills in. @throws a configuration error if it exists or cannot be written. */
export function writeToFillIn(file: string, text: string, mode?: number): void {
  try {
    writeNew(file, text, mode);
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw configurationError(`${file} already exists and is never overwritten; move it away or edit it`);
    throw configurationError(`cannot write ${file} (${errorCause(error)})`);
  }
}
