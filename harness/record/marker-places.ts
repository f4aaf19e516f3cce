import { unzipSync } from 'node:zlib';
import { lettersOf, SHORTEST_LETTERS } from '../settings/letters.ts';
import { isMarker } from '../settings/variables.ts';
import type { ReadBody } from './body-lines.ts';
import { parseJson, stringsIn } from './json-text.ts';
import { reversed } from './readings.ts';
import { digitsOf } from './secret-forms.ts';
import { unescaped } from './unpacked.ts';

export interface MarkerPlace {
  /** The variable that holds the marker. */
  readonly variable: string;
  /** A JSON pointer, `line 3 /text`, `the header X-Found`, or `the body` if no more is known. A key that may be a secret is `*`. */
  readonly at: string;
}

/** Places of one marker that are recorded. More of them show nothing new. */
const MOST_PLACES = 3;

/** What a target sent, as text. */
interface Sent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A text that an answer must not show, and what shows it. */
export interface Marker {
  readonly variable: string;
  /** The text as it is, and as JSON has it. */
  readonly spellings: readonly string[];
  /** What a text that is read (`asRead`) shows of it. */
  readonly forms: readonly string[];
}

export function markerOf(variable: string, text: string): Marker {
  // A token in another case is another one.
  const forms = isMarker(variable) ? formsOf(text) : [];
  return { variable, spellings: [...new Set([text, JSON.stringify(text).slice(1, -1)])], forms };
}

/** The places of every marker in the body and the headers, also where it is escaped. */
export function placesOf({ text, headers }: Sent, body: ReadBody, markers: readonly Marker[]): readonly MarkerPlace[] {
  if (markers.length === 0) return [];
  const texts = [
    text,
    Object.entries(headers).flat(2).join('\n'),
    unescapedText(text, body) ?? '',
    ...pieced(text, body),
  ];
  const places: MarkerPlace[] = [];
  let seen: string | undefined;
  for (const { variable, spellings, forms } of markers) {
    const isShown = (part: string) => spellings.some((spelling) => part.includes(spelling));
    const reads = (view: string) => forms.some((form) => view.includes(form));
    const shows = (part: string) => isShown(part) || (forms.length > 0 && reads(asRead(part)));
    if (!texts.some(isShown)) {
      if (forms.length === 0) continue;
      seen ??= asRead(texts.join('\n'));
      if (!reads(seen)) continue;
    }
    const inHeaders = Object.entries(headers).flatMap(([name, value]) => {
      if (shows(name)) return ['the name of a header'];
      return shows([value ?? []].flat().join('\n')) ? [`the header ${name}`] : [];
    });
    const at = [...placesInBody(text, body, shows), ...inHeaders];
    // A marker that is spread over lines of a header or over strings of the body is in the answer all the same.
    places.push(...(at.length > 0 ? at : ['the body']).slice(0, MOST_PLACES).map((one) => ({ variable, at: one })));
  }
  return places;
}

/** A text as its reader sees it, without escapes, tags and signs: a title may be in capitals, in an address, or in `<em>`. */
function asRead(text: string): string {
  const plain = unescaped(text).replace(TAGS, '');
  const signs = plain.replace(QUOTED_SIGNS, '');
  const views = [plain, ...(signs === plain ? [] : [signs]), ...decodedIn(plain)];
  return views.map(lettersOf).join(' ');
}
/** Signs in quoted-printable (RFC 2045 6.7). An equals sign before two digits may also be one. */
const QUOTED_SIGNS = /=(?:2[0-9A-F]|3[A-F]|40|5[B-F]|60|7[B-E])/g;

/** What a text has in base64, which may be compressed, in UTF-16 or encoded again: a framework keeps a state so in a cookie or a page. */
function decodedIn(text: string): readonly string[] {
  let [found, outer, left]: [string[], string[], number] = [[], [text], MOST_DECODED];
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const inner: string[] = [];
    for (const [run] of outer.flatMap((one) => [...one.matchAll(IN_BASE64)])) {
      if (left < 0) return found;
      const bytes = inflated(Buffer.from(run, 'base64'));
      left -= run.length + bytes.length;
      inner.push(bytes.toString().replaceAll('\0', ''));
    }
    found = found.concat(inner);
    outer = inner;
  }
  return found;
}
const MOST_LAYERS = 3;
/** Bytes. A target can make many more of a body that it compresses. */
const MOST_DECODED = 4 * 1024 * 1024;
/** Without a bound, a run of 8 MiB would need more room than a regular expression has. Four characters hold three bytes. */
const IN_BASE64 = /[A-Za-z0-9+/_-]{32,65536}/g;

/** The bytes without their compression, if they begin as gzip (RFC 1952 2.3.1) or zlib (RFC 1950 2.2) does. */
function inflated(bytes: Buffer): Buffer {
  const start = bytes.length > 1 ? bytes.readUInt16BE() : 0;
  if (start !== 0x1f8b && !(start >> 8 === 0x78 && start % 31 === 0)) return bytes;
  try {
    return unzipSync(bytes, { maxOutputLength: MOST_INFLATED });
  } catch {
    return bytes;
  }
}
const MOST_INFLATED = 1024 * 1024;

/**
 * What a text that is read so has of a marker: its letters, backwards too, its bytes in hexadecimal digits and as numbers, and
 * its base64, wherever these begin. The next page is often named by what was last on this one, in base64. None of a short one,
 * which may be an ordinary word.
 */
function formsOf(marker: string): readonly string[] {
  const letters = lettersOf(marker);
  if (letters.length < SHORTEST_LETTERS) return [];
  const bytes = Buffer.from(marker);
  const inBase64 = [0, 1, 2].map((before) => lettersOf(digitsOf([...bytes], before)[0]));
  return [letters, reversed(letters), bytes.toString('hex'), bytes.join(''), ...inBase64];
}
const TAGS = /<[^<>]{0,200}>/g;

/** Escapes of JSON and entities of markup can hide a marker, so the unescaped text is searched too. */
function unescapedText(text: string, body: ReadBody): string | undefined {
  if (body.form === 'json' && text.includes('\\')) return stringsIn(text, 'keys and values').join('\n');
  return /[\\&]/.test(text) ? body.lines.join('\n') : undefined;
}

/**
 * An answer that streams has a few letters in each event or line, and some have a text in fragments, so that no string shows a
 * marker as a whole. What stands at the same place of each, whatever its index, is one text.
 */
function pieced(text: string, { form, json }: ReadBody): readonly string[] {
  // Some streams have the kind of a part before it, as in `0:"a few letters"`.
  if (form === 'text') return LABELLED.test(text) ? [text.replaceAll(LABELS, '')] : [];
  const lines = form === 'events' || form === 'json-lines' ? text.split(/\r\n|\r|\n/) : [];
  const parts = form === 'events' ? lines.flatMap((line) => /^data: ?(.*)/.exec(line)?.[1] ?? []) : lines;
  const texts = new Map<string, string>();
  let lists = 0;
  /** @param at undefined outside of any list, where no place comes again. */
  const add = (value: unknown, at?: string): void => {
    if (typeof value === 'string') {
      if (at !== undefined) texts.set(at, (texts.get(at) ?? '') + value);
    } else if (Array.isArray(value)) {
      const within = at === undefined ? `${++lists}` : `${at}/`;
      for (const one of value) add(one, within);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(inner, at === undefined ? undefined : `${at}/${key}`);
  };
  if (form === 'json') add(json);
  for (const part of parts) {
    const value = parseJson(part.trim());
    // A part of a text can look like a number.
    add(typeof value === 'object' || typeof value === 'string' ? value : part, '');
  }
  return [...texts.values()];
}

const LABELLED = /^\w{1,2}:["[{]/;
const LABELS = /^\w{1,2}:/gm;

type Shows = (text: string) => boolean;

function placesInBody(text: string, { form, json }: ReadBody, shows: Shows): readonly string[] {
  if (form !== 'json') return placesInLines(text, shows);
  return pointersTo(json, shows).map((pointer) => pointer || 'the body');
}

/** Lines by their number from 1, with a pointer where the line is JSON, as in NDJSON or the data of an event. */
function placesInLines(text: string, shows: Shows): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const places: string[] = [];
  for (let at = 0; at < lines.length && places.length < MOST_PLACES; at += 1) {
    const line = lines[at]?.replace(/^data: ?/, '').trim() ?? '';
    const pointers = pointersTo(parseJson(line), shows);
    if (pointers.length > 0) places.push(...pointers.map((pointer) => `line ${at + 1} ${pointer}`.trim()));
    else if (shows(line)) places.push(`line ${at + 1}`);
  }
  return places;
}

/** JSON pointers to the strings and keys that show something; the empty one points to the whole value (RFC 6901 5). */
function pointersTo(value: unknown, shows: Shows, pointer = ''): readonly string[] {
  if (typeof value === 'string') return shows(value) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  const found: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (found.length >= MOST_PLACES) break;
    const at = `${pointer}/${Array.isArray(value) || SHOWN_KEY.test(key) ? key : '*'}`;
    found.push(...(shows(key) ? [at] : pointersTo(inner, shows, at)));
  }
  return found;
}

/** A key that a person wrote. One with digits, or a longer one, may be a secret (outcomes 6). */
const SHOWN_KEY = /^[A-Za-z][A-Za-z_-]{0,23}$/;
