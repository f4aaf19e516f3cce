import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../terms/operations.ts';
import { checkOrder, passStages, present } from './pass-stages.ts';
import type { Answer, RequestContext, ServiceContext } from './steps.ts';

/**
 * Serves the operations of the client API. Every request passes the stages in the order of the policy.
 *
 * @throws when `steps.order` does not name every stage once
 */
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
