import type { Catalogue } from './catalogue.ts';
import { isEmail } from './parse-values.ts';
import { tokenProblems } from './token-problems.ts';
import { MARKER_VARIABLES, type Variable } from './variables.ts';

/**
 * What is wrong with tokens, people and markers, each alone and beside the others.
 *
 * @param now milliseconds since the epoch that the times in a token are held against; without it nobody looks at them
 */
export function variableProblems(
  catalogue: Catalogue,
  variables: ReadonlyMap<string, Variable>,
  now?: number,
): string[] {
  const problems: string[] = [];
  const values = new Map([...variables].map(([name, { value }]) => [name, value]));
  const filled = new Map([...values].filter(([, value]) => value.trim() !== ''));
  for (const name of values.keys())
    if (!filled.has(name)) problems.push(`${name} is set but empty; give it a value or unset it`);
  const tokens = catalogue.tokens.filter(({ name }) => values.has(name));
  if (filled.has('TARGET_BASE_URL') && tokens.length === 0 && !values.has('TOKEN_COMMAND'))
    problems.push('TARGET_BASE_URL is set but no token is; set USER_TOKEN (or another <KIND>_TOKEN) first');
  problems.push(...tokenProblems(catalogue, filled, now));
  const emails = [...filled].filter(([name]) => name.endsWith('_EMAIL'));
  for (const [name, email] of emails) if (!isEmail(email)) problems.push(`${name} is not an email address`);
  const issuer = filled.get('AUTHORIZATION_SERVER_ISSUER');
  if (issuer !== undefined && !/^https?:\/\/[^\s?#]+$/.test(issuer))
    problems.push('AUTHORIZATION_SERVER_ISSUER is not a URL of http or https without query and fragment');
  const acted = filled.get('ACT_AS_EMAIL')?.toLowerCase();
  const unknown = filled.get('UNKNOWN_EMAIL')?.toLowerCase();
  for (const [name, email] of emails) {
    if (name !== 'ACT_AS_EMAIL' && email.toLowerCase() === acted)
      problems.push(`${name} is the same person as ACT_AS_EMAIL; name two people, or nothing tells them apart`);
    else if (name !== 'UNKNOWN_EMAIL' && name !== 'ACT_AS_EMAIL' && email.toLowerCase() === unknown)
      problems.push(`UNKNOWN_EMAIL is the person of ${name}; it must name nobody`);
  }
  return [...problems, ...markerProblems(values)];
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
        problems.push(`${query} contains ${name}; a target that echoes the query would seem to leak`);
  }
  const [first, second] = markers.map((name) => values.get(name));
  if (contains(first, second) || contains(second, first))
    problems.push(`${markers.join(' and ')} are the same, or one contains the other; nothing would tell them apart`);
  return problems;
}

function contains(text: string | undefined, part: string | undefined): boolean {
  return (
    text !== undefined && part !== undefined && part.trim() !== '' && text.toLowerCase().includes(part.toLowerCase())
  );
}
