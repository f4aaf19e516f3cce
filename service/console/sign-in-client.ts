import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

/** The console as a client of the authorization server (OpenID Connect Core 3.1, with PKCE: RFC 7636). */
export interface SignInSettings {
  issuer: string;
  /** Where browsers are sent. */
  authorizationEndpoint: string;
  /** Where this process trades codes; it may be nearer than the address that browsers see. */
  tokenEndpoint: string;
  keys: JSONWebKeySet;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** What a browser keeps while its person signs in: the answer must fit it. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path to return to. */
  readonly goal: string;
}

export type SignInClient = ReturnType<typeof signInClient>;

/** Why nobody was signed in, in words for the person before the screen. */
export class SignInRefused extends Error {}

/** How long the authorization server may take to trade a code, in milliseconds. */
const patience = 5000;

export function signInClient(settings: SignInSettings) {
  const keys = createLocalJWKSet(settings.keys);
  return {
    /** Where to send the browser, and what it must keep meanwhile. */
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
        // Who administers tokens says who they are, whoever signed in to something else in this browser before.
        prompt: 'login',
      });
      return { location: `${settings.authorizationEndpoint}?${query}`, pending };
    },

    /**
     * The id of the person who signed in.
     * @throws SignInRefused when the answer is none to this sign-in, or the person was not signed in
     */
    async finish(answer: URLSearchParams, pending: Pending | undefined): Promise<string> {
      if (!pending || answer.get('state') !== pending.state) throw new SignInRefused('This sign-in is no longer open.');
      // RFC 9207 2.4: an answer of another server is not for us.
      if (answer.get('iss') !== settings.issuer) throw new SignInRefused('This answer comes from somewhere else.');
      const code = answer.get('code');
      if (code === null) throw new SignInRefused('You were not signed in.');
      const { payload } = await jwtVerify(await trade(settings, code, pending), keys, {
        issuer: settings.issuer,
        audience: settings.clientId,
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      });
      if (payload['nonce'] !== pending.nonce) throw new SignInRefused('This sign-in is no longer open.');
      return payload.sub ?? '';
    },
  };
}

/** The ID token for a code (OpenID Connect Core 3.1.3). */
async function trade(settings: SignInSettings, code: string, { verifier }: Pending): Promise<string> {
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
    signal: AbortSignal.timeout(patience),
  });
  const body: unknown = await response.json();
  const { error, id_token } = Object(body);
  // A code that was used or is too old: somebody went back, or waited. Anything else is a fault of ours.
  if (error === 'invalid_grant') throw new SignInRefused('This sign-in is no longer open.');
  if (!response.ok || typeof id_token !== 'string') {
    throw new Error(`${settings.tokenEndpoint} answered ${response.status} ${error ?? 'without an ID token'}.`);
  }
  return id_token;
}
