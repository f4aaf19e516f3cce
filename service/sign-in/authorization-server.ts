import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import type { Configuration, Provider as ProviderType } from 'oidc-provider';
import type { Logger } from 'pino';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { AuthorizationRecords } from '../store/authorization-records.ts';
import { errors, Provider } from '../store/oidc-provider.ts';
import type { People } from '../store/people.ts';
import { asClient, type FirstPartyClient, grantOf } from './first-party-client.ts';
import { signInListener } from './sign-in.ts';
import { errorPage, pageHeaders } from './sign-in-pages.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** A resource that tokens are issued for (RFC 8707). */
export interface Resource {
  /** An absolute URI. It becomes the `aud` of the tokens. */
  readonly audience: string;
  readonly scopes: readonly string[];
}

export interface AuthorizationServerOptions {
  /** The server's own URL. */
  issuer: string;
  people: People;
  /** For failed sign-ins. */
  auditTrail: AuditTrail;
  signInThrottle: SignInThrottle;
  /** The stored records and keys. */
  records: AuthorizationRecords;
  /** The first one is the default. */
  resources: readonly [Resource, ...Resource[]];
  /** Lifetime of access tokens in seconds. Called for each token. */
  accessTokenSeconds: () => number;
  /** Our own client. It needs no consent and learns nothing but the person's id. */
  console: FirstPartyClient;
  log: Logger;
}

export interface AuthorizationServer {
  readonly listener: RequestListener;
  /** The public signing keys. */
  readonly jwks: JSONWebKeySet;
}

const minute = 60;
const day = 24 * 60 * minute;

/**
 * Creates our own authorization server (spec 1, 5.3). It has the authorization code flow with PKCE (RFC 7636), dynamic client
 * registration (RFC 7591), metadata (RFC 8414), JWT access tokens for one resource (RFC 9068, RFC 8707), and refresh tokens
 * that rotate and can be revoked (RFC 7009). It uses the clock of the machine.
 */
export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { issuer, people, auditTrail, signInThrottle: throttle, records, resources, log } = options;
  const signingKey: JWK = JSON.parse(await records.secret('signing key', JSON.stringify(await newSigningKey())));
  const cookieKey = await records.secret('cookie key', randomBytes(32).toString('base64url'));
  const configuration: Configuration = {
    ...lifetimes(options),
    adapter: records.adapter,
    clients: [asClient(options.console)],
    loadExistingGrant: (ctx) => grantOf(ctx, options.console),
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey], long: { sameSite: 'lax' }, short: { sameSite: 'lax' } },

    // Every client must use the code flow with PKCE, confidential clients too (RFC 9700 2.1.1).
    pkce: { required: () => true },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', grant_types: ['authorization_code', 'refresh_token'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) ?? false,

    findAccount: async (_ctx, id) => {
      const person = await people.findById(id);
      return person && { accountId: person.id, claims: () => ({ sub: person.id }) };
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
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
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
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
      },
    },
  };
  const provider = new Provider(issuer, configuration);
  // A proxy that terminates TLS sends the scheme of the browser's request in X-Forwarded-Proto.
  provider.proxy = issuer.startsWith('https:');
  announceScopes(provider, [...new Set(resources.flatMap(({ scopes }) => scopes))]);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'authorization server failed'));

  const { d: _private, ...publicKey } = signingKey;
  return { listener: signInListener(provider, { people, auditTrail, throttle, log }), jwks: { keys: [publicKey] } };
}

/** In seconds. oidc-provider prints a notice for each lifetime that is not set, so all of them are. */
function lifetimes({ accessTokenSeconds }: AuthorizationServerOptions): Pick<Configuration, 'ttl'> {
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
      Session: day,
    },
  };
}

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), alg: 'ES256', use: 'sig' };
}

/** Adds the scopes of the resources to the metadata (RFC 8414 2). oidc-provider lists only its own. */
function announceScopes(provider: ProviderType, scopes: readonly string[]): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route !== 'discovery' || typeof ctx.body !== 'object' || ctx.body === null) return;
    const { scopes_supported: own } = { scopes_supported: [], ...ctx.body };
    ctx.body = { ...ctx.body, scopes_supported: [...own, ...scopes] };
  });
}

/** An empty path equals the path `/` (RFC 3986 6.2.3). Client libraries use both. */
function sameUri(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
