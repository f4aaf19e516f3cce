import type { Contract } from '../contract/contract.ts';
import { covers, readHolding } from '../contract/holdings.ts';
import type { Catalogue, TokenVariable } from './catalogue.ts';
import { DEFAULT_REPORT_DIR, NOBODY, SETTING_VARIABLES } from './variables.ts';

type SettingVariable = (typeof SETTING_VARIABLES)[number];

/** What each setting means, and an example: the default value if there is one. */
export const SETTING_MEANINGS: Readonly<Record<SettingVariable, { readonly means: string; readonly example: string }>> =
  {
    CONFORMANCE_CLAIMS: {
      means: 'what the target claims to implement; inferred from the tokens if not set',
      example: "'user global scopes'",
    },
    CONFORMANCE_DEPTH: { means: 'how much of the matrix to send: core, pairwise, triples or full', example: 'core' },
    CONFORMANCE_RATE: { means: 'requests a second; no limit for a target on this machine', example: '10' },
    CONFORMANCE_REFUSED_PER_MINUTE: {
      means: 'the most refused tokens a minute; the run begins with 60; no limit for a target on this machine',
      example: '240',
    },
    CONFORMANCE_CONCURRENCY: { means: 'requests at once; 16 for a target on this machine', example: '4' },
    CONFORMANCE_TIMEOUT_MS: {
      means: 'milliseconds to wait for the headers of an answer, then for its end',
      example: '10000',
    },
    CONFORMANCE_CHAT_TIMEOUT_MS: { means: 'milliseconds to wait for the headers of a chat', example: '90000' },
    CONFORMANCE_CHAT_BUDGET: { means: 'chats that a target on another machine may accept', example: '100' },
    CONFORMANCE_EXTRA_HEADERS: {
      means: 'headers for a gateway in front of the target, sent with every request; secret',
      example: `'{"X-Gateway-Key":"..."}'`,
    },
    CONFORMANCE_CLIENT_CERT: {
      means: 'a file with the client certificate (PEM) that the target, or a gateway before it, asks for',
      example: './client.pem',
    },
    CONFORMANCE_CLIENT_KEY: {
      means: 'the file with its private key (PEM), without a passphrase',
      example: './client.key',
    },
    CONFORMANCE_REPORT_DIR: { means: 'the folder for the reports', example: DEFAULT_REPORT_DIR },
  };

/** What a variable means that is neither a token nor a setting. */
export function meaningOf(name: string): string {
  const [, owner = ''] = /^(.+?)_(EMAIL|PRIVATE_QUERY|PRIVATE_MARKER)$/.exec(name) ?? [];
  if (name === 'TARGET_BASE_URL') return 'the address of the implementation to test; a path prefix is allowed';
  if (name === 'TOKEN_COMMAND') return 'a command that makes the tokens that no variable supplies';
  if (name === 'ADMINISTRATION_COMMAND') return 'a command that does what the admin console does';
  if (name === 'AUTHORIZATION_SERVER_ISSUER') return "the issuer URL of the service's own authorization server";
  if (name === 'MCP_URL') return 'the address of the remote MCP server, if it has one';
  const [, kind = '', suffix] = /^(.+?)_MCP_TOKEN(_\w+)?$/.exec(name) ?? [];
  if (kind !== '') return `an OAuth token of ${kind} whose audience is the remote MCP server, ${mcpTokenMeans(suffix)}`;
  if (name === 'ACT_AS_EMAIL') return 'the email of an existing person that GLOBAL tokens act as';
  if (name === 'UNKNOWN_EMAIL') return 'an email that belongs to nobody; if not set, a random one at the same domain';
  if (name === 'USER_EMAIL') return 'the email of the owner of USER and OAuth tokens; not the person of ACT_AS_EMAIL';
  if (name.endsWith('_EMAIL'))
    return `the email of the owner of ${owner} tokens, if it is not USER_EMAIL; ${NOBODY} if they belong to no person`;
  if (name.endsWith('_PRIVATE_QUERY'))
    return `a search that finds a text which only the person of ${owner}_EMAIL may see`;
  return `that text; ${owner}_PRIVATE_QUERY must not contain it`;
}

function mcpTokenMeans(suffix: string | undefined): string {
  switch (suffix) {
    case '_UNSCOPED':
      return 'without permission for it';
    case '_MCP':
      return 'with permission for it and for no tool';
    case '_EXPIRED':
      return 'expired';
    default:
      return 'with permission for it and its tools';
  }
}

/** How to make a token: what to choose in the admin console, or what to request from an authorization server. */
export function howToMake(contract: Contract, token: TokenVariable): string {
  const { kind, validity, holding } = token;
  const family = contract.matrix.kinds[kind]?.family;
  if (family === 'service') {
    const owner = kind === 'USER' ? '; User Email: the address in USER_EMAIL' : '';
    const scopes = scopesIn(contract, holding);
    return `admin console, new token (Permissions: ${kind}; Scopes: ${scopes}; Expires: ${expiryOf(validity)}${owner})`;
  }
  const issuer = family === 'own' ? "the service's own authorization server" : `a ${kind} identity provider`;
  const audience = validity === 'foreign' ? ', for another client or audience' : '';
  const expiry = validity === 'expired' ? ', expired' : '';
  return `access token from ${issuer}${audience}, ${permissionIn(contract, holding)}${expiry}`;
}

function scopesIn({ matrix, operations }: Contract, holding: string): string {
  const { form, name } = readHolding(holding);
  switch (form) {
    case 'only':
      return `only ${name}`;
    case 'all-but':
      return `all except ${name}`;
    case 'none':
      return `any except ${operations.map(({ scope }) => scope).join(' and ')}`;
    default:
      return `all ${matrix.scopes.length}`;
  }
}

/** What an OAuth token permits. An identity provider has permissions of its own, so only the operations count. */
function permissionIn(contract: Contract, holding: string): string {
  const scopes = contract.operations.map(({ scope }) => scope);
  const permitted = scopes.filter((scope) => covers(contract, holding, scope));
  if (permitted.length === scopes.length) return `with permission for ${scopes.join(' and ')}`;
  if (permitted.length > 0) return `with permission for ${permitted.join(' and ')} only`;
  return `that identifies its user, without permission for ${scopes.join(' or ')}`;
}

function expiryOf(validity: string): string {
  if (validity === 'expired')
    return 'a date before the run, best the last one; a console that takes no past date: today, and run tomorrow';
  return validity === 'future-expiry' ? 'a date in the future' : 'not set';
}

/** What each variable means, in the order of the catalogue. */
export function variableMeanings(catalogue: Catalogue): readonly { readonly name: string; readonly means: string }[] {
  const tokens = new Map(catalogue.tokens.map((token) => [token.name, token]));
  return catalogue.names.map((name) => {
    const token = tokens.get(name);
    if (token) return { name, means: howToMake(catalogue.contract, token) };
    const setting = SETTING_VARIABLES.find((variable) => variable === name);
    return { name, means: setting ? SETTING_MEANINGS[setting].means : meaningOf(name) };
  });
}
