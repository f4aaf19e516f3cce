import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

/** The console as a client of the authorization server (OIDC Core 3.1, with PKCE: RFC 7636). */
export interface SignInSettings {
  issuer: string;
  authorizationEndpoint: string;
  /** May be a local address that browsers cannot reach. */
  tokenEndpoint: string;
  keys: JSONWebKeySet;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** A sign-in that has started. The browser keeps it in a cookie, and the answer must match it. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path of the page to show afterwards. */
  readonly goal: string;
}

export type SignInClient = ReturnType<typeof signInClient>;

/** The person was not signed in. The message is shown to them. */
export class SignInRefused extends Error {}

const expired = 'This sign-in has expired or was started in another browser.';
const timeoutMs = 5000;

export function signInClient(settings: SignInSettings) {
  const keys = createLocalJWKSet(settings.keys);
  return {
    /** @returns the URL to send the browser to, and the sign-in that it must keep until it comes back */
    begin(goal: string): { location: string; pending: Pending } {
      const random = () => randomBytes(32).toString('base64url');
      const pending = { state: random(), nonce: random(), verifier: random(), goal };
      const query = new URLSearchParams({
        client_id: settings.clientId,
        response_type: 'code',
        redirect_uri: settings.redirectUri,
        scope: 'openid',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
        code_challenge_method: 'S256',
        // Always asks for the password, even if a person signed in to another application in this browser before.
        prompt: 'login',
      });
      return { location: `${settings.authorizationEndpoint}?${query}`, pending };
    },

    /**
     * @returns the id of the person who signed in
     * @throws SignInRefused when the answer does not match the sign-in, or the person did not sign in
     */
    async finish(answer: URLSearchParams, pending: Pending | undefined): Promise<string> {
      if (!pending || answer.get('state') !== pending.state) throw new SignInRefused(expired);
      // The answer must come from this authorization server (RFC 9207 2.4).
      if (answer.get('iss') !== settings.issuer)
        throw new SignInRefused('The answer came from another authorization server.');
      const code = answer.get('code');
      if (code === null) throw new SignInRefused('You were not signed in.');
      const { payload } = await jwtVerify(await redeem(settings, code, pending), keys, {
        issuer: settings.issuer,
        audience: settings.clientId,
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      });
      if (payload['nonce'] !== pending.nonce) throw new SignInRefused(expired);
      return payload.sub ?? '';
    },
  };
}

/** Exchanges the code for an ID token (OIDC Core 3.1.3). */
async function redeem(settings: SignInSettings, code: string, { verifier }: Pending): Promise<string> {
  const credentials = [settings.clientId, settings.clientSecret].map(encodeURIComponent).join(':');
  const response = await fetch(settings.tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: settings.redirectUri,
      code_verifier: verifier,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body: unknown = await response.json();
  const { error, id_token } = Object(body);
  // The code was used or has expired: the person went back or waited too long. Every other error is a fault of this service.
  if (error === 'invalid_grant') throw new SignInRefused(expired);
  if (!response.ok || typeof id_token !== 'string') {
    throw new Error(`${settings.tokenEndpoint} answered ${response.status} ${error ?? 'without an ID token'}.`);
  }
  return id_token;
}
