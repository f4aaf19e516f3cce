import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, raw } from './html.ts';

/** The text of a file in assets/. */
export function asset(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8').trim();
}

/** What the head of a page says. */
export interface Head {
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

/**
 * The Content Security Policy of a page that loads nothing. It allows only this style and this script, so text of a target
 * cannot run even if it became markup.
 */
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
