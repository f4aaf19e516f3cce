import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../terms/refusal.ts';
import { metadataUrl, type ProtectedResource } from './protected-resource.ts';
import type { Answer, Call, RequestContext, ServiceContext } from './steps.ts';

// Every answer depends on the caller, so no cache may store it (RFC 9111 5.2.2.5).
const uncached = { 'cache-control': 'no-store' };

export function renderSuccess(_call: Call, result: object): Answer {
  return {
    status: 200,
    headers: { ...uncached, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(result),
  };
}

/** Renders problem details (RFC 9457). `detail` is exactly the message of spec 7, where there is one. */
export function renderError({ requestId, protectedResource }: RequestContext, refusal: Refusal): Answer {
  const { status, detail, allow, retryAfter } = refusal;
  const challenge = bearerChallenge(refusal, protectedResource);
  return {
    status,
    headers: {
      ...uncached,
      'content-type': 'application/problem+json',
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
      ...(allow !== undefined && { allow }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, requestId }),
  };
}

/** Builds the `WWW-Authenticate` value (RFC 6750 3) with a link to the resource's metadata (RFC 9728 5.1). */
function bearerChallenge(refusal: Refusal, resource: ProtectedResource | undefined): string | undefined {
  const { challenge, scope } = refusal;
  if (!challenge) return undefined;
  const parts = ['Bearer realm="client-api"'];
  if (challenge.error) parts.push(`error="${challenge.error}"`);
  const wanted = scope ?? (refusal.status === 401 ? resource?.challengeScopes?.join(' ') : undefined);
  if (wanted) parts.push(`scope="${wanted}"`);
  if (resource) parts.push(`resource_metadata="${metadataUrl(resource)}"`);
  return parts.join(', ');
}

/** Turns an error of Fastify into a refusal. Every other error is a fault of this service and becomes 500. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('invalid-body', { detail: 'The request body is not JSON.', cause: error });
    case 'ECONNRESET':
      return new Refusal('invalid-body', { detail: 'The request ended before its body was complete.', cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body-too-large', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('media-type', { cause: error });
    default:
      return new Refusal('internal', { cause: error });
  }
}

export function logRefusal({ log }: ServiceContext, request: FastifyRequest, refusal: Refusal): void {
  const fields = { requestId: request.id, reason: refusal.reason, status: refusal.status, err: refusal.cause };
  if (refusal.status >= 500) log.error(fields, 'failed');
  else log.info(fields, 'refused');
}
