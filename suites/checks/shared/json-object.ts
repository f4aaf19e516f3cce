import { parsedJson } from '../../../harness/contract/json-value.ts';

/** No metadata is longer, and a longer text takes long to parse. */
const MOST_CHARACTERS = 1024 * 1024;

/** The JSON object that a text is; undefined if it is none, or too long. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const json = parsedJson(text);
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
}
