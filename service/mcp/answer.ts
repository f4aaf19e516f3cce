import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { metadataUrl } from '../api/protected-resource.ts';
import { present } from '../api/serve-operations.ts';
import type { Call } from '../api/steps.ts';
import { Refusal } from '../terms/refusal.ts';
import { createServer } from './tools.ts';

/** Lets the SDK answer one request. It keeps nothing between two of them. */
export async function answerOf(call: Call, request: FastifyRequest, underWay: AbortSignal): Promise<Response> {
  const person = present(call.person, 'person');
  const handler = createMcpHandler(() => createServer(call, person), {
    onerror: (err) => call.log.debug({ requestId: call.requestId, err }, 'a message of the protocol was refused'),
  });
  const answer = await handler.fetch(asWebRequest(request, underWay), { authInfo: authInfo(call) });
  if (underWay.aborted) throw new Refusal('too-slow', { retryAfter: 1 });
  return answer;
}

function asWebRequest({ headers, body, hostname, url }: FastifyRequest, signal: AbortSignal): Request {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
  );
  const bytes = body instanceof Buffer ? new Uint8Array(body) : null;
  return new Request(new URL(url, `http://${hostname}`), { method: 'POST', headers: lines, body: bytes, signal });
}

/** What the SDK needs for a challenge. The tools have the person, so nobody needs the token again. */
function authInfo({ credential, protectedResource }: Call): AuthInfo {
  return {
    token: '',
    clientId: '',
    scopes: [...(credential?.scopes ?? [])],
    ...(protectedResource && { resourceMetadataUrl: metadataUrl(protectedResource) }),
  };
}
