import { given } from '../contract/collections.ts';
import { actsAs } from '../contract/contract.ts';
import { areEmails, isPerson, NOT_PEOPLE, personVariable } from '../contract/people.ts';
import { type Catalogue, mcpTokens } from './catalogue.ts';
import { lettersOf, SHORTEST_LETTERS } from './letters.ts';
import { isEmail, isHeaderValue, isPlaceholder } from './parse-values.ts';
import { problemOfUse, tokenProblems } from './token-problems.ts';
import { givenName, MARKER_VARIABLES, NOBODY, type Variable } from './variables.ts';

/**
 * What is wrong with tokens, people and markers: each on its own, and compared with the others. One line for each
 * problem.
 * @param now the time to compare with the times in a JWT, in milliseconds since the epoch; if absent, they are not
 * checked.
 */
export function variableProblems(
  catalogue: Catalogue,
  variables: ReadonlyMap<string, Variable>,
  now?: number,
): string[] {
  const { contract } = catalogue;
  const problems: string[] = [];
  const values = new Map([...variables].map(([name, { value }]) => [name, value]));
  const filled = new Map([...values].filter(([, value]) => value.trim() !== ''));
  for (const name of values.keys())
    if (!filled.has(name)) problems.push(`${givenName(name, variables)} is set but empty; give it a value or unset it`);
  const tokens = catalogue.tokens.filter(({ name }) => values.has(name));
  if (filled.has('TARGET_BASE_URL') && tokens.length === 0 && !values.has('TOKEN_COMMAND'))
    problems.push(`TARGET_BASE_URL is set, but no token; set ${tokensToSet(catalogue)}`);
  problems.push(...tokenProblems(catalogue, filled, now), ...mcpTokenProblems(catalogue, filled, now));
  const people = [...filled].filter(([name]) => isPerson(contract, name));
  const isName = areEmails(contract) ? isEmail : isHeaderValue;
  const wanted = areEmails(contract)
    ? 'an email address in ASCII with one @ and no blank'
    : 'a text that a header can have';
  for (const [name, person] of people) {
    if (isName(person) || (person === NOBODY && mayBelongToNobody(catalogue, name))) continue;
    problems.push(`${name} is not ${wanted}${mayBelongToNobody(catalogue, name) ? `, and not ${NOBODY}` : ''}`);
  }
  const texts = areEmails(contract) ? MARKER_VARIABLES : [...MARKER_VARIABLES, ...people.map(([name]) => name)];
  for (const name of texts)
    if (isPlaceholder(filled.get(name) ?? ''))
      problems.push(`${name} is a placeholder that nothing replaced; set the text itself, or remove the variable`);
  for (const name of ['AUTHORIZATION_SERVER_ISSUER', 'MCP_URL'])
    if (filled.has(name) && !/^https?:\/\/[^\s?#/@]+(?:\/[^\s?#]*)?$/.test(filled.get(name) ?? ''))
      problems.push(`${name} must be an http or https URL without a user name, query or fragment`);
  const actAsName = personVariable(contract, 'ACT_AS');
  const notPeople = NOT_PEOPLE.map((owner) => personVariable(contract, owner));
  for (const [name, person] of people) {
    const isSame = (other: string) => other !== name && filled.get(other)?.toLowerCase() === person.toLowerCase();
    if (isSame(actAsName)) problems.push(`${name} is the same person as ${actAsName}; set two different people`);
    else if (name !== actAsName && !notPeople.includes(name))
      for (const other of notPeople.filter(isSame))
        problems.push(`${other} is the same person as ${name}; it must be an address that belongs to nobody`);
  }
  return [...problems, ...markerProblems(values)];
}

/** One token of each kind will do. */
function tokensToSet({ contract, kinds }: Catalogue): string {
  const [first, second, ...others] = kinds.map((kind) =>
    actsAs(contract, kind) ? `${kind}_TOKEN with ${personVariable(contract, 'ACT_AS')}` : `${kind}_TOKEN`,
  );
  return others.length > 0 ? `${first}, ${second}, or another <KIND>_TOKEN` : given([first, second]).join(' or ');
}

/** Only an OAuth token may belong to nobody. A USER token is bound to a user, and a GLOBAL token acts as one. */
function mayBelongToNobody({ contract: { matrix, people } }: Catalogue, variable: string): boolean {
  const { family } = matrix.kinds[variable.slice(0, -people.suffix.length - 1)] ?? {};
  return family === 'own' || family === 'external';
}

function markerProblems(values: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const queries = MARKER_VARIABLES.filter((name) => name.endsWith('_QUERY'));
  const markers = MARKER_VARIABLES.filter((name) => name.endsWith('_MARKER'));
  for (const query of queries) {
    const marker = query.replace(/QUERY$/, 'MARKER');
    if (values.has(query) !== values.has(marker))
      problems.push(`${values.has(query) ? marker : query} is missing: ${query} and ${marker} belong together`);
    for (const name of markers)
      if (contains(values.get(query), values.get(name)))
        problems.push(`${query} contains ${name}; an answer that repeats the query would look like a leak`);
  }
  const [first, second] = markers.map((name) => values.get(name));
  if (contains(first, second) || contains(second, first))
    problems.push(`${markers.join(' and ')} are the same, or one contains the other; set two distinct texts`);
  return problems;
}

/** A marker is found however its letters are separated, and so it must not be in a query either. */
function contains(text = '', part = ''): boolean {
  const letters = lettersOf(part);
  if (letters.length >= SHORTEST_LETTERS) return lettersOf(text).includes(letters);
  return part.trim() !== '' && text.toLowerCase().includes(part.toLowerCase());
}

/** What is wrong with the OAuth tokens for the remote MCP server. @param now undefined to skip the times in a JWT. */
function mcpTokenProblems(
  { contract, tokens }: Catalogue,
  values: ReadonlyMap<string, string>,
  now: number | undefined,
): readonly string[] {
  const ofMcp = mcpTokens(contract);
  const others = [...tokens, ...ofMcp].map(({ name }) => name);
  return ofMcp.flatMap(({ name, state }) => {
    const token = values.get(name);
    if (token === undefined || token.trim() === '') return [];
    const problem = problemOfUse(token, state === 'expired' ? 'expired' : 'valid', now);
    if (problem !== undefined) return [`${name} ${problem}`];
    // A token of the client API must be refused by the remote MCP server, so that the two must differ.
    const same = others.find((other) => other !== name && values.get(other) === token);
    return same === undefined ? [] : [`${name} and ${same} are the same token; they must differ in audience or scopes`];
  });
}
