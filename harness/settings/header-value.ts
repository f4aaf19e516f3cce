/** Whether a text can stand in a header line: no control characters but the tab, nothing beyond Latin-1 (RFC 9110 5.5). */
export function isHeaderValue(text: string): boolean {
  return !FORBIDDEN.test(text);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/;

/** What a value holds that is none, for a message that must not show it. */
export const FORBIDDEN_WORDS = 'a line break or another character that no header may hold';
