import { createHash } from 'node:crypto';
import type { Message } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { type BodyForm, findMessages, type ReadBody, readBody } from './documented-messages.ts';
import type { Redactor } from './redact.ts';

/** What came over the wire, before anything is left out. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body was longer, or slower, than what is read of one. */
  readonly truncated: boolean;
}
/** What is recorded of an answer: everything that a judgement needs, and no secret. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string | undefined;
  readonly form: BodyForm;
  /** Ids of documented messages that stand as a whole line, or inside a longer one. Refusals only. */
  readonly whole: readonly string[];
  readonly embedded: readonly string[];
  /** Of a refusal: up to 2 KiB of its text, redacted. */
  readonly excerpt?: string;
  /** Of a 2xx: keys, types and lengths, never values. */
  readonly skeleton?: string;
  /** Of a 2xx with a documented body: how it differs; empty when it does not. */
  readonly schemaErrors?: readonly string[];
  readonly digest?: string;
  readonly challenge?: string;
  readonly retryAfter?: string;
  readonly truncated?: true;
  /** Variables whose private marker stands somewhere in the answer. */
  readonly markers?: readonly string[];
}
/** `no-tls`: what answers does not speak TLS. `locked-out`: a refusal that was taken back (lockout.ts). */
const FAILURE_KINDS = ['refused', 'reset', 'timeout', 'tls', 'no-tls', 'protocol', 'locked-out', 'other'] as const;
export interface Failure {
  readonly kind: 'failure';
  readonly failure: (typeof FAILURE_KINDS)[number];
  readonly detail: string;
}
export type Observation = Answer | Failure;

export interface Observer {
  readonly messages: Readonly<Record<string, Message>>;
  readonly redactor: Redactor;
  /** Private markers by their variable. */
  readonly markers: ReadonlyMap<string, string>;
}

const EXCERPT = 2048;
const HEADER = 300;

/** Turns an answer into what is recorded of it. */
export function observe(
  { messages, redactor, markers }: Observer,
  raw: RawAnswer,
  operation: Operation | undefined,
): Answer {
  const { status, headers, text } = raw;
  const accepted = isSuccess(status);
  const body = readBody(text);
  const { whole, embedded } = accepted ? NO_MESSAGES : findMessages(body.lines, messages);
  const seen = markersIn(raw, body, markers);
  const type = one(headers['content-type']);
  const challenge = one(headers['www-authenticate']);
  const retryAfter = one(headers['retry-after']);
  return {
    kind: 'answer',
    status,
    contentType: type === undefined ? undefined : redactor.text(type).slice(0, HEADER),
    form: body.form,
    whole,
    embedded,
    ...(accepted
      ? { skeleton: skeletonOf(body, text.length, redactor), digest: digestOf(text) }
      : { excerpt: excerptOf(text, redactor) }),
    // Half a body is no evidence against its form.
    ...(accepted &&
      !raw.truncated &&
      operation?.success.validate && {
        schemaErrors: schemaErrors(operation.success.validate, body.json).map((error) => redactor.text(error)),
      }),
    ...(challenge !== undefined && { challenge: redactor.text(challenge).slice(0, HEADER) }),
    ...(retryAfter !== undefined && { retryAfter: redactor.text(retryAfter).slice(0, 60) }),
    ...(raw.truncated && { truncated: true as const }),
    ...(seen.length > 0 && { markers: seen }),
  };
}

/** Why an answer or its absence is the network's or a gateway's and not the application's; undefined when it is not. */
export function transportReason(observation: Observation): string | undefined {
  if (observation.kind === 'failure') return observation.detail;
  const { status } = observation;
  const gateway = [408, 425, 429, 502, 503, 504].includes(status) || (status >= 520 && status <= 529);
  return gateway ? `status ${status}` : undefined;
}

export function isAccepted(observation: Observation): boolean {
  return observation.kind === 'answer' && isSuccess(observation.status);
}

/** A 2xx (RFC 9110 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

const NO_MESSAGES = { whole: [], embedded: [] };

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}

function schemaErrors(validate: NonNullable<Operation['success']['validate']>, json: unknown): string[] {
  if (json === undefined) return ['the body is not JSON'];
  if (validate(json)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the body'} ${message ?? 'is wrong'}`,
  );
}

/** The first level of a JSON body as types and lengths; of another body, its form and length. */
function skeletonOf({ json, form }: ReadBody, length: number, redactor: Redactor): string {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return `${form} of ${length} characters`;
  const fields = Object.entries(json).slice(0, 20);
  return `{ ${fields.map(([key, value]) => `${redactor.text(key).slice(0, 40)}: ${typeOf(value)}`).join(', ')} }`;
}

/** Redacted before it is cut: half a secret at the cut would not be known for one. */
function excerptOf(text: string, redactor: Redactor): string {
  return redactor.text(text.slice(0, 8 * EXCERPT)).slice(0, EXCERPT);
}

/** Variables whose marker stands in the body, also in another spelling of it, or in a header. */
function markersIn({ text, headers }: RawAnswer, body: ReadBody, markers: Observer['markers']): readonly string[] {
  if (markers.size === 0) return [];
  const places = [text, Object.values(headers).flat().join('\n')];
  // JSON escapes and entities: read, and written again without what need not be escaped.
  if (body.json !== undefined && text.includes('\\')) places.push(JSON.stringify(body.json));
  if (body.form === 'markup' && text.includes('&')) places.push(body.lines.join('\n'));
  const seen: string[] = [];
  for (const [name, marker] of markers) {
    const spellings = [...new Set([marker, JSON.stringify(marker).slice(1, -1)])];
    if (places.some((place) => spellings.some((spelling) => place.includes(spelling)))) seen.push(name);
  }
  return seen;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `array(${value.length})`;
  if (value === null) return 'null';
  return typeof value === 'string' ? `string(${value.length})` : typeof value;
}

export function isAnswer(observation: Observation): observation is Answer {
  return observation.kind === 'answer';
}
