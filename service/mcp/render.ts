import type { Answer, RequestContext } from '../api/steps.ts';
import type { Refusal } from '../terms/refusal.ts';
import { readableByPages } from './cors.ts';

/** The code of an error that the protocol leaves to the server (JSON-RPC 2.0, 5.1). */
const serverError = -32_000;

/** Renders a refusal as the client API does, with the same status and challenge, and with the body of a JSON-RPC error. */
export function renderRefusal(context: RequestContext, refusal: Refusal): Answer {
  const { status, headers } = context.steps.renderError(context, refusal);
  const error = { code: serverError, message: refusal.detail, data: { requestId: context.requestId } };
  return {
    status,
    headers: { ...headers, ...readableByPages, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
  };
}
