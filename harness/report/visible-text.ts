/** Escapes control and formatting characters, so that the text of a target cannot control the terminal. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Escapes every character that is invisible or invalid in XML. */
export function visible(text: string): string {
  return clean(text).replace(/[\p{Cs}\uFFFE\uFFFF]/gu, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
}
