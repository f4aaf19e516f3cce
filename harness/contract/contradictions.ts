import { didYouMean } from './configuration-error.ts';
import { stepsOf } from './json-value.ts';
import { loosened } from './loosened-schema.ts';
import type { Parameter, Schema } from './openapi-document.ts';
import { explain, tellingErrors } from './schema-errors.ts';
import { documentAjv } from './validator.ts';

/*
 * What a contract says against its own OpenAPI document. A right server would refuse such a request, or show nobody, and be
 * blamed for it. Undefined if nothing contradicts.
 */

/** What is wrong with the value of a parameter in a path. Every value is a text there. */
export function valueProblem({ name = '', schema }: Parameter, value: unknown): string | undefined {
  const { type, format, enum: all, pattern, minLength, maxLength, minimum, maximum }: Schema = Object(schema);
  const own = { type, format, enum: all, pattern, minLength, maxLength, minimum, maximum };
  return problemOf({ properties: { [name]: JSON.parse(JSON.stringify(own)) } }, { [name]: value }, true);
}

/** What is wrong with a body. What only answers have may be missing. */
export function bodyProblem(schema: Schema | undefined, body: unknown): string | undefined {
  return schema && problemOf({ properties: { body: loosened(schema, 'readOnly') } }, { body });
}

/** Why a JSON pointer leads nowhere in what a schema describes. Where it lists no fields, or allows more, nobody knows. */
export function pointerProblem(schema: Schema | undefined, pointer: string): string | undefined {
  let parts = alternativesOf(schema);
  for (const step of stepsOf(pointer)) {
    const known = parts.flatMap(({ properties = {} }) => Object.keys(properties));
    const scalar = parts.find(({ type }) => typeof type === 'string' && !['object', 'array'].includes(type));
    if (scalar)
      return `the answer that the document describes has no field ${step}: what stands there is ${scalar.type}`;
    const isOpen = parts.some(
      ({ properties, items, additionalProperties: more }) =>
        !(properties || items) || (more !== undefined && more !== false),
    );
    if (isOpen) return undefined;
    if (!known.includes(step) && !parts.some(({ items }) => items && /^\d+$/.test(step)))
      return `the answer that the document describes has no field ${step}${didYouMean(step, known) || (known.length > 0 ? `; it has ${known.join(', ')}` : '')}`;
    const inner = parts.flatMap(({ properties = {}, items }) => properties[step] ?? items ?? []);
    parts = inner.flatMap((part) => alternativesOf(part));
  }
  return undefined;
}

/** The schemas that describe one value together, or of which one does. A document may refer to itself. */
function alternativesOf(schema: Schema | undefined, left = DEEPEST): readonly Schema[] {
  const { allOf = [], anyOf = [], oneOf = [], ...own }: Schema = Object(schema);
  const others = [...allOf, ...anyOf, ...oneOf].filter(({ type }) => String(type) !== 'null');
  if (left === 0 || others.length === 0) return [own];
  return [...(own.properties ? [own] : []), ...others.flatMap((one) => alternativesOf(one, left - 1))];
}
const DEEPEST = 8;

/** What the validator cannot read of a schema contradicts nothing. */
function problemOf(schema: object, value: object, isText = false): string | undefined {
  const ajv = documentAjv({ strict: false, logger: false, verbose: true, coerceTypes: isText });
  try {
    ajv.validate(schema, value);
  } catch {
    return undefined;
  }
  const errors = tellingErrors(ajv.errors ?? []).map((error) =>
    explain({ ...error, instancePath: error.instancePath.slice(1).replaceAll('/', '.') }),
  );
  return errors.join('; ') || undefined;
}
