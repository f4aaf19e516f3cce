import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { preflight, serveProtectedResource } from '../api/protected-resource.ts';
import { identityOf } from '../api/rate-limit.ts';
import { asRefusal, logRefusal } from '../api/render.ts';
import { passStages, present, requestContext, send } from '../api/serve-operations.ts';
import type { Answer, RequestContext, ServiceContext } from '../api/steps.ts';
import type { IssuerClient } from '../issuers/issuer-client.ts';
import { mcpScopes, mcpServer } from '../terms/operations.ts';
import { loopbackHosts } from '../terms/redirect-uri.ts';
import { Refusal } from '../terms/refusal.ts';

export interface McpOptions {
  /** Its issuers and its protected resource are those of this server. */
  readonly context: ServiceContext;
  /** The names of this host besides those of the loopback address. */
  readonly hostnames: readonly string[];
  readonly limits?: Partial<Limits>;
}

interface Limits {
  /** Requests under way at once. */
  readonly perToken: number;
  readonly total: number;
  /** Milliseconds that an answer may take, its stream included. A client opens a longer stream again. */
  readonly time: number;
}

const defaults: Limits = { perToken: 16, total: 256, time: 60_000 };

/**
 * Serves the remote MCP server (spec 1, 5.4): stateless Streamable HTTP. The newest revision of the protocol and those before
 * it are answered by the SDK. A request passes the same stages as one to the client API, before its body is read.
 */
export async function mcp(app: FastifyInstance, { context, hostnames, limits }: McpOptions): Promise<void> {
  const { perToken, total, time } = { ...defaults, ...limits };
  const enter = limitConcurrency({ perToken, total });
  // The SDK reads the body itself, so that a wrong one gets the error of the protocol.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error);
    logRefusal(context, request, refusal);
    return send(reply, renderRefusal(request.call ?? requestContext(context, request), refusal));
  });
  if (context.protectedResource) serveProtectedResource(app, context.protectedResource);

  app.all(mcpServer.path, {
    onRequest: async (request, reply) => {
      checkCaller(request.raw, hostnames);
      // A preflight has no token (Fetch, "CORS preflight").
      if (request.method === 'OPTIONS')
        return reply
          .code(204)
          .headers({ ...readableByPages, ...preflight(request.headers, 'POST') })
          .send();
      const first = requestContext(context, request);
      await context.steps.admit(first);
      request.call = { ...first, operation: mcpServer, headers: context.steps.readHeaders(first) };
      await passStages(request.call, stagesOf(context));
      if (request.method !== 'POST') throw new Refusal('other-method', { detail: onlyPost, allow: 'POST' });
      reply.raw.once('close', enter(identityOf(present(request.call.credential, 'credential'))));
    },
    handler: async (request, reply) => {
      const call = present(request.call, 'call');
      if (call.credential?.family === 'service') await context.store.serviceTokens.recordUse(call.credential.token);
      // The SDK takes a quarter of a second to load, and many runs of the service never need it.
      const { answerOf } = await import('./answer.ts');
      const answer = await answerOf(call, request, underWay(reply, time));
      return reply.headers({ ...readableByPages, 'cache-control': 'no-store' }).send(answer);
    },
  });
}

const onlyPost = 'The remote MCP server is stateless: it supports POST, and neither streams of its own nor sessions.';

/** The body of a request is checked by the SDK, and the arguments of a tool by the tool. */
function stagesOf({ steps }: ServiceContext) {
  return steps.order.filter((stage) => stage !== 'validateBody');
}

/** Aborts when the time is over or the client has gone. */
function underWay(reply: FastifyReply, time: number): AbortSignal {
  const ended = new AbortController();
  const deadline = setTimeout(() => ended.abort(), time);
  reply.raw.once('close', () => {
    clearTimeout(deadline);
    ended.abort();
  });
  return ended.signal;
}

/**
 * Refuses requests that a page got through by rebinding its own name to this address: such a request names the host of the
 * page. Pages of every https origin are welcome, because they must bring a token: no cookie counts here.
 *
 * @param hostnames the names of this service besides those of the loopback address
 */
function checkCaller({ headers: { host, origin } }: IncomingMessage, hostnames: readonly string[]): void {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? '';
  if (![...loopbackHosts, ...hostnames].includes(hostname)) throw new Refusal('foreign-host');
  if (origin !== undefined && !isTrustworthy(origin)) throw new Refusal('foreign-origin');
}

/** Only a potentially trustworthy origin has a page that nobody on the way can change (W3C Secure Contexts 3.1). */
function isTrustworthy(origin: string): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
}

/** The code of an error that the protocol leaves to the server (JSON-RPC 2.0, 5.1). */
const serverError = -32_000;

/** Renders a refusal as the client API does, with the same status and challenge, and with the body of a JSON-RPC error. */
function renderRefusal(context: RequestContext, refusal: Refusal): Answer {
  const { status, headers } = context.steps.renderError(context, refusal);
  const error = { code: serverError, message: refusal.detail, data: { requestId: context.requestId } };
  return {
    status,
    headers: { ...headers, ...readableByPages, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
  };
}

/** Lets pages of the allowed origins read the answer, with the headers that a client needs (Fetch, "CORS protocol"). */
const readableByPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, MCP-Protocol-Version',
};

/**
 * The issuers as the remote MCP server sees them. An OAuth token has one audience, the client API or this server (RFC 8707, RFC
 * 9068 4). So it accepts other tokens of the same issuers: those of our own authorization server for its resource, and those of
 * an identity provider as its row says.
 */
export function issuersOfMcp(issuers: readonly IssuerClient[], audience: string): readonly IssuerClient[] {
  return issuers.map((issuer) =>
    issuer.family === 'own' ? { ...issuer, audience } : { ...issuer, ...(issuer.mcp ?? nobody) },
  );
}

/** No client is allowed, so that the tokens of this issuer are recognised and refused. */
const nobody = { clients: { claim: 'azp', allowed: [] } };

/**
 * The remote MCP server over the store and issuers of the client API.
 *
 * @param audience its address, which is the audience of its tokens
 * @param hostnames the names of this host besides those of the loopback address
 */
export function mcpOptionsFrom(context: ServiceContext, audience: string, hostnames: readonly string[]): McpOptions {
  const protectedResource = {
    resource: audience,
    name: 'Remote MCP server',
    authorizationServers: context.protectedResource?.authorizationServers ?? [],
    scopes: mcpScopes,
    challengeScopes: mcpScopes,
  };
  return { context: { ...context, issuers: issuersOfMcp(context.issuers, audience), protectedResource }, hostnames };
}

/** In seconds. Most requests take milliseconds. */
const retryAfter = 1;

/** Counts a request as under way. Returns the function that ends it. Throws a `Refusal` when too many are under way. */
function limitConcurrency({ perToken, total }: { readonly perToken: number; readonly total: number }) {
  const underWay = new Map<string, number>();
  let all = 0;
  return (identity: string) => {
    const count = underWay.get(identity) ?? 0;
    if (count >= perToken) throw new Refusal('too-many-at-once', { retryAfter });
    if (all >= total) throw new Refusal('overloaded', { retryAfter });
    underWay.set(identity, count + 1);
    all += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      all -= 1;
      const left = (underWay.get(identity) ?? 1) - 1;
      if (left === 0) underWay.delete(identity);
      else underWay.set(identity, left);
    };
  };
}
