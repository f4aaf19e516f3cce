import type { FastifyRequest } from 'fastify';
import { Refusal } from '../terms/refusal.ts';
import type { ServiceContext } from './steps.ts';

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
