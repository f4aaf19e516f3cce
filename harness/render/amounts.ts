/** `20,000`. */
export function amount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 case`, `20,000 cases`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
