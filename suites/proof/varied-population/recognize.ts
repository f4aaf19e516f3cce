import { bodyField, type PlainRequest } from '../../../fixtures/plain/request.ts';
import { headerOf } from '../../../harness/contract/contract.ts';
import { contract } from '../../../harness/testing/contract.ts';
import type { Variation } from '../../variations/variation.ts';

/** Whether a request came with a variation, read as the plain target reads it: no code is shared with what wrote it. */
export function carries(request: PlainRequest, { kind, name, value, lines }: Variation): boolean {
  return has(request, kind, name, value) && lines.every(([line, text]) => has(request, 'header', line, text));
}

function has(request: PlainRequest, kind: Variation['kind'], name: string, value: unknown): boolean {
  const { method, path, query, headers, token } = request;
  const text = typeof value === 'string' ? value.replaceAll('{token}', token ?? '\0') : value;
  const isLine = (line: string, wanted: unknown) =>
    headers[line.toLowerCase()]?.includes(String(wanted).trim()) === true;
  switch (kind) {
    case 'header':
      return isLine(name, text);
    case 'auth-type':
      return isLine(headerOf(contract, 'auth-type').name, name);
    case 'authorization':
      return isLine('Authorization', text);
    case 'content-type':
      return value === 'json' && name !== '' && isLine('Content-Type', name);
    case 'cookie':
      return headers['cookie']?.some((line) => line.split('; ').includes(`${name}=${text}`)) === true;
    case 'parameter': {
      const written = String(text).replaceAll('%7Btoken%7D', encodeURIComponent(token ?? '\0'));
      return query.split('&').includes(written === '' ? name : `${name}=${written}`);
    }
    case 'field':
      return JSON.stringify(bodyField(request, name)) === JSON.stringify(text);
    case 'method':
      return method === name;
    case 'path':
      return value === `${path}${query === '' ? '' : `?${query}`}`;
    case 'transport':
      return TRANSPORTS[name]?.(request) === true;
    default:
      return false;
  }
}

/** Of the ways to carry a request, those that the plain target serves and can see. */
const TRANSPORTS: Readonly<Record<string, (request: PlainRequest) => boolean>> = {
  chunked: ({ headers }) => headers['transfer-encoding'] !== undefined && headers['trailer'] === undefined,
  'chunked-with-trailers': ({ headers }) => headers['trailer'] !== undefined,
  'header-names-mixed-case': ({ rawHeaders }) =>
    rawHeaders.includes('aUtHoRiZaTiOn') || rawHeaders.includes('cOnTeNt-tYpE'),
  'body-with-blanks': ({ body }) => body.startsWith('\r\n {'),
};
