import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createLocalJWKSet, errors, type FlattenedVerifyGetKey } from 'jose';
import type { Provider } from 'oidc-provider';
import type { AuthorizationKeys, KeyGeneration } from '../store/authorization-keys.ts';
import { createProvider, type ProviderOptions } from './provider.ts';
import { type SignInParts, signInListener } from './sign-in.ts';
import { knownBrowsers } from './sign-in-throttle.ts';

interface AuthorizationServerOptions extends ProviderOptions, Pick<SignInParts, 'throttles'> {
  readonly keys: AuthorizationKeys;
  /** The age at which the keys rotate, in milliseconds. */
  readonly keyMaxAge: number;
}

interface AuthorizationServer {
  readonly listener: RequestListener;
  /** Finds the public key for the header of a token, for jose. */
  readonly verify: FlattenedVerifyGetKey;
}

/**
 * Creates our own authorization server (spec 1, 5.3). It has the authorization code flow with PKCE (RFC 7636), dynamic client
 * registration (RFC 7591), metadata (RFC 8414), JWT access tokens for one resource (RFC 9068, RFC 8707), and refresh tokens
 * that rotate and can be revoked (RFC 7009). It uses the clock of the machine for all but the dates of access tokens.
 */
export async function createAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { issuer, log } = options;
  const ring = createKeyRing({ keys: options.keys, now: () => Date.now(), maxAge: options.keyMaxAge });
  const useConfiguredAddress = configuredAddress(issuer);
  const setSecurityHeaders = securityHeaders(issuer);
  let served: { readonly keys: readonly KeyGeneration[]; readonly listener: RequestListener } | undefined;
  /** The listener for the present keys. */
  const listenerNow = async (): Promise<RequestListener> => {
    const keys = await ring.current();
    if (served?.keys !== keys) served = { keys, listener: listenerOf(createProvider(options, keys), options) };
    return served.listener;
  };
  // The first keys are created now, so that a database that cannot be written is an error at the start.
  await listenerNow();

  return {
    verify: ring.verify,
    listener: (request, response) => {
      useConfiguredAddress(request);
      setSecurityHeaders(response);
      if (allowRegistrationFromScripts(request, response)) return;
      listenerNow().then(
        (listener) => listener(request, response),
        (error: unknown) => {
          log.error({ err: error }, 'the keys of the authorization server cannot be read');
          response.writeHead(503, { 'retry-after': '5' }).end();
        },
      );
    },
  };
}

function listenerOf(provider: Provider, options: AuthorizationServerOptions): RequestListener {
  const { people, auditTrail, throttles, console, log } = options;
  const browsers = knownBrowsers(provider, people);
  return signInListener(provider, { people, auditTrail, throttles, browsers, ownClientId: console.clientId, log });
}

/**
 * Lets scripts of every origin register a client (Fetch, "CORS protocol"). Registration uses no cookies, so a script gets
 * nothing that any other program does not get. oidc-provider has this for its other endpoints.
 *
 * @returns whether the request was a preflight and is answered
 */
function allowRegistrationFromScripts(request: IncomingMessage, response: ServerResponse): boolean {
  if (!/^\/reg\/?(?:\?|$)/i.test(request.url ?? '')) return false;
  response.setHeader('access-control-allow-origin', '*');
  const { 'access-control-request-method': method, 'access-control-request-headers': headers } = request.headers;
  if (request.method !== 'OPTIONS' || method === undefined) return false;
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-max-age': '3600',
    ...(headers !== undefined && { 'access-control-allow-headers': headers }),
  });
  response.end();
  return true;
}

/**
 * Makes a function that gives a request the address of this server, before oidc-provider reads it. Host, X-Forwarded-* and an
 * absolute request target (RFC 9112 3.2.2) come from the client. oidc-provider would build the addresses in its metadata and
 * the attributes of its cookies from them.
 *
 * @param issuer the configured address
 */
function configuredAddress(issuer: string): (request: IncomingMessage) => void {
  const { host, protocol } = new URL(issuer);
  return (request) => {
    for (const name of Object.keys(request.headers))
      if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete request.headers[name];
    request.headers.host = host;
    // Koa reads the scheme from here, because the connection itself may come from a proxy.
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.url = originForm(request.url ?? '/');
  };
}

/** Removes scheme and authority from a request target (RFC 9112 3.2.1). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : '/';
}

/**
 * Sets the headers of every answer. Pages with a style or a script of their own replace the content security policy or add to
 * it.
 *
 * @param issuer the configured address
 */
function securityHeaders(issuer: string): (response: ServerResponse) => void {
  const headers = new Map([
    // oidc-provider adds the hash of its script to `script-src` on the page that sends a form (form_post).
    ['content-security-policy', "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['x-content-type-options', 'nosniff'],
    ...(issuer.startsWith('https:') ? [['strict-transport-security', 'max-age=31536000'] as const] : []),
  ]);
  return (response) => void response.setHeaders(headers);
}

/** The keys of the authorization server as this process knows them. */
interface KeyRing {
  /** The newest generation first. The same array as before, if nothing changed. */
  current(): Promise<readonly KeyGeneration[]>;
  /** Finds the public key for the header of a token, for jose. */
  readonly verify: FlattenedVerifyGetKey;
}

interface KeyRingOptions {
  readonly keys: AuthorizationKeys;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The age at which the keys rotate, in milliseconds. */
  readonly maxAge: number;
}

/** How long the keys are cached, in milliseconds. Another process may rotate them. */
const cachedFor = 5000;

interface Cached {
  readonly generations: readonly KeyGeneration[];
  readonly find: FlattenedVerifyGetKey;
  readonly since: number;
}

export function createKeyRing({ keys, now, maxAge }: KeyRingOptions): KeyRing {
  let cached: Cached | undefined;
  const read = async (): Promise<Cached> => {
    const since = now();
    await keys.rotate(maxAge, 'by age');
    const generations = await keys.read();
    const same = cached !== undefined && namesOf(cached.generations) === namesOf(generations);
    cached = same && cached ? { ...cached, since } : { generations, find: finder(generations), since };
    return cached;
  };
  const recent = async (): Promise<Cached> => {
    const age = cached ? now() - cached.since : Number.NaN;
    return cached && age >= 0 && age < cachedFor ? cached : read();
  };

  return {
    current: async () => (await recent()).generations,
    verify: async (header, token) => {
      const { find } = await recent();
      try {
        return await find(header, token);
      } catch (error) {
        // The keys may have rotated a moment ago.
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await read()).find(header, token);
      }
    },
  };
}

function namesOf(generations: readonly KeyGeneration[]): string {
  return generations.map(({ id }) => id).join(' ');
}

function finder(generations: readonly KeyGeneration[]): FlattenedVerifyGetKey {
  const keys = generations.map(({ signing: { d: _private, ...publicKey } }) => publicKey);
  return createLocalJWKSet({ keys });
}
