import type { Contract } from '../contract/contract.ts';
import { readHolding } from '../contract/holdings.ts';
import type { Catalogue, TokenVariable } from './catalogue.ts';
import { SETTING_VARIABLES } from './variables.ts';

type SettingVariable = (typeof SETTING_VARIABLES)[number];

/** What each setting of the suite means, and a value that shows its form; the default where there is one. */
export const SETTING_MEANINGS: Readonly<Record<SettingVariable, { readonly means: string; readonly example: string }>> =
  {
    CONFORMANCE_CLAIMS: {
      means: 'what the target claims to implement; else inferred',
      example: "'user global scopes'",
    },
    CONFORMANCE_DEPTH: { means: 'how much of the matrix is sent: core, pairwise or full', example: 'core' },
    CONFORMANCE_RATE: { means: 'requests a second; without limit on loopback', example: '10' },
    CONFORMANCE_CONCURRENCY: { means: 'requests under way at once; 16 on loopback', example: '4' },
    CONFORMANCE_TIMEOUT_MS: { means: 'milliseconds to the headers of an answer, then to its end', example: '10000' },
    CONFORMANCE_CHAT_TIMEOUT_MS: { means: 'milliseconds to the headers of a chat', example: '90000' },
    CONFORMANCE_CHAT_BUDGET: { means: 'chats that may be accepted in a run against a remote target', example: '30' },
    CONFORMANCE_EXTRA_HEADERS: {
      means: 'headers of a gateway in front of the target, sent with every request; secret',
      example: `'{"X-Gateway-Key":"..."}'`,
    },
    CONFORMANCE_REPORT_DIR: { means: 'where the report is written', example: 'conformance-report' },
  };

/** What a variable that is neither a token nor a setting stands for. */
export function meaningOf(name: string): string {
  const [, owner = ''] = /^(.+?)_(EMAIL|PRIVATE_QUERY|PRIVATE_MARKER)$/.exec(name) ?? [];
  if (name === 'TARGET_BASE_URL') return 'the implementation to test; a path prefix is allowed';
  if (name === 'TOKEN_COMMAND') return 'a command that mints the tokens that no variable supplies';
  if (name === 'ADMINISTRATION_COMMAND') return 'a command that administers tokens as the admin console does';
  if (name === 'AUTHORIZATION_SERVER_ISSUER') return 'the issuer of the own authorization server, an https URL';
  if (name === 'ACT_AS_EMAIL') return 'the email of an existing person whom GLOBAL tokens act as';
  if (name === 'UNKNOWN_EMAIL') return 'an email that names nobody; else a random one at the same domain';
  if (name === 'USER_EMAIL') return 'the email of the person whom USER and OAuth tokens belong to; another one';
  if (name.endsWith('_EMAIL')) return `the person whom ${owner} tokens belong to, where it is not USER_EMAIL's`;
  if (name.endsWith('_PRIVATE_QUERY')) return `a search that finds a text only the person of ${owner}_EMAIL may see`;
  return `that text, which the query does not contain`;
}

/** How a token is made: what to choose in the admin console, or what to ask an authorization server for. */
export function howToMake(contract: Contract, { kind, validity, holding }: TokenVariable): string {
  const scopes = contract.operations.map(({ scope }) => scope);
  const family = contract.matrix.kinds[kind]?.family;
  if (family === 'service') {
    const owner = kind === 'USER' ? '; User Email: the person of USER_EMAIL' : '';
    return `admin console, new token: Permissions ${kind}; Scopes ${scopesIn(contract, holding)}; Expires ${expiryOf(validity)}${owner}`;
  }
  const issuer = family === 'own' ? "the service's own authorization server" : `a ${kind} identity provider`;
  const other = validity === 'foreign' ? ', for another client or audience' : '';
  const permits = holding === 'none' ? `that identifies its user but permits none of ${scopes.join(', ')}` : '';
  const held = permits || `that permits all of ${scopes.join(', ')}`;
  return `access token of ${issuer}${other}, ${held}${validity === 'expired' ? ', and has expired' : ''}`;
}

function scopesIn({ matrix, operations }: Contract, holding: string): string {
  const { form, name } = readHolding(holding);
  if (form === 'only') return `${name} alone`;
  if (form === 'all-but') return `every one but ${name}`;
  if (form === 'none') return `any but ${operations.map(({ scope }) => scope).join(' and ')}`;
  return `every one (${matrix.scopes.length})`;
}

function expiryOf(validity: string): string {
  if (validity === 'expired') return 'a date that has passed when the run begins';
  return validity === 'future-expiry' ? 'a date that lies ahead' : 'not set';
}

/** What each variable means, in the order in which they are listed. */
export function variableMeanings(catalogue: Catalogue): readonly { readonly name: string; readonly means: string }[] {
  const tokens = new Map(catalogue.tokens.map((token) => [token.name, token]));
  return catalogue.names.map((name) => {
    const token = tokens.get(name);
    const setting = SETTING_VARIABLES.find((variable) => variable === name);
    return {
      name,
      means: token ? howToMake(catalogue.contract, token) : setting ? SETTING_MEANINGS[setting].means : meaningOf(name),
    };
  });
}
