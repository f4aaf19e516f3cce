/** Text that a target chose, as text only: no control or formatting character reaches the terminal. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Text that a target may have chosen, with every character that does not show itself written out. */
export function visible(text: string): string {
  return clean(text).replace(/[\p{Cs}\uFFFE\uFFFF]/gu, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
}
