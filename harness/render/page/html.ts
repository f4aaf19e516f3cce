import { visible } from '../../contract/visible-text.ts';

/** Markup. Only `html` and `raw` make it, so text cannot be taken for markup by accident. */
export interface Html {
  readonly markup: string;
}
export type Part = string | number | null | Html | readonly Part[];

/** A template. Values are escaped, except for markup. `null` adds nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((markup, text, index) => markup + render(parts[index - 1] ?? null) + text) };
}

/** Text in which the special characters of HTML and XML are escaped. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text that is markup already and comes from us: a stylesheet, a script, packed data. */
export function raw(markup: string): Html {
  return { markup };
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeMarkup(visible(part));
  return 'markup' in part ? part.markup : part.map(render).join('');
}
