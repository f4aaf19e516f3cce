import { createHash } from 'node:crypto';
import type { Message } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Credential } from '../plan/credentials.ts';
import { type BodyForm, type ReadBody, readBody } from './body-lines.ts';
import { errorDescriptions, findMessages, misfitOf, showsSuccess } from './documented-messages.ts';
import { type Marker, type MarkerPlace, markerOf, placesOf } from './marker-places.ts';
import type { Redactor } from './redact.ts';
import { conversationIn } from './shown-name.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Whether the body was cut because it was too long or took too long. */
  readonly truncated: boolean;
}
/** What is recorded of an answer: everything that judging needs, and no secret. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string | undefined;
  readonly form: BodyForm;
  /** Ids of the documented messages that are a whole line. Empty for a 2xx. */
  readonly whole: readonly string[];
  /** Ids of the documented messages that are part of a longer line. Empty for a 2xx. */
  readonly embedded: readonly string[];
  /** Of a refusal: up to 2 KiB of its text, redacted. */
  readonly excerpt?: string;
  /** Of a refusal: its body is the documented one of a success. */
  readonly showsSuccess?: true;
  /** Of a 2xx: documented keys, types and lengths, never values, and no other key, because it may be a secret. */
  readonly skeleton?: string;
  /** Of a 2xx with a documented body: how it differs from the schema; empty if it does not. */
  readonly schemaErrors?: readonly string[];
  /** Of a 2xx with a documented body: the required lists that it leaves out, as if they were empty. */
  readonly leftOut?: readonly string[];
  /** Of a 2xx: a short hash of the body. */
  readonly digest?: string;
  /** Of a 2xx to a chat: how it names its conversation. */
  readonly conversation?: string;
  /** The WWW-Authenticate header. */
  readonly challenge?: string;
  readonly retryAfter?: string;
  /** The clock of the target, by which it says when to come again. */
  readonly date?: string;
  /** Other headers that help to understand the answer, by their usual name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly truncated?: true;
  /** Variables whose private marker occurs in the answer, or whose token, which the request did not carry. */
  readonly markers?: readonly string[];
  readonly repeatsToken?: true;
  /** Where these markers and the token are. */
  readonly places?: readonly MarkerPlace[];
}
export interface Failure {
  readonly kind: 'failure';
  /** `no-tls`: the server does not speak TLS. Two are refusals that prove nothing: lockout.ts, outlived.ts. */
  readonly failure: 'refused' | 'reset' | 'timeout' | 'tls' | 'no-tls' | 'protocol' | 'other' | 'locked-out' | 'ended';
  readonly detail: string;
}
export type Observation = Answer | Failure;

/** The statuses with which a target refuses a bad token. A bad token does not excuse any other status. */
const TOKEN_REFUSALS: readonly number[] = [400, 401, 403];

export function isTokenRefusal(observation: Observation): boolean {
  return observation.kind === 'answer' && TOKEN_REFUSALS.includes(observation.status);
}

export interface Observer {
  readonly messages: Readonly<Record<string, Message>>;
  readonly redactor: Redactor;
  readonly markers: readonly Marker[];
}

/** Limits in characters. */
const MAX_EXCERPT = 2048;
/** The same after many long texts that are never alike, because each takes as long to read as fifty others. */
const SHORT_EXCERPT = 128;
const MAX_HEADER = 300;
const MAX_RETRY_AFTER = 60;
/** Redacting shortens a text, so that more of it is read than is kept. */
const READ_AHEAD = 2;
export const SHORTEST_TOKEN = 8; // A shorter one may be an ordinary word.

/** Turns an answer into what is recorded of it. @param operation undefined for a request that is not to an operation. */
export function observe(...given: Parameters<typeof observed>): Answer {
  return given[0].redactor.together(() => observed(...given));
}

type Sent = Pick<Credential, 'variable' | 'token'>;
function observed(observer: Observer, raw: RawAnswer, operation: Operation | undefined, sent?: Sent): Answer {
  const { messages, redactor, markers } = observer;
  const { status, headers, text } = raw;
  const accepted = isSuccess(status);
  const body = readBody(text);
  const isLong = sent !== undefined && sent.token.length >= SHORTEST_TOKEN;
  const places = placesOf(raw, body, isLong ? [...markers, markerOf(sent.variable, sent.token)] : markers);
  const shows = (variable: string) => places.some((place) => place.variable === variable);
  const seen = markers.flatMap(({ variable }) => (shows(variable) ? [variable] : []));
  const shown = shownHeaders(raw, redactor);
  const type = joined(headers['content-type']);
  const challenge = joined(headers['www-authenticate']);
  // Where there is no body, its place is the challenge (RFC 6750 3).
  const lines = status === 401 && body.form === 'empty' ? errorDescriptions(challenge ?? '') : body.lines;
  const { whole, embedded } = accepted ? { whole: [], embedded: [] } : findMessages(lines, messages);
  const retryAfter = joined(headers['retry-after']);
  const conversation = accepted && operation?.isSlow ? conversationIn(redactor, text, body.json) : undefined;
  const answer: { -readonly [part in keyof Answer]: Answer[part] } = {
    kind: 'answer',
    status,
    contentType: type === undefined ? undefined : shownPart(type, MAX_HEADER, redactor),
    form: body.form,
    whole,
    embedded,
  };
  if (accepted) {
    answer.skeleton = skeletonOf(body, text.length, operation);
    answer.digest = digestOf(text);
  } else answer.excerpt = shownPart(text, redactor.hasReadMuch ? SHORT_EXCERPT : MAX_EXCERPT, redactor);
  if (!accepted && showsSuccess(operation?.success.validate, body.json)) answer.showsSuccess = true;
  // A body that is not read to its end, or is nested too deeply, cannot show whether it fits the schema.
  const isUnread = raw.truncated || (accepted && body.form === 'json' && body.json === undefined);
  if (accepted && !isUnread && operation?.success.validate && !operation.success.others.includes(status)) {
    const { errors, leftOut } = misfitOf(operation.success.validate, body.json);
    answer.schemaErrors = errors.map((error) => redactor.text(error));
    if (leftOut.length > 0) answer.leftOut = leftOut;
  }
  if (conversation !== undefined) answer.conversation = conversation;
  if (challenge !== undefined) answer.challenge = shownPart(challenge, MAX_HEADER, redactor);
  if (retryAfter !== undefined) {
    answer.retryAfter = shownPart(retryAfter, MAX_RETRY_AFTER, redactor);
    const date = joined(headers['date']);
    if (date !== undefined) answer.date = shownPart(date, MAX_RETRY_AFTER, redactor);
  }
  if (shown) answer.headers = shown;
  if (isUnread) answer.truncated = true;
  if (seen.length > 0) answer.markers = seen;
  if (isLong && shows(sent.variable)) answer.repeatsToken = true;
  if (places.length > 0) answer.places = places.map(({ variable, at }) => ({ variable, at: redactor.text(at) }));
  return answer;
}

/** Why an observation is of the network or a gateway (outcomes 3); undefined if it is an answer of the application. */
export function transportReason(observation: Observation): string | undefined {
  if (observation.kind === 'failure') return observation.detail;
  const { status } = observation;
  const gateway = [408, 423, 425, 429, 502, 503, 504].includes(status) || (status >= 520 && status <= 529);
  return gateway ? `status ${status}` : undefined;
}

/** Why an observation is no answer of the application, and what to look at. */
export function lossInWords(observation: Observation): string {
  const reason = transportReason(observation) ?? '';
  const isReset = observation.kind === 'failure' && observation.failure === 'reset';
  return isReset ? `${reason}: something closes the connection, such as a firewall in front of the target` : reason;
}

export function isAccepted(observation: Observation | undefined): boolean {
  return observation?.kind === 'answer' && isSuccess(observation.status);
}

/** A 2xx (RFC 9110 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** 501 and 505 are legal answers: they say what the server does not support (RFC 9110 15.6.2 and 15.6.6). */
export function isServerError(status: number): boolean {
  return status >= 500 && status <= 599 && status !== 501 && status !== 505;
}

/** Headers that tell who answered, what a client or cache is to do with it, and why a body could not be read. */
const SHOWN_HEADERS = ['Allow', 'Cache-Control', 'Content-Encoding', 'Location', 'Server', 'Via'];

function shownHeaders({ headers, truncated }: RawAnswer, redactor: Redactor): Answer['headers'] {
  let shown: Record<string, string> | undefined;
  for (const name of SHOWN_HEADERS) {
    const value = joined(headers[name.toLowerCase()]);
    if (value !== undefined && (truncated || name !== 'Content-Encoding'))
      shown = { ...shown, [name]: shownPart(value, MAX_HEADER, redactor) };
  }
  return shown;
}

/** The lines of a header as one (RFC 9110 5.3). */
function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}

/**
 * The documented keys of a JSON object with types and lengths, and the number of other keys with a mark that differs where
 * their names or types differ; of any other body, its form. A name that the target chose may be a secret.
 */
function skeletonOf({ json, form }: ReadBody, length: number, operation: Operation | undefined): string {
  if (form === 'empty') return form;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return `${form} of ${length} character${length === 1 ? '' : 's'}`;
  const values = new Map(documentedKeys(operation).flatMap((key) => (key in json ? [[key, Object(json)[key]]] : [])));
  const keys = Object.keys(json);
  const others = keys.length - [...values.keys()].filter((key) => Object.hasOwn(json, key)).length;
  const parts = [...values].map(([key, value]) => `${key}: ${typeOf(value)}`);
  if (others > MOST_KEYS) parts.push(`${others} undocumented (many)`);
  else if (others > 0) {
    const undocumented = keys.filter((key) => !values.has(key));
    parts.push(`${others} undocumented (${markOf(undocumented, Object(json))})`);
  }
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** More keys than an answer has. They take too long to be compared and sorted. */
const MOST_KEYS = 1000;

/** Four letters, without digits: the length of a value changes nothing. */
function markOf(keys: readonly string[], values: Readonly<Record<string, unknown>>): string {
  const types = keys.map((key) => `${key} ${Array.isArray(values[key]) ? 'array' : typeof values[key]}`).sort();
  const bytes = createHash('sha256').update(types.join('\n')).digest().subarray(0, 4);
  return Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join('');
}

function documentedKeys(operation: Operation | undefined): readonly string[] {
  const { properties } = Object(operation?.success.validate?.schema);
  return Object.keys(Object(properties));
}

/** Cuts after redacting: the redactor would not recognize a secret that is cut in half. */
function shownPart(text: string, length: number, redactor: Redactor): string {
  return copyOf(redactor.text(copyOf(text.slice(0, READ_AHEAD * length))).slice(0, length));
}

/** A part of a text keeps the whole in memory (V8), up to a mebibyte for each of twenty thousand answers. A copy does not. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `array(${value.length})`;
  if (value === null) return 'null';
  return typeof value === 'string' ? `string(${value.length})` : typeof value;
}

export function isAnswer(observation: Observation): observation is Answer {
  return observation.kind === 'answer';
}
