import { Refusal } from '../terms/refusal.ts';
import { issuerAddress } from './issuer-address.ts';
import type { Issuer } from './issuers.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** How long an identity provider may take to answer, in milliseconds, and how much it may say, in bytes. */
const patience = 5000;
const longestAnswer = 256 * 1024;

/** The JSON object found there; undefined when the provider refuses the token; a refusal of our own otherwise. */
export async function askIssuer(row: Issuer, url: URL, init: RequestInit = {}): Promise<Claims | undefined> {
  let status: number;
  let text: string | undefined;
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patience) });
    status = response.status;
    text = await readText(response);
  } catch (cause) {
    throw new Refusal('provider-unreachable', { cause });
  }
  if ([400, 401, 403].includes(status)) return undefined;
  if (status < 200 || status > 299) throw unreachable(row, `${url} answers ${status}`);
  if (text === undefined) throw unreachable(row, `${url} answers with more than ${longestAnswer} bytes`);
  const claims = parseObject(text);
  if (!claims) throw unreachable(row, `${url} does not answer a JSON object`);
  return claims;
}

/** What a provider's document says of where one of its endpoints is. */
export function endpoint(row: Issuer, name: string, value: unknown): URL {
  const url = issuerAddress(value);
  if (!url) throw unreachable(row, `its discovery document names no ${name} with https, or with http on this machine`);
  return url;
}

/** The refusal for a provider that cannot be relied upon now; why is for the log only. */
export function unreachable(row: Issuer, why: string): Refusal {
  return new Refusal('provider-unreachable', { cause: new Error(`${row.name}: ${why}`) });
}

/** Undefined when there is more than the limit; the rest is not read. */
async function readText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > longestAnswer) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseObject(text: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
