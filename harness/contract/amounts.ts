/** `20,000`. */
export function amount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 case`, `20,000 cases`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `an OKTA token`, `a USER token`, `a ONELOGIN token`. */
export function withArticle(noun: string): string {
  return `${/^(?!one)[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `a, b, c and 4 more`. */
export function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${amount(more)} more` : ''}`;
}

/** The first of many lines, and how many more there are: `and 1,204 more`. */
export function firstLines(lines: readonly string[], most: number): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${amount(more)} more`] : lines;
}
