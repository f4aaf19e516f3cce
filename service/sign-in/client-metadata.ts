import type { ClientMetadata, Grant, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import { errors, interactionPolicy as policy } from '../store/oidc-provider.ts';
import { redirectKind } from '../terms/redirect-uri.ts';
import type { RegistrationLimit } from './client-documents.ts';

/** The server would send a request to these addresses. */
const fetched = ['sector_identifier_uri', 'jwks_uri'] as const;
/** This server does not use these, so it does not store what strangers put there. */
const unused = [
  'client_uri',
  'contacts',
  'default_acr_values',
  'initiate_login_uri',
  'jwks',
  'logo_uri',
  'policy_uri',
  'tos_uri',
] as const;

const maxRedirectUris = 20;

interface ClientPolicy {
  /** The scopes that a client can register. */
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  /** Our own client, which is configured and not registered. */
  readonly own: FirstPartyClient;
  readonly limit: RegistrationLimit;
}

/**
 * Makes the check of client metadata (RFC 7591 2). oidc-provider calls it for each registration and each time it loads a
 * client. It throws for what is dangerous, and replaces what this server does not support, as RFC 7591 2 allows.
 */
export function createClientPolicy({ scopes, grantTypes, own, limit }: ClientPolicy) {
  return (ctx: KoaContextWithOIDC | undefined, _key: string, _value: unknown, metadata: ClientMetadata): void => {
    if (metadata.client_id === own.clientId) return;
    for (const field of fetched) {
      if (metadata[field] !== undefined)
        throw new errors.InvalidClientMetadata(`${field} is not supported: this server fetches nothing for a client`);
    }
    for (const field of unused) delete metadata[field];
    checkName(metadata.client_name);
    metadata.application_type = applicationType(metadata);
    if (typeof metadata.scope === 'string') {
      const known = [...new Set(metadata.scope.split(' '))].filter((scope) => scopes.includes(scope));
      // An empty list would not bind the client.
      if (known.length === 0)
        throw new errors.InvalidClientMetadata('scope names no scope of this server; see scopes_supported');
      metadata.scope = known.join(' ');
    }
    if (Array.isArray(metadata.grant_types))
      metadata.grant_types = metadata.grant_types.filter((type) => grantTypes.includes(type));
    // There is a context when a client registers, and none when it is loaded.
    if (ctx) checkLimit(ctx, limit);
  };
}

function checkLimit(ctx: KoaContextWithOIDC, limit: RegistrationLimit): void {
  const wait = limit();
  if (wait === undefined) return;
  ctx.set('retry-after', String(wait));
  const error = new errors.TemporarilyUnavailable(`too many clients registered; try again in ${wait} seconds`);
  throw Object.assign(error, { status: 429, statusCode: 429 });
}

function checkName(name: unknown): void {
  if (name === undefined) return;
  const problem = typeof name === 'string' ? clientNameProblem(name) : 'client_name must be a text';
  if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
}

/** A client with a redirect URI on the device of the person is native (RFC 8252): any loopback port, and always a consent. */
function applicationType({ redirect_uris: uris, application_type: given }: ClientMetadata): 'native' | 'web' {
  if (!Array.isArray(uris) || uris.length === 0) return 'web';
  if (uris.length > maxRedirectUris)
    throw invalidRedirectUri(`redirect_uris has ${uris.length} members; use at most ${maxRedirectUris}`);
  const kinds = uris.map((uri: unknown) => (typeof uri === 'string' ? redirectKind(uri) : undefined));
  if (kinds.includes(undefined))
    throw invalidRedirectUri(
      'redirect_uris may contain https, http on a loopback address, and private schemes of apps, without a fragment',
    );
  return given === 'native' || kinds.some((kind) => kind !== 'web') ? 'native' : 'web';
}

/** RFC 7591 3.2.2 */
function invalidRedirectUri(description: string): Error {
  return new errors.CustomOIDCProviderError('invalid_redirect_uri', description);
}

/** In characters. */
const maxLength = 100;

/** Names of our own pages and of our own client, folded. So an l stands for an i as well. */
const reserved: readonly RegExp[] = [/admlnconsole/, /^(?:the)?cllentapl(?:admln|console)*$/];

/** Characters that look like a Latin letter in many fonts. */
const lookalikes: readonly (readonly [RegExp, string])[] = [
  [/[0\u1d0f]/g, 'o'],
  [/[1i\u0131\u0269\u026a\u01c0]/g, 'l'],
  [/[4@\u0251\u1d00]/g, 'a'],
  [/[3\u1d07]/g, 'e'],
  [/[5$\ua731]/g, 's'],
];

/**
 * Checks the name that a client chose. People read it on the sign-in and consent pages, so it must not imitate our pages or
 * change the text around it.
 *
 * @returns the reason why it is refused; undefined for a good name
 */
function clientNameProblem(name: string): string | undefined {
  if (name.length > maxLength) return `client_name has ${name.length} characters; use at most ${maxLength}`;
  // Control, format and private-use characters, separators other than the space, and letters that show nothing.
  if (/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(name))
    return 'client_name contains a control or invisible character; remove it';
  // Blanks that are no spaces, and spaces that move the rest of the name away from its start.
  if (/[\u2800\u{1D159}]|[^\S ]| {2}|^ | $/u.test(name))
    return 'client_name contains a blank that is not a single space between two words; remove it';
  if (/\p{M}{4}/u.test(name)) return 'client_name has four marks on one letter; use at most three';
  if (!/[\p{L}\p{N}]/u.test(name)) return 'client_name needs a letter or a digit';
  if (mixesScripts(name))
    return 'client_name mixes letters of several scripts in one word; use one script for each word';
  const spellings = [name, name.replaceAll('|', 'l')].map(folded);
  if (reserved.some((own) => spellings.some((spelling) => own.test(spelling))))
    return 'client_name is a name of this service; choose another one';
  return undefined;
}

/** Letters that look like Latin ones are Cyrillic or Greek for the most part (UTS 39 5.2). */
function mixesScripts(name: string): boolean {
  const words = name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? [];
  const scripts = [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Armenian}/u,
    /\p{Script=Cherokee}/u,
  ];
  return words.some((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** Ignores letter case, accents, widths, spaces, punctuation, and which of two lookalikes a character is. */
function folded(name: string): string {
  const text = lookalikes.reduce(
    (read, [characters, letter]) => read.replace(characters, letter),
    name.normalize('NFKD').toLowerCase(),
  );
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** The name of a client for people. Where its id is an address, the host of that is the one thing that it cannot choose. */
export function shownName({
  clientId,
  clientName,
}: {
  readonly clientId: string;
  readonly clientName?: string | undefined;
}): string {
  const host = /^https:/.test(clientId) ? URL.parse(clientId)?.host : undefined;
  if (host === undefined) return clientName ?? clientId;
  return clientName === undefined ? host : `${clientName} (${host})`;
}

/** Our own client, the admin console. */
export interface FirstPartyClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export function asClient({ clientId, clientSecret, redirectUri }: FirstPartyClient): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    client_name: 'the admin console',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: 'openid',
    // The console checks when the person gave their password (OIDC Core 3.1.3.7).
    require_auth_time: true,
  };
}

/** Finds what the person has consented to. For the console it creates a grant of `openid` without asking. */
export async function grantOf(
  { oidc }: KoaContextWithOIDC,
  { clientId }: FirstPartyClient,
): Promise<Grant | undefined> {
  const { client, session, result, provider } = oidc;
  if (!client || !session) return undefined;
  const id = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  const known = id === undefined ? undefined : await provider.Grant.find(id);
  if (known || client.clientId !== clientId || session.accountId === undefined) return known;
  const grant = new provider.Grant({ clientId, accountId: session.accountId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
}

/** Our own client always gets the password asked: a person at the browser can change `prompt` and `max_age`. */
export function promptsFor({ clientId }: FirstPartyClient): readonly interactionPolicy.Prompt[] {
  const prompts = policy.base();
  const always = new policy.Check(
    'own_client',
    'Our own client always asks for the password.',
    ({ oidc }) => oidc.client?.clientId === clientId && !oidc.result?.login,
  );
  prompts.get('login')?.checks.add(always);
  return prompts;
}
