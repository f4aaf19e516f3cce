import type { Client, Configuration, KoaContextWithOIDC, Provider as ProviderType } from 'oidc-provider';
import type { Logger } from 'pino';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { KeyGeneration } from '../store/authorization-keys.ts';
import { type AuthorizationRecords, clientSecretMatches } from '../store/authorization-records.ts';
import { sessionSeconds } from '../store/console-sessions.ts';
import { hashOf } from '../store/encryption.ts';
import { errors, Provider } from '../store/oidc-provider.ts';
import type { People } from '../store/people.ts';
import { redirectTarget } from '../terms/redirect-uri.ts';
import type { ClientDocuments, RegistrationLimit } from './client-documents.ts';
import { asClient, createClientPolicy, type FirstPartyClient, grantOf, promptsFor } from './client-metadata.ts';
import { keepInCookie, unstoredUntilPassword } from './interaction-cookie.ts';
import { errorPage, holdErrorRedirects, pageHeaders } from './sign-in-pages.ts';

export interface ProviderOptions {
  /** The server's own URL. */
  readonly issuer: string;
  readonly people: People;
  /** For sign-ins, registrations and consents. */
  readonly auditTrail: AuditTrail;
  readonly registrationLimit: RegistrationLimit;
  readonly records: AuthorizationRecords;
  /** The first one is the default. */
  readonly resources: readonly [Resource, ...Resource[]];
  /** Lifetime of access tokens in seconds. Called for each token. */
  readonly accessTokenSeconds: () => number;
  /** The clock by which access tokens are dated, as the API reads them. Milliseconds since the epoch. */
  readonly now: () => number;
  /** Our own client. It needs no consent and learns nothing but the person's id and the session. */
  readonly console: FirstPartyClient;
  /** Of clients whose id is the address of their metadata. Absent: there are no such clients. */
  readonly clientDocuments?: ClientDocuments | undefined;
  readonly log: Logger;
}

const minute = 60;
const day = 24 * 60 * minute;
const grantTypes = ['authorization_code', 'refresh_token'];

/** Configures oidc-provider with these keys. It reads its keys once, so other keys need another provider. */
export function createProvider(options: ProviderOptions, keys: readonly KeyGeneration[]): ProviderType {
  const { issuer, people, resources, console: own } = options;
  const scopes = ['openid', 'offline_access', ...new Set(resources.flatMap((resource) => resource.scopes))];
  const https = issuer.startsWith('https:');
  const configuration: Configuration = {
    ...lifetimes(options),
    adapter: unstoredUntilPassword(options.records.adapter),
    clients: [asClient(own)],
    loadExistingGrant: (ctx) => grantOf(ctx, own),
    // The first key signs. The others only verify, until everything that they signed has expired.
    jwks: { keys: keys.map(({ signing }) => signing) },
    cookies: {
      keys: keys.map(({ cookie }) => cookie),
      // With this prefix, no other host can set the cookie (RFC 6265bis 4.1.3).
      ...(https && { names: { session: '__Host-session' } }),
      long: { sameSite: 'lax' },
      short: { sameSite: 'lax' },
    },

    // Every client must use the code flow with PKCE, confidential clients too (RFC 9700 2.1.1).
    pkce: { required: () => true },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', grant_types: grantTypes },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) ?? false,
    // Called for each registration and each client that is loaded. The property does not matter.
    extraClientMetadata: {
      properties: ['redirect_uris'],
      validator: createClientPolicy({ scopes, grantTypes, own, limit: options.registrationLimit }),
    },
    fetch: async (input) => {
      if (options.clientDocuments) return options.clientDocuments.answer(String(input));
      throw new Error(`The authorization server sends no requests, also not to ${String(input)}.`);
    },

    scopes,
    extraParams: { scope: scopeCheck(scopes, resources) },
    claims: { openid: ['sub', 'sid'] },
    findAccount: async (_ctx, id, token) => {
      const person = await people.findById(id);
      // Only our own client learns the session, and ends it when the person signs out.
      const sid = token?.clientId === own.clientId && 'sessionUid' in token ? { sid: token.sessionUid } : {};
      return person && { accountId: person.id, claims: () => ({ sub: person.id, ...sid }) };
    },
    // The API asks whether the grant still exists, so a revoked token is refused at once.
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { grant: hashOf(token.grantId ?? '') } : undefined),
    formats: { customizers: { jwt: (_ctx, _token, { payload }) => dated(payload, options.now()) } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}`, policy: promptsFor(own) },
    renderError: (ctx, { error, error_description }) => {
      ctx.set({ ...pageHeaders });
      ctx.body = errorPage(error_description ?? error);
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: resourceIndicators(options),
      clientIdMetadataDocument: metadataDocuments(options),
    },
  };
  const provider = new Provider(issuer, configuration);
  // configured-address.ts sets the headers that this makes Koa read.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function (given) {
    return clientSecretMatches(given, this.clientSecret);
  };
  recordRegistrations(provider, options);
  holdErrorRedirects(provider, own.clientId);
  keepInCookie(provider);
  provider.on('server_error', (_ctx, err) => options.log.error({ err }, 'authorization server failed'));
  return provider;
}

/** oidc-provider dates a token by the clock of the machine. */
function dated(claims: Record<string, unknown>, now: number): void {
  const { iat, exp } = claims;
  const issued = Math.floor(now / 1000);
  Object.assign(claims, { iat: issued, exp: issued + Number(exp) - Number(iat) });
}

type Features = NonNullable<Configuration['features']>;

function resourceIndicators({ resources }: ProviderOptions): Features['resourceIndicators'] {
  return {
    enabled: true,
    // A token is for one resource: the one in this request, or the one that the person consented to, or the first one.
    defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resources[0].audience,
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, indicator) => {
      const resource = resources.find(({ audience }) => sameUri(audience, indicator));
      if (!resource) throw new errors.InvalidTarget();
      const jwt = { sign: { alg: 'ES256' as const } };
      return { scope: resource.scopes.join(' '), audience: resource.audience, accessTokenFormat: 'jwt', jwt };
    },
  };
}

/** In seconds. oidc-provider prints a notice for each lifetime that is not set, so all of them are. */
function lifetimes({ accessTokenSeconds }: ProviderOptions): Pick<Configuration, 'ttl'> {
  return {
    ttl: {
      AccessToken: () => accessTokenSeconds(),
      AuthorizationCode: minute,
      BackchannelAuthenticationRequest: 10 * minute,
      ClientCredentials: 10 * minute,
      DeviceCode: 10 * minute,
      Grant: 14 * day,
      IdToken: 60 * minute,
      Interaction: 10 * minute,
      PreAuthorizedCode: 10 * minute,
      RefreshToken: 14 * day,
      // As long as a session of the console.
      Session: sessionSeconds,
    },
  };
}

function metadataDocuments({ clientDocuments }: ProviderOptions): Features['clientIdMetadataDocument'] {
  return {
    enabled: clientDocuments !== undefined,
    ack: 'draft-02',
    allowFetch: async (ctx, id) => {
      await clientDocuments?.prepare(id, ctx);
      return true;
    },
    cacheDuration: { min: 60, max: 3600 },
  };
}

/** The event is recorded before the client gets its answer. */
function recordRegistrations(provider: ProviderType, { auditTrail }: ProviderOptions): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route !== 'registration' || ctx.status !== 201) return;
    const { clientName, clientId, redirectUris: [uri = ''] = [] } = ctx.oidc.client ?? {};
    await auditTrail.clientRegistered(`${clientName ?? clientId}, which returns to ${redirectTarget(uri)}`);
  });
}

/** An empty path equals the path `/` (RFC 3986 6.2.3). Client libraries use both. */
function sameUri(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}

/** A refresh token is issued without being asked for, so this scope alone requests nothing. */
const withoutAccess = 'offline_access';

/**
 * Makes the check of the `scope` in an authorization request (RFC 6749 3.3). Without it, the scopes that the client registered
 * count, or else the defaults of the resource. Unknown scopes are dropped. A request that is left with nothing is refused: the person would
 * be asked to consent to nothing.
 */
function scopeCheck(known: readonly string[], resources: readonly [Resource, ...Resource[]]) {
  return ({ oidc }: KoaContextWithOIDC, requested: string | undefined, client: Client): void => {
    const resource = resources.find(({ audience }) => audience === oidc.params?.['resource']) ?? resources[0];
    const given = requested?.split(' ') ?? client.scope?.split(' ') ?? resource.defaultScopes;
    const scopes = given.filter((scope) => known.includes(scope));
    if (scopes.every((scope) => scope === withoutAccess))
      throw new errors.InvalidScope('the request names no scope of this server; see scopes_supported', given.join(' '));
    Object.assign(oidc.params ?? {}, { scope: scopes.join(' ') });
  };
}

/** A resource that tokens are issued for (RFC 8707). */
interface Resource {
  /** An absolute URI. It becomes the `aud` of the tokens. */
  readonly audience: string;
  readonly scopes: readonly string[];
  /** For a client that neither registered nor requests any. */
  readonly defaultScopes: readonly string[];
}
