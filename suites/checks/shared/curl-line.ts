import { withoutHistory } from '../../../harness/plan/curl.ts';

/** A header line. */
export type Line = readonly [name: string, value: string];
/** A request, independent of how it is written. */
interface Message {
  readonly method: string;
  readonly path: string;
  readonly lines: readonly Line[];
  /** Undefined for none. */
  readonly text: string | undefined;
}

/** The request as a curl line for bash. Headers are in double quotes, so that `$USER_TOKEN` is expanded. */
export function curlOf({ method, path, lines, text }: Message): string {
  const quoted = lines.map((line) => `-H "${withoutHistory(line.join(': ').replace(/[\\"`]/g, '\\$&'))}"`);
  const data = text === undefined ? [] : [`--data-raw $'${inAnsiQuotes(text)}'`];
  return [`curl -sS -i -X ${method} "$TARGET_BASE_URL${path}"`, ...quoted, ...data].join(' ');
}

/** A text as it stands between `$'` and `'`. */
export function inAnsiQuotes(text: string): string {
  return text.replace(/[\\']/g, '\\$&').replace(/\r/g, '\\r').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/** No metadata is longer, and a longer text takes long to parse. */
const MOST_CHARACTERS = 1024 * 1024;

/** The JSON object that a text is; undefined if it is none, or too long. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
