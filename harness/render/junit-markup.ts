import { visible } from '../contract/visible-text.ts';
import { escapeMarkup } from './page/html.ts';

export function attributes(pairs: Readonly<Record<string, string | number>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${escapeMarkup(visible(String(value)))}"`)
    .join(' ');
}

/** Lines of text without markup, and without characters that XML does not allow. */
export function content(lines: readonly string[]): string {
  return lines.map((line) => escapeMarkup(visible(line))).join('\n');
}
