import { readBody } from './body-lines.ts';
import { parseJson } from './json-text.ts';
import type { Answer } from './observation.ts';

/** Fields in which an error says what is wrong, the most telling first (RFC 9457 3.1, RFC 6749 5.2). */
const TELLING = ['error_description', 'message', 'detail', 'title', 'error', 'reason', 'msg'];
const TITLE = /<title[^>]*>([^<]+)<\/title>/i;

/** What a refusal says in one line: the message of a JSON error, the title of a page, or the first line of a text. */
export function sentenceOf({ excerpt = '', form }: Answer): string | undefined {
  const text = excerpt.trim();
  const told =
    form === 'json' ? toldBy(parseJson(text)) : form === 'markup' ? TITLE.exec(text)?.[1]?.trim() : undefined;
  if (told !== undefined) return told;
  const body = readBody(text);
  // The excerpt of a long JSON text is cut, and is no JSON any more. Its beginning would say nothing.
  return form === 'json' && body.form !== 'json' ? undefined : body.lines[0];
}

function toldBy(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.split(/[\r\n]/)[0];
  if (Array.isArray(value)) return toldBy(value[0]);
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value));
  for (const name of TELLING) {
    const told = toldBy(fields.get(name));
    if (told !== undefined) return told;
  }
  return undefined;
}
