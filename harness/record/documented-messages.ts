import leven from 'leven';
import type { Message } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';

/** The ids of the documented messages that are a whole line, and of those that are part of a longer line. */
export function findMessages(lines: readonly string[], messages: Readonly<Record<string, Message>>) {
  const whole: string[] = [];
  const embedded: string[] = [];
  const entries = Object.entries(messages);
  // A body can have hundreds of thousands of lines. Most are shorter than any message.
  const shortest = Math.min(...entries.map(([, { text }]) => text.length));
  const candidates = lines.filter(({ length }) => length >= shortest);
  for (const [id, { text }] of entries) {
    if (candidates.includes(text)) whole.push(id);
    else if (candidates.some((line) => line.includes(text))) embedded.push(id);
  }
  return { whole, embedded };
}

/** The line closest to a message; undefined if no line is close enough to be meant as that message. */
export function nearMiss(lines: readonly string[], wanted: string): string | undefined {
  let best: { line: string; distance: number } | undefined;
  for (const line of lines) {
    if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;
    const distance = leven(line.toLowerCase(), wanted.toLowerCase());
    if (!best || distance < best.distance) best = { line, distance };
  }
  return best && best.distance <= wanted.length / 4 ? best.line : undefined;
}

/** A parameter of a challenge: a name, and a token or a quoted string (RFC 9110 11.2). */
const PARAMETER = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/** What each `error_description` of a WWW-Authenticate header says (RFC 6750 3). */
export function errorDescriptions(challenge: string): readonly string[] {
  return [...challenge.matchAll(PARAMETER)].flatMap(([, name = '', quoted, token = '']) =>
    name.toLowerCase() === 'error_description' ? [quoted?.replace(/\\(.)/g, '$1') ?? token] : [],
  );
}

type Validate = NonNullable<Operation['success']['validate']>;

/** A body can differ from its schema in as many places as it has values. */
const MOST_ERRORS = 20;

/** How a body differs from its schema, and which lists it leaves out. */
interface Misfit {
  readonly errors: readonly string[];
  /** Required lists at the top that are not there. Many serializers leave an empty list out (outcomes 1). */
  readonly leftOut: readonly string[];
}

export function misfitOf(validate: Validate, json: unknown): Misfit {
  if (json === undefined) return { errors: ['the body is not JSON'], leftOut: [] };
  if (validate(json)) return { errors: [], leftOut: [] };
  const all = validate.errors ?? [];
  // A part that may be null instead fails twice more: the reader wants to know what is wrong with the part.
  const isNull = ({ keyword, params }: (typeof all)[number]) => keyword === 'type' && params['type'] === 'null';
  const nulls = all.filter(isNull).map(({ instancePath }) => instancePath);
  const errors = all.filter(
    (error) => !isNull(error) && !(error.keyword === 'anyOf' && nulls.includes(error.instancePath)),
  );
  const lists = Object.entries<{ readonly type?: unknown }>(Object(Object(validate.schema).properties));
  const leftOutBy = ({ instancePath, keyword, params }: (typeof errors)[number]): string[] =>
    instancePath === '' && keyword === 'required'
      ? lists.flatMap(([name, { type }]) => (type === 'array' && params['missingProperty'] === name ? [name] : []))
      : [];
  return {
    errors: errors
      .filter((error) => leftOutBy(error).length === 0)
      .slice(0, MOST_ERRORS)
      .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message ?? 'is invalid'}`),
    leftOut: errors.flatMap(leftOutBy),
  };
}

/**
 * Whether a body is the documented one of a success, or has it in a field. A refusal must not. A schema that takes the body of
 * an error too shows nothing.
 */
export function showsSuccess(validate: Validate | undefined, json: unknown): boolean {
  return validate !== undefined && [json, ...Object.values(Object(json))].some((part) => isOfSuccess(validate, part));
}

function isOfSuccess(validate: Validate, json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !validate(json)) return false;
  return Array.isArray(json) ? json.length > 0 && !validate([ERROR]) : !validate({}) && !validate(ERROR);
}
const ERROR = {
  error: 'no',
  message: 'no',
  code: 'no',
  title: 'no',
  type: 'no',
  detail: 'no',
  status: 400,
  errors: [],
};
