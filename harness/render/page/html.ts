import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readOwn } from '../../contract/package-files.ts';
import { visible } from '../../contract/visible-text.ts';

/** Markup. Only `html` and `raw` make it, so text cannot be taken for markup by accident. */
export interface Html {
  readonly markup: string;
}
type Part = string | number | null | Html | readonly Part[];

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

/** The text of a file in assets/. */
export function asset(name: string): string {
  return readOwn(fileURLToPath(new URL(`./assets/${name}`, import.meta.url))).trim();
}

/** What the head of a page says. */
interface Head {
  readonly title: string;
  readonly style: string;
  /** Undefined for a page without a script. */
  readonly script?: string;
}

/** The beginning of a page that loads nothing, with everything before its body. */
export function renderHead({ title, style, script }: Head): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policyFor(style, script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
`;
}

/** The Content Security Policy of a page that loads nothing: text of a target cannot run even if it became markup. */
function policyFor(style: string, script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    ...(script === undefined ? [] : [`script-src '${digest(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
