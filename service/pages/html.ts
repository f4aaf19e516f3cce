import { readFileSync } from 'node:fs';

/** Markup that only the `html` tag creates, so a text is never used as markup by accident. */
export interface Html {
  readonly markup: string;
}
/** `null` renders nothing. */
type Part = string | number | null | Html | readonly Part[];

/** A template that escapes its values, except markup. Values are safe in content and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((markup, text, index) => markup + render(parts[index - 1] ?? null) + text) };
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'markup' in part ? part.markup : part.map(render).join('');
}

const PARTS = ['palette', 'base', 'layout', 'controls', 'content', 'sign-in'];

/** The stylesheet of all pages, the console's and the authorization server's. */
export const style = PARTS.map((part) => readFileSync(new URL(`./assets/${part}.css`, import.meta.url), 'utf8')).join(
  '\n',
);
