import type { Contract } from '../contract/contract.ts';
import { areEmails, PEOPLE, personVariable } from '../contract/people.ts';
import { singleQuoted } from '../contract/visible-text.ts';
import type { Settings } from '../settings/settings.ts';
import { type Acting, actingAs, type People } from './credentials.ts';
import type { PlannedCase } from './plan.ts';
import { buildRequest, type RequestParts } from './request.ts';
import { unknownShell } from './token-bytes.ts';

/** A bash line that sends a case again, safe to show: it names secrets by variables. First `set -a; . ./.env; set +a`. */
export function curlFor(
  parts: RequestParts,
  settings: Pick<Settings, 'variables' | 'extraHeaders' | 'clientCertificate'>,
  planned: PlannedCase,
  acting: Acting = 'actAs',
): string {
  const people = actingAs(peopleAsVariables(parts.contract, settings.variables), acting);
  const { method, path, headers, body } = buildRequest(
    { ...parts, people, common: [], unknownToken: unknownShell(parts.contract) },
    planned.values,
    planned.credential?.shell ?? '',
  );
  const line = [
    'curl -sS -i',
    ...(method === 'POST' && body !== undefined ? [] : ['-X', method]),
    `"$TARGET_BASE_URL${path}"`,
  ];
  if (settings.clientCertificate) line.push(CERTIFICATE_OPTIONS);
  for (const [name, value] of headers) line.push('-H', value === '' ? `'${name};'` : `"${name}: ${value}"`);
  for (const [name] of settings.extraHeaders)
    line.push('-H', `"${withoutHistory(name.replace(/[$`]/g, '\\$&'))}: <its value in CONFORMANCE_EXTRA_HEADERS>"`);
  if (body !== undefined) line.push('-d', singleQuoted(body));
  return line.join(' ');
}

/** How a command line shows the client certificate to the target. */
export const CERTIFICATE_OPTIONS = '--cert "$CONFORMANCE_CLIENT_CERT" --key "$CONFORMANCE_CLIENT_KEY"';

/** A text for double quotes without history: a shell would replace `!!` by the last command, which may contain a secret. */
export function withoutHistory(text: string): string {
  return text.replaceAll('!', `"'!'"`);
}

/** The people of a request as bash variables. Without UNKNOWN_EMAIL, nobody has a random address at a known domain. */
function peopleAsVariables(contract: Contract, variables: Settings['variables']): People {
  const [actAs = '', user = '', unknown = '', former = ''] = PEOPLE.map((owner) => personVariable(contract, owner));
  const known = [actAs, user].find((name) => variables.has(name));
  const domain = known === undefined ? 'example.com' : `\${${known}#*@}`;
  const at = (place: string) => (areEmails(contract) ? `@${place}` : '');
  return {
    actAs: `$${actAs}`,
    user: variables.has(user) ? `$${user}` : `nobody${at('conformance.invalid')}`,
    nobody: variables.has(unknown) ? `$${unknown}` : `nobody-$RANDOM${at(domain)}`,
    nobodyElsewhere: `nobody-$RANDOM${at('conformance.invalid')}`,
    former: `$${former}`,
  };
}
