import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FlattenedVerifyGetKey } from 'jose';
import type { Provider } from 'oidc-provider';
import type { AuthorizationKeys, KeyGeneration } from '../store/authorization-keys.ts';
import { configuredAddress, securityHeaders } from './configured-address.ts';
import { createKeyRing } from './key-ring.ts';
import { knownBrowsers } from './known-browsers.ts';
import { createProvider, type ProviderOptions } from './provider.ts';
import { type SignInParts, signInListener } from './sign-in.ts';

export interface AuthorizationServerOptions extends ProviderOptions, Pick<SignInParts, 'throttles'> {
  readonly keys: AuthorizationKeys;
  /** The age at which the keys rotate, in milliseconds. */
  readonly keyMaxAge: number;
}

export interface AuthorizationServer {
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
export function allowRegistrationFromScripts(request: IncomingMessage, response: ServerResponse): boolean {
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
