import { visible } from '../../report/visible-text.ts';

/** Markup. Only the `html` tag makes it, so a text cannot be taken for markup by accident. */
export interface Html {
  readonly markup: string;
}
export type Part = string | number | null | Html | readonly Part[];

/** A template whose values are shown as text, unless they are markup made by this tag. `null` shows nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((markup, text, index) => markup + render(parts[index - 1] ?? null) + text) };
}

/** The characters that mean something to HTML and XML alike. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Markup that is ours already: a stylesheet, a script, a symbol. */
export function raw(markup: string): Html {
  return { markup };
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeMarkup(visible(part));
  return 'markup' in part ? part.markup : part.map(render).join('');
}
