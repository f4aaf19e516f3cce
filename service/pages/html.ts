/** Markup. Only the `html` tag makes it, so a text cannot be taken for markup by accident. */
export interface Html {
  readonly markup: string;
}
/** `null` shows nothing. */
export type Part = string | number | null | Html | readonly Part[];

/** A template whose values are shown as text, in content and between the quotes of an attribute, unless they are markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((markup, text, index) => markup + render(parts[index - 1] ?? null) + text) };
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'markup' in part ? part.markup : part.map(render).join('');
}
