/** A text with fewer letters and digits may be an ordinary word. */
export const SHORTEST_LETTERS = 8;

export const NOT_ASCII = /[^\0-\x7f]/;

/** Full-width, circled and other letters as those that they mean; without marks, fractions, and what is invisible. */
export function folded(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const digits = text.replace(/[\p{No}ªº]/gu, (one) => /^\d+$/.exec(one.normalize('NFKC'))?.[0] ?? '');
  return digits
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .normalize('NFKC');
}

/** Letters and digits without their case, and @, which tells an address from its domain. Everything else may separate. */
export function lettersOf(text: string): string {
  return (
    NOT_ASCII.test(text) ? folded(text).replace(NO_LETTERS, '') : text.replace(NO_ASCII_LETTERS, '')
  ).toLowerCase();
}
const NO_LETTERS = /[^\p{L}\p{Nd}@]+/gu;
const NO_ASCII_LETTERS = /[^A-Za-z0-9@]+/g;
