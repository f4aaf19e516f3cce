/** Whether a text can be the value of a header: Latin-1, and no control character except the tab (RFC 9110 5.5). */
export function isHeaderValue(text: string): boolean {
  return !FORBIDDEN.test(text);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters.
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/;

/** Names such a character in a message, which must not show a value that may be secret. */
export const FORBIDDEN_CHARACTER = 'a line break or another character that a header cannot contain';
