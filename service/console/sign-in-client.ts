import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type FlattenedVerifyGetKey, jwtVerify } from 'jose';

/** The console as a client of the authorization server (OIDC Core 3.1, with PKCE: RFC 7636). */
export interface SignInSettings {
  issuer: string;
  authorizationEndpoint: string;
  /** May be a local address that browsers cannot reach. */
  tokenEndpoint: string;
  keys: FlattenedVerifyGetKey;
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

/** A person who has just given their password. */
export interface SignedIn {
  readonly personId: string;
  /** Their session at the authorization server. It ends when they sign out of the console. */
  readonly authorizationSession: string;
}

export type SignInClient = ReturnType<typeof signInClient>;

/** The person was not signed in. The message is shown to them. */
export class SignInRefused extends Error {}

const expired = 'This sign-in has expired or was started in another browser.';
const timeoutMs = 5000;
/** How long a sign-in may take, in seconds. The authorization server has the same limit. */
export const signInSeconds = 10 * 60;

export function signInClient(settings: SignInSettings) {
  const mac = (text: string) => createHmac('sha256', settings.clientSecret).update(text).digest('base64url');
  return {
    clientId: settings.clientId,

    /** @returns the URL to send the browser to, and the sign-in that it must keep until it comes back */
    begin(goal: string): { location: string; pending: Pending } {
      const random = () => randomBytes(32).toString('base64url');
      // The start is part of the state, because a person at the browser can change their cookies and the state has a MAC.
      const started = `${epochSeconds()}.${random()}`;
      const pending = { state: `${started}.${mac(started)}`, nonce: random(), verifier: random(), goal };
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
        max_age: '0',
      });
      return { location: `${settings.authorizationEndpoint}?${query}`, pending };
    },

    /**
     * @throws SignInRefused when the answer does not match the sign-in, or the person did not give their password
     */
    async finish(answer: URLSearchParams, pending: Pending | undefined): Promise<SignedIn> {
      if (!pending || answer.get('state') !== pending.state) throw new SignInRefused(expired);
      const started = startOf(pending.state, mac);
      if (started === undefined || epochSeconds() - started > signInSeconds) throw new SignInRefused(expired);
      // The answer must come from this authorization server (RFC 9207 2.4).
      if (answer.get('iss') !== settings.issuer)
        throw new SignInRefused('The answer came from another authorization server.');
      const code = answer.get('code');
      if (code === null) throw new SignInRefused('You were not signed in.');
      const { payload } = await jwtVerify(await redeem(settings, code, pending), settings.keys, {
        issuer: settings.issuer,
        audience: settings.clientId,
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'exp', 'iat', 'nonce', 'auth_time', 'sid'],
      });
      const { sub, nonce, auth_time, sid } = payload;
      if (nonce !== pending.nonce || typeof sub !== 'string' || typeof sid !== 'string')
        throw new SignInRefused(expired);
      // The request can be changed on its way through the browser, but not this claim (OIDC Core 3.1.3.7, 13).
      if (typeof auth_time !== 'number' || auth_time < started)
        throw new SignInRefused('You did not enter your password for this sign-in.');
      return { personId: sub, authorizationSession: sid };
    },
  };
}

function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** @returns when the sign-in started, in epoch seconds; undefined when this console did not make the state */
function startOf(state: string, mac: (text: string) => string): number | undefined {
  const end = state.lastIndexOf('.');
  const [given, wanted] = [Buffer.from(state.slice(end + 1)), Buffer.from(mac(state.slice(0, end)))];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  return Number(state.split('.')[0]);
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
