/** More rows of one kind would not fit on one page of paper. statement.json has all of them. */
export const MOST_ROWS = 3;

/** Names that one row lists. */
const MOST_NAMES = 2;
/** The same in a row of what was decided, of which there are few. */
export const MOST_DECIDED = 6;

/** `a, b and 4 more`. */
export function firstOf(names: readonly string[], most: number = MOST_NAMES): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whole words from the beginning of a text that is too long for its row. No sentence of ours is. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const words = cut.replace(/\s+\S*$/, '');
  return `${words === '' ? cut : words} …`;
}
