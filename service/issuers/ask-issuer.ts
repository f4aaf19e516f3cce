import { Refusal } from '../terms/refusal.ts';
import type { Issuer } from './issuers.ts';

export type Claims = Readonly<Record<string, unknown>>;

const timeoutMs = 5000;
const maxAnswerBytes = 256 * 1024;

/**
 * Sends a request to an issuer.
 *
 * @returns the JSON object of the answer; undefined when the issuer refuses the token with 400, 401 or 403
 * @throws Refusal `provider-unreachable` for every other answer, and when there is no answer
 */
export async function askIssuer(row: Issuer, url: URL, init: RequestInit = {}): Promise<Claims | undefined> {
  let status: number;
  let text: string | undefined;
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    status = response.status;
    text = await readText(response);
  } catch (cause) {
    throw new Refusal('provider-unreachable', { cause });
  }
  if ([400, 401, 403].includes(status)) return undefined;
  if (status < 200 || status > 299) throw unreachable(row, `${url} answers ${status}`);
  if (text === undefined) throw unreachable(row, `${url} answers with more than ${maxAnswerBytes} bytes`);
  const claims = parseObject(text);
  if (!claims) throw unreachable(row, `${url} does not answer a JSON object`);
  return claims;
}

/** Reads the address of an endpoint from the issuer's discovery document. */
export function endpoint(row: Issuer, name: string, value: unknown): URL {
  const url = issuerAddress(value);
  if (!url) throw unreachable(row, `the ${name} in its discovery document is not https, or http on this machine`);
  return url;
}

/** The refusal when an issuer gives no usable answer. The reason goes to the log only. */
export function unreachable(row: Issuer, why: string): Refusal {
  return new Refusal('provider-unreachable', { cause: new Error(`${row.name}: ${why}`) });
}

/** @returns undefined when the body is larger than the limit; the rest is not read */
async function readText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** @returns undefined for a text that is no JSON object */
export function parseObject(text: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Accepts an address of an issuer: https, or http on this machine. Over plain http to another host, an attacker on the way
 * could read the tokens or replace the keys (RFC 6750 5.3, RFC 8414 6.1).
 *
 * @returns undefined for everything else
 */
export function issuerAddress(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol === 'https:') return url;
  return url?.protocol === 'http:' && isLoopback(url.hostname) ? url : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
