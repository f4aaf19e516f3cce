import type { Operation } from '../contract/openapi.ts';

type Validate = NonNullable<Operation['success']['validate']>;

/** A body can differ from its schema in as many places as it has values. */
const MOST_ERRORS = 20;

/** How a body differs from its schema, and which lists it leaves out. */
export interface Misfit {
  readonly errors: readonly string[];
  /** Required lists at the top that are not there. Many serializers leave an empty list out (outcomes 1). */
  readonly leftOut: readonly string[];
}

export function misfitOf(validate: Validate, json: unknown): Misfit {
  if (json === undefined) return { errors: ['the body is not JSON'], leftOut: [] };
  if (validate(json)) return { errors: [], leftOut: [] };
  const errors = validate.errors ?? [];
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
