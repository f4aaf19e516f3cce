import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../terms/operations.ts';
import { Refusal } from '../terms/refusal.ts';
import { identityOf } from './rate-limit.ts';
import { type Answer, type Call, type RequestContext, type ServiceContext, type Stage, stages } from './steps.ts';

/** Serves the client API. Every request passes the stages in order. @throws when `steps.order` does not name every stage once */
export function serveOperations(api: FastifyInstance, context: ServiceContext): void {
  const { steps, store } = context;
  checkOrder(steps.order);
  const split = steps.order.indexOf('validateBody');

  for (const operation of operations) {
    api.post(operation.path, {
      // These stages run before the body is read: an unauthorized caller cannot make the service read a large body.
      onRequest: async (request) => {
        const first = requestContext(context, request);
        await steps.admit(first);
        request.call = { ...first, operation, headers: steps.readHeaders(first) };
        await passStages(request.call, steps.order.slice(0, split));
      },
      handler: async (request, reply) => {
        const call = present(request.call, 'call');
        call.payload = request.body;
        await passStages(call, steps.order.slice(split));
        const credential = present(call.credential, 'credential');
        if (credential.family === 'service') await store.serviceTokens.recordUse(credential.token);
        const result = await steps[operation.id](call, present(call.person, 'person'), present(call.body, 'body'));
        return send(reply, steps.renderSuccess(call, result));
      },
    });
  }
}

export function requestContext(context: ServiceContext, request: FastifyRequest): RequestContext {
  return { ...context, requestId: request.id, request: request.raw };
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  // Fastify would add a charset to the content type of a string; it leaves the content type of bytes alone.
  return reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

/** Passes the call through these stages, in this order. A stage refuses it by throwing a `Refusal`. */
export async function passStages(call: Call, order: readonly Stage[]): Promise<void> {
  for (const stage of order) await pass(stage, call);
}

async function pass(stage: Stage, call: Call): Promise<void> {
  const { steps } = call;
  switch (stage) {
    case 'authenticate': {
      const token = steps.readBearer(call);
      call.credential = await steps.authenticate(call, token);
      // Only genuine tokens are counted: invented tokens must not fill the memory of the rate limit.
      const retryAfter = call.rateLimit?.(identityOf(call.credential));
      if (retryAfter !== undefined) throw new Refusal('too-many-requests', { retryAfter });
      return;
    }
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

/** @throws when a stage comes before the stage that it depends on */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) {
    throw new Error(`There is no ${what} yet. In steps.order, a stage comes before the stage that it depends on.`);
  }
  return value;
}

/** @throws when the order does not name every stage once */
function checkOrder(order: readonly Stage[]): void {
  const once = stages.every((stage) => order.filter((named) => named === stage).length === 1);
  if (once && order.length === stages.length) return;
  throw new Error(`steps.order must name each of these stages once: ${stages.join(', ')}. It is ${order.join(', ')}.`);
}
