import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The text of a file in assets/. */
export function asset(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8').trim();
}

/**
 * The Content Security Policy of a page that loads nothing. It allows only this style and this script, so text of a target
 * cannot run even if it became markup.
 * @param script undefined for a page without a script.
 */
export function policyFor(style: string, script?: string): string {
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
