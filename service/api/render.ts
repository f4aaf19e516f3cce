import { STATUS_CODES } from 'node:http';
import type { Refusal } from '../terms/refusal.ts';
import { metadataUrl, type ProtectedResource } from './protected-resource.ts';
import type { Answer, Call, RequestContext } from './steps.ts';

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
