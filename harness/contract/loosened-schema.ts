import { mapped } from './collections.ts';
import type { Schema } from './openapi-document.ts';

/** How deep a schema is read, and how many of its parts: a document may refer to itself in many places. */
const DEEPEST = 8;
const MOST_PARTS = 1000;

function depthOf(schema: Schema): number {
  let parts: readonly Schema[] = [schema];
  let count = 0;
  let depth = 0;
  for (; depth < DEEPEST && count + parts.length <= MOST_PARTS; depth += 1) {
    count += parts.length;
    parts = parts.flatMap((part) => {
      const { properties = {}, items, allOf = [], anyOf, oneOf = [] }: Schema = Object(part);
      return [Object.values(properties), items ?? [], allOf, anyOf ?? oneOf].flat();
    });
  }
  return depth;
}

/** What may be missing though it is required: what only answers have, or only requests (OpenAPI 3.1 4.8.24). */
type Absent = 'readOnly' | 'writeOnly';

/**
 * What a schema says of types and required fields. More fields and null are free; what only some validators read is left out.
 * @param absent by default what only requests have: most schemas describe an answer.
 */
export function loosened(schema: Schema, absent: Absent = 'writeOnly'): object {
  const within = (one: Schema, left: number, mayBeNull: boolean): object => {
    if (left === 0 || typeof one !== 'object' || one === null) return {};
    // They describe the same value as the schema around them, which says whether it may be null.
    const each = (many: readonly Schema[]) =>
      many.filter(({ type }) => String(type) !== 'null').map((part) => within(part, left - 1, false));
    const { properties, items, required, allOf } = one;
    const choices = each(one.anyOf ?? one.oneOf ?? []);
    const types = [one.type ?? []].flat().filter((type) => type !== 'null');
    const isThere = (name: string) => properties && name in properties && properties[name]?.[absent] !== true;
    const own = {
      ...(properties && { properties: mapped(properties, (part) => within(part, left - 1, true)) }),
      ...(required && properties && { required: required.filter(isThere) }),
      ...(items && { items: within(items, left - 1, true) }),
      ...(allOf && { allOf: each(allOf) }),
      ...(choices.length > 0 && { anyOf: choices }),
    };
    const typed = types.length === 1 ? { type: types[0], ...own } : types.length === 0 ? own : {};
    if (!mayBeNull || Object.keys(typed).length === 0) return typed;
    // What is said of fields and items is not said of null.
    const isSimple = 'type' in typed && !allOf && choices.length === 0;
    return isSimple ? { ...typed, type: [types[0], 'null'] } : { anyOf: [{ type: 'null' }, typed] };
  };
  return within(schema, depthOf(schema), false);
}
