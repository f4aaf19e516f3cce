import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { operations } from './operations.ts';
import { policy } from './policy.ts';
import { Refusal } from './refusal.ts';
import { type Answer, type Call, type Exchange, type Stage, type Surroundings, stages } from './steps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests to an operation, from the first hook on. */
    call: Call | null;
  }
}

export type AppOptions = Omit<Surroundings, 'steps'> & Partial<Pick<Surroundings, 'steps'>>;

/** The largest request body, in bytes. A query is a sentence, not a book. */
const bodyLimit = 256 * 1024;

/**
 * The client API over a store. Not listening: `app.routing` is the listener for a server, once `ready()`.
 *
 * @param options.steps the policy, or a copy of it with steps replaced
 * @throws when `steps.order` does not name every stage once
 */
export function createApp({ steps = policy, ...rest }: AppOptions): FastifyInstance {
  checkOrder(steps.order);
  const surroundings: Surroundings = { steps, ...rest };
  const app = fastify({
    bodyLimit,
    genReqId: () => randomUUID(),
    // A path that cannot be decoded leads nowhere, like any other that is not served.
    frameworkErrors: (_error, request, reply) =>
      send(reply, steps.renderError(exchange(surroundings, request), new Refusal('unknown-path'))),
  });
  // Spec 4: application/json is the one content type that is taken.
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('call', null);

  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error);
    log(surroundings, request, refusal);
    return send(reply, steps.renderError(request.call ?? exchange(surroundings, request), refusal));
  });
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw noRoute(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, call } = request;
    surroundings.log.info(
      {
        requestId: request.id,
        method,
        path: routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        token: call?.credential?.family === 'service' ? call.credential.token.id : call?.credential?.family,
        person: call?.person?.id,
      },
      'answered',
    );
  });
  app.register(async (api) => serveOperations(api, surroundings));
  return app;
}

function serveOperations(api: FastifyInstance, surroundings: Surroundings): void {
  const { steps, store } = surroundings;
  const split = steps.order.indexOf('validateBody');
  const run = async (call: Call, part: readonly Stage[]) => {
    for (const stage of part) await pass(stage, call);
  };

  for (const operation of operations) {
    api.post(operation.path, {
      // Before the body is read: nobody without a right to ask makes us read what they ask.
      onRequest: async (request) => {
        const first = exchange(surroundings, request);
        await steps.admit(first);
        request.call = { ...first, operation, headers: steps.readHeaders(first) };
        await run(request.call, steps.order.slice(0, split));
      },
      handler: async (request, reply) => {
        const call = present(request.call, 'call');
        call.payload = request.body;
        await run(call, steps.order.slice(split));
        const credential = present(call.credential, 'credential');
        if (credential.family === 'service') await store.serviceTokens.recordUse(credential.token);
        const result = await steps[operation.id](call, present(call.person, 'person'), present(call.body, 'body'));
        return send(reply, steps.renderSuccess(call, result));
      },
    });
  }
}

async function pass(stage: Stage, call: Call): Promise<void> {
  const { steps } = call;
  switch (stage) {
    case 'authenticate':
      call.credential = await steps.authenticate(call, steps.readBearer(call));
      return;
    case 'checkExpiry':
      return steps.checkExpiry(call, present(call.credential, 'credential'));
    case 'identify':
      call.person = await steps.identify(call, present(call.credential, 'credential'));
      return;
    case 'requireScope':
      return steps.requireScope(call, present(call.credential, 'credential'));
    case 'validateBody':
      call.body = steps.validateBody(call, call.payload);
      return;
  }
}

function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) {
    throw new Error(`There is no ${what} yet: steps.order puts a stage before the one it builds on.`);
  }
  return value;
}

function checkOrder(order: readonly Stage[]): void {
  const once = stages.every((stage) => order.filter((named) => named === stage).length === 1);
  if (once && order.length === stages.length) return;
  throw new Error(`steps.order must name each of ${stages.join(', ')} once; it is ${order.join(', ')}.`);
}

function exchange(surroundings: Surroundings, request: FastifyRequest): Exchange {
  return { ...surroundings, requestId: request.id, request: request.raw };
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  // As bytes, so that Fastify leaves the content type as the step wrote it.
  return reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

function noRoute({ method, url }: FastifyRequest): Refusal {
  const path = url.split('?')[0];
  if (!operations.some((operation) => operation.path === path)) return new Refusal('unknown-path');
  return new Refusal('other-method', { detail: `This path takes POST, not ${method}.`, allow: 'POST' });
}

/** What Fastify objects to, in our words; anything else that is no refusal is a fault of this service. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('invalid-body', { detail: 'The request body is not JSON.', cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body-too-large', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('media-type', { cause: error });
    default:
      return new Refusal('internal', { cause: error });
  }
}

function log(surroundings: Surroundings, request: FastifyRequest, refusal: Refusal): void {
  const fields = { requestId: request.id, reason: refusal.reason, status: refusal.status, err: refusal.cause };
  if (refusal.status >= 500) surroundings.log.error(fields, 'failed');
  else surroundings.log.info(fields, 'refused');
}
