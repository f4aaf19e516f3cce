import * as oauth from 'oauth4webapi';
import { browse as browseTo } from '../embedded/browser.ts';

// A client built on an off-the-shelf OAuth library, as the library's documentation shows it. It knows nothing about this
// service except the address of the API.

/** The client's redirect URI. Nothing listens there: `browse` stops at the redirect. */
export const redirectUri = 'http://127.0.0.1:53682/callback';
const plain = { [oauth.allowInsecureRequests]: true };

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: string;
}

export type Person = { readonly email: string; readonly password: string };

/** Discovers the authorization server of this API and registers a client there (RFC 9728, RFC 8414, RFC 7591). */
export async function stockClient(
  apiUrl: string,
  registration: Partial<oauth.Client> = {},
  secretAuthentication: typeof oauth.ClientSecretBasic = oauth.ClientSecretBasic,
) {
  const url = new URL(apiUrl);
  const found = await oauth.resourceDiscoveryRequest(url, plain);
  const resource = await oauth.processResourceDiscoveryResponse(url, found);
  const issuer = new URL(resource.authorization_servers?.[0] ?? '');
  const described = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain });
  const server = await oauth.processDiscoveryResponse(issuer, described);
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'A stock client',
        redirect_uris: [redirectUri],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        ...registration,
      },
      plain,
    ),
  );
  return registeredClient(server, client, resource.resource, secretAuthentication);
}

export type StockClient = ReturnType<typeof registeredClient>;

/** Uses a client that is already registered. */
export function registeredClient(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  resource: string,
  secretAuthentication: typeof oauth.ClientSecretBasic = oauth.ClientSecretBasic,
) {
  const authentication =
    typeof client.client_secret === 'string' ? secretAuthentication(client.client_secret) : oauth.None();

  return {
    server,
    client,
    resource,

    /** Returns the URL to send the person to, and the secrets that redeem the answer. */
    async begin(scope: string, changes: Record<string, string | undefined> = {}) {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? '');
      const parameters = {
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        resource,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...changes,
      };
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) url.searchParams.set(name, value);
      return { url, verifier, state };
    },

    /** Exchanges the code in the redirect for tokens. */
    async redeem(back: URL, { verifier, state }: { verifier: string; state: string }): Promise<Tokens> {
      const parameters = oauth.validateAuthResponse(server, client, back, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        plain,
      );
      return tokens(await oauth.processAuthorizationCodeResponse(server, client, response));
    },

    async signIn(person: Person, scope: string, changes?: Record<string, string | undefined>): Promise<Tokens> {
      const begun = await this.begin(scope, changes);
      return this.redeem(await browse(begun.url, person), begun);
    },

    async refresh({ refreshToken }: Tokens): Promise<Tokens> {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, plain);
      return tokens(await oauth.processRefreshTokenResponse(server, client, response));
    },

    async revoke(token: string): Promise<void> {
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, authentication, token, plain),
      );
    },

    /**
     * Calls the API with the token (RFC 6750 2.1).
     * @throws when the answer is a challenge
     */
    async post(path: string, { accessToken }: Tokens, body: object): Promise<unknown> {
      const headers = new Headers({ 'content-type': 'application/json' });
      const url = new URL(path, resource);
      const answer = await oauth.protectedResourceRequest(
        accessToken,
        'POST',
        url,
        headers,
        JSON.stringify(body),
        plain,
      );
      return answer.json();
    },
  };
}

function tokens({ access_token, refresh_token = '', scope = '' }: oauth.TokenEndpointResponse): Tokens {
  return { accessToken: access_token, refreshToken: refresh_token, scope };
}

/** Acts as the person in the browser: signs in and decides, until the server redirects back to the client. */
export const browse = (
  start: URL,
  person: Person,
  decision: 'allow' | 'deny' = 'allow',
  goal: string = redirectUri,
): Promise<URL> => browseTo(start, { ...person, decision }, goal);
