import { parsedJson } from '../contract/json-value.ts';

/** The value of a JSON text, `TOO_DEEP` if it is nested too deeply, and undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  if (!/^["[{tfn\d-]/.test(text)) return undefined;
  return isTooDeep(text) ? TOO_DEEP : parsedJson(text);
}

/** Arrays and objects in each other. A megabyte of brackets takes long to parse, and is too deep for a recursive function. */
const DEEPEST = 500;
/** The value of a JSON text that is nested too deeply to be read. Its strings can be read. */
export const TOO_DEEP = Symbol('too deep');

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** The strings in a JSON text, at any depth, with or without those that are keys. */
export function stringsIn(json: string, which: 'values' | 'keys and values'): string[] {
  const strings: string[] = [];
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at + 1)) {
    const end = endOfString(json, at);
    if (which === 'keys and values' || !KEY.test(json.slice(end + 1, end + 20)))
      strings.push(unquoted(json.slice(at, end + 1)));
    at = end;
  }
  return strings;
}
const KEY = /^\s*:/;

function unquoted(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The index of the quote that ends the string which begins at `at`; the last index of the text if there is none. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) return end;
  }
  return text.length - 1;
}
const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 91, 93, 123, 125];
