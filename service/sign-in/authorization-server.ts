import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import type { ClientMetadata, Configuration, Grant, KoaContextWithOIDC, Provider as ProviderType } from 'oidc-provider';
import type { Logger } from 'pino';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { AuthorizationRecords } from '../store/authorization-records.ts';
import { errors, Provider } from '../store/oidc-provider.ts';
import type { People } from '../store/people.ts';
import { signInListener } from './sign-in.ts';
import { errorPage, pageHeaders } from './sign-in-pages.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** Something that tokens are issued for (RFC 8707), and the scopes it knows. */
export interface Resource {
  /** An absolute URI; becomes `aud` of its tokens. */
  readonly audience: string;
  readonly scopes: readonly string[];
}

export interface AuthorizationServerOptions {
  /** The server's own URL. */
  issuer: string;
  people: People;
  /** Where sign-ins that failed are written down. */
  auditTrail: AuditTrail;
  signInThrottle: SignInThrottle;
  /** What it keeps, its keys among it. */
  records: AuthorizationRecords;
  /** The first is meant where a client names none. */
  resources: readonly [Resource, ...Resource[]];
  /** Lifetime of access tokens in seconds, asked for each token. */
  accessTokenSeconds: () => number;
  /** This service's own application. Nobody is asked to consent to it, and it learns who they are, nothing more. */
  console: FirstParty;
  log: Logger;
}

export interface FirstParty {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export interface AuthorizationServer {
  readonly listener: RequestListener;
  /** The public halves of the signing keys. */
  readonly jwks: JSONWebKeySet;
}

const minute = 60;
const day = 24 * 60 * minute;

/**
 * The service's own authorization server (spec 1, 5.3): authorization code with PKCE, dynamic client registration (RFC
 * 7591), metadata (RFC 8414), JWT access tokens bound to one resource (RFC 9068, 8707), refresh tokens that rotate and can
 * be revoked (RFC 7009). Its clock is the machine's.
 */
export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { issuer, people, auditTrail, signInThrottle: budget, records, resources, log } = options;
  const signingKey: JWK = JSON.parse(await records.secret('signing key', JSON.stringify(await newSigningKey())));
  const cookieKey = await records.secret('cookie key', randomBytes(32).toString('base64url'));
  const configuration: Configuration = {
    ...lifetimes(options),
    adapter: records.adapter,
    clients: [asClient(options.console)],
    loadExistingGrant: (ctx) => grantOf(ctx, options.console),
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey], long: { sameSite: 'lax' }, short: { sameSite: 'lax' } },

    // Code and PKCE for every client, whether it keeps a secret or not (RFC 9700 2.1.1).
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
        // A token is for one resource: the one the client names now, or named when its person consented, or the first.
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
  // Behind TLS that ends elsewhere, the scheme the browser sees is in X-Forwarded-Proto.
  provider.proxy = issuer.startsWith('https:');
  announceScopes(provider, [...new Set(resources.flatMap(({ scopes }) => scopes))]);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'authorization server failed'));

  const { d: _private, ...publicKey } = signingKey;
  return { listener: signInListener(provider, { people, auditTrail, budget, log }), jwks: { keys: [publicKey] } };
}

function asClient({ clientId, clientSecret, redirectUri }: FirstParty): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    client_name: 'the admin console',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: 'openid',
  };
}

/** What a person has consented to before; for the console, that it may know who they are. */
async function grantOf({ oidc }: KoaContextWithOIDC, { clientId }: FirstParty): Promise<Grant | undefined> {
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

/** Every one of them set: oidc-provider prints a notice on standard output for each that is not. In seconds. */
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

/** RFC 8414 2: the resources' scopes belong into the metadata too, where oidc-provider lists its own only. */
function announceScopes(provider: ProviderType, scopes: readonly string[]): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route !== 'discovery' || typeof ctx.body !== 'object' || ctx.body === null) return;
    const { scopes_supported: own } = { scopes_supported: [], ...ctx.body };
    ctx.body = { ...ctx.body, scopes_supported: [...own, ...scopes] };
  });
}

/** RFC 3986 6.2.3: no path is the path `/`, and libraries write the one for the other. */
function sameUri(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
