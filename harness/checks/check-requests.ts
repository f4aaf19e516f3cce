import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { Settings } from '../settings/settings.ts';
import type { Call, Visit } from './check.ts';

type Lines = (readonly [name: string, value: string])[];

/** The request of a call; what it does not say is as in the kind's neutral case. */
export function callRequest({ contract, common }: RequestParts, call: Call): WireRequest {
  const { operation, credential, headers = [], method = operation.method, query = '' } = call;
  const body = 'body' in call ? call.body : operation.example;
  const authorization = call.authorization === undefined ? `Bearer ${credential?.token ?? ''}` : call.authorization;
  const lines: Lines = authorization === null ? [] : [[contract.matrix.headers.authorization.name, authorization]];
  lines.push(...headers, ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]), ...common);
  return {
    method,
    path: operation.path + query,
    headers: lines,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** A request as it is written, with `{base}` and `{common}` filled in. */
export function rawRequest(
  { baseUrl, extraHeaders }: Pick<Settings, 'baseUrl' | 'extraHeaders'>,
  { common }: RequestParts,
  text: string,
): string {
  const { host, pathname } = new URL(baseUrl);
  const lines = [['Host', host] as const, ...common, ...extraHeaders].map((line) => line.join(': '));
  // By function, since a `$` in a replacement text means something.
  return text.replaceAll('{base}', () => pathname.replace(/\/+$/, '')).replaceAll('{common}', () => lines.join('\r\n'));
}

/** A request to whichever server a target names. */
export function visitRequest({ common }: RequestParts, url: URL, sent: Visit | undefined): WireRequest {
  const type: Lines = sent ? [['Content-Type', sent.type]] : [];
  return {
    method: sent ? 'POST' : 'GET',
    path: url.pathname + url.search,
    headers: [...type, ...common],
    body: sent?.body,
  };
}
