import { parsedJson } from '../../../harness/contract/json-value.ts';

/** No metadata is longer, and a longer text takes long to parse. */
const MOST_CHARACTERS = 1024 * 1024;

type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object that a text is; undefined if it is none, or too long. */
export function objectIn(text: string): JsonObject | undefined {
  return text.trimStart().startsWith('[') ? undefined : objectsIn(text)[0];
}

/** The JSON object that a text is, or those of an array. None if it is too long. */
export function objectsIn(text: string): readonly JsonObject[] {
  if (text.length > MOST_CHARACTERS) return [];
  return [parsedJson(text)]
    .flat()
    .flatMap((json) => (typeof json === 'object' && json !== null && !Array.isArray(json) ? [{ ...json }] : []));
}
