import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createApp } from './api/app.ts';
import { policy } from './api/policy.ts';
import { createRateLimit } from './api/rate-limit.ts';
import type { ServiceContext, Steps } from './api/steps.ts';
import { adminConsole } from './console/console.ts';
import { signInClient } from './console/sign-in-client.ts';
import { createIssuerClient } from './issuers/issuer-client.ts';
import { checkIssuers, type Issuer, ownIssuer } from './issuers/issuers.ts';
import { type Listening, listen } from './listen.ts';
import { createLog } from './log.ts';
import { type McpOptions, mcp, mcpOptionsFrom } from './mcp/mcp.ts';
import { createAuthorizationServer } from './sign-in/authorization-server.ts';
import { createClientDocuments, createRegistrationLimit } from './sign-in/client-documents.ts';
import type { GuardedFetch } from './sign-in/guarded-fetch.ts';
import { attemptsFromEverywhere, createThrottle } from './sign-in/sign-in-throttle.ts';
import type { PasswordCost } from './store/password-hash.ts';
import { openStore } from './store/store.ts';
import { mcpScopes, mcpServer, operations, scopes } from './terms/operations.ts';

/** Every field has a default. By default the service runs in memory, on free ports of the loopback address. */
export interface ServiceConfig {
  /** `:memory:`, or `file:<path>`. */
  database?: string;
  host?: string;
  /** 0: any free port. */
  port?: number;
  authorizationServerPort?: number;
  /** The addresses of the API and the authorization server behind a proxy, without a slash at the end. */
  publicUrl?: string;
  authorizationServerPublicUrl?: string;
  /** External identity providers whose tokens are accepted (spec 5.3). */
  identityProviders?: readonly Issuer[];
  /** Encrypts the secrets in the database. Absent: they are stored in clear. */
  databaseKey?: string | undefined;
  /** The age at which the keys of the authorization server rotate. */
  keyRotationDays?: number | undefined;
  /** How many clients may register at once. Only tests use more than the default. */
  registrationBurst?: number;
  /** Lifetime of our own access tokens in seconds. Called for each token. */
  accessTokenSeconds?: () => number;
  /** Fetches the metadata of a client whose id is the address of that. Absent: no client may have such an id. */
  fetchClientMetadata?: GuardedFetch | undefined;
  /** Limit for each token. Absent: requests are not limited. */
  requestsPerMinute?: number | undefined;
  /** Cost of hashing passwords. Only tests use less than the default. */
  passwordCost?: PasswordCost;
  steps?: Steps;
  /** Epoch milliseconds. */
  now?: () => number;
  log?: Logger;
}

export interface RunningService {
  readonly apiUrl: string;
  readonly authorizationServerUrl: string;
  /** The audiences of our own tokens (RFC 8707): this API and the remote MCP server (spec 1). */
  readonly audiences: { readonly api: string; readonly mcp: string };
  /** For another app over the same store and issuers. */
  readonly context: ServiceContext;
  /** For another remote MCP server over the same store and issuers. */
  readonly mcp: McpOptions;
  close(): Promise<void>;
}

const day = 24 * 60 * 60 * 1000;
/** How old the keys of the authorization server become, in days. */
export const keyRotationDays = 90;
/** Short, because another resource server may not ask whether the grant still exists. */
const accessTokenSeconds = 600;

/** Starts the client API and its authorization server. @throws when a port, the database or an identity provider is not usable */
export async function startService(config: ServiceConfig = {}): Promise<RunningService> {
  const { now = Date.now, log = createLog('silent'), steps = policy, identityProviders = [] } = config;
  // Closed in reverse order.
  const closing: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const { databaseKey, passwordCost: cost } = config;
    const servers: Listening[] = [];
    closing.push(async () => void (await Promise.all(servers.map((server) => server.close()))));
    const listenOn = async (port = 0): Promise<Listening> => {
      const server = await listen({ port, ...(config.host !== undefined && { host: config.host }) });
      servers.push(server);
      return server;
    };
    // Both servers listen before either has a listener, because each needs the address of the other.
    const apiServer = await listenOn(config.port);
    const authorizationServer = await listenOn(config.authorizationServerPort);
    const apiUrl = config.publicUrl ?? apiServer.url;
    const issuer = config.authorizationServerPublicUrl ?? authorizationServer.url;
    const audiences = { api: apiUrl, mcp: apiUrl + mcpServer.path };

    const own = ownIssuer(issuer, audiences.api);
    checkIssuers([own, ...identityProviders]);
    // Opened only now, so that a start that fails for a port leaves no database. Closed last.
    const store = await openStore(config.database ?? ':memory:', now, { cost, databaseKey });
    closing.unshift(() => store.close());
    // The console and the authorization server run in this process, so a new secret at each start is enough.
    const consoleClient = {
      clientId: 'admin-console',
      clientSecret: randomBytes(32).toString('base64url'),
      redirectUri: `${apiUrl}/admin/signed-in`,
    };
    const { listener, verify } = await createAuthorizationServer({
      issuer,
      people: store.people,
      auditTrail: store.auditTrail,
      throttles: {
        page: createThrottle({ now }),
        sender: createThrottle({ now }),
        email: createThrottle({ now, attempts: attemptsFromEverywhere }),
      },
      registrationLimit: createRegistrationLimit(now, config.registrationBurst),
      records: store.authorization,
      keys: store.authorizationKeys,
      keyMaxAge: (config.keyRotationDays ?? keyRotationDays) * day,
      resources: [
        { audience: audiences.api, scopes, defaultScopes: operations.map(({ scope }) => scope) },
        { audience: audiences.mcp, scopes, defaultScopes: mcpScopes },
      ],
      accessTokenSeconds: config.accessTokenSeconds ?? (() => accessTokenSeconds),
      now,
      console: consoleClient,
      clientDocuments:
        config.fetchClientMetadata &&
        createClientDocuments({ fetch: config.fetchClientMetadata, hasConsent: store.consents.hasAny, now }),
      log,
    });
    authorizationServer.answerWith(listener);

    const issuers = [
      createIssuerClient(own, { now, localKeys: verify }),
      ...identityProviders.map((row) => createIssuerClient(row, { now })),
    ];
    const { requestsPerMinute } = config;
    const context: ServiceContext = {
      steps,
      now,
      store,
      issuers,
      log,
      protectedResource: { resource: audiences.api, name: 'Client API', authorizationServers: [issuer], scopes },
      ...(requestsPerMinute !== undefined && { rateLimit: createRateLimit({ requestsPerMinute, now }) }),
    };
    const hostnames = [apiUrl, apiServer.url].map((url) => new URL(url).hostname);
    const mcpOptions = mcpOptionsFrom(context, audiences.mcp, hostnames);
    const app = createApp(context);
    const signIn = signInClient({
      ...consoleClient,
      issuer,
      keys: verify,
      authorizationEndpoint: `${issuer}/auth`,
      tokenEndpoint: `${authorizationServer.url}/token`,
    });
    await app.register(mcp, mcpOptions);
    await app.register(adminConsole, { store, now, log, publicUrl: apiUrl, signIn });
    await app.ready();
    closing.push(() => app.close());
    apiServer.answerWith(app.routing);
    return { apiUrl, authorizationServerUrl: issuer, audiences, context, mcp: mcpOptions, close };
  } catch (error) {
    await close();
    throw error;
  }
}
