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

/** The first of many, and then what says how many more there are. */
export function firstShown<T>(all: readonly T[], most: number, rest: (more: number) => T): readonly T[] {
  const more = all.length - most;
  return more > 0 ? [...all.slice(0, most), rest(more)] : all;
}
