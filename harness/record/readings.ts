import { folded, lettersOf, NOT_ASCII } from '../settings/letters.ts';
import { tokenize } from './body-lines.ts';
import { isEscaped, SHORTEST, unescaped, unpacked } from './unpacked.ts';

/** Layers of encoding that are taken off one after the other. */
const MOST_LAYERS = 3;
/** Characters of all readings together, besides a multiple of the text. */
const [LEAST_READ, MOST_TIMES] = [65_536, 12];

/**
 * Ways in which somebody may read a text, the simplest first: as it is, and layer by layer without its escapes and markup,
 * decoded, without separators, without the names of its parts, and backwards. An ordinary text has few, and of a text that has
 * very many the last ones are not read.
 */
export function* readingsOf(text: string): Generator<string> {
  const seen = new Set<string>();
  let left = LEAST_READ + MOST_TIMES * text.length;
  let layer = [text];
  for (let depth = 0; depth < MOST_LAYERS; depth += 1) {
    const next: string[] = [];
    for (const outer of layer)
      for (const { reading, isDecoded } of readingsIn(outer)) {
        // A text without anything to decode is read once, whatever separates its letters.
        const key = isEncoded(reading) || NOT_ASCII.test(reading) ? reading : lettersOf(reading);
        if (reading.length < SHORTEST || seen.has(key)) continue;
        seen.add(key);
        left -= reading.length;
        if (left < 0) return;
        yield reading;
        if (isDecoded) next.push(reading);
      }
    layer = next;
  }
}

/** A text without what separates its parts, and what is below the outermost layer of it. */
function* readingsIn(text: string): Generator<{ readonly reading: string; readonly isDecoded: boolean }> {
  const begins = new Set<string>();
  for (const source of new Set([text, withoutCounts(text)])) {
    const regular = withoutColumns(source);
    const values = source.replace(NAMES, '');
    for (const begin of [source, regular, values, regular.replace(NAMES, ''), withoutColumns(values)])
      begins.add(begin);
  }
  for (const begin of [...begins]) begins.add(begin.replace(ELEMENTS, ''));
  for (const begin of begins) yield { reading: begin, isDecoded: false };
  for (const reading of unpacked(rotated(text))) yield { reading, isDecoded: true };
  for (const begin of begins) {
    for (const reading of decoded(begin)) yield { reading, isDecoded: true };
    // Words and numbers are no pieces of something encoded.
    if ((begin.match(FRAGMENT)?.length ?? 0) < LEAST_FRAGMENTS) continue;
    const joined = begin.replace(PERIODIC, joinedAgain);
    for (const packed of new Set([joined, joined.replace(SEPARATORS, '')]))
      if (packed !== begin) for (const reading of decoded(packed)) yield { reading, isDecoded: true };
  }
}
/** A short piece that is no word, and how many of them hold twelve characters in base64. */
const FRAGMENT = /(?<![A-Za-z0-9])(?:[A-Za-z0-9]|(?![A-Z]?[a-z]+\b)[A-Za-z0-9]{2,7})(?![A-Za-z0-9])/g;
const LEAST_FRAGMENTS = 5;

function* decoded(text: string): Generator<string> {
  yield* unpacked(text);
  const isAscii = !NOT_ASCII.test(text);
  if (!isAscii) yield* hiddenIn(text);
  const folds = isAscii ? text : folded(text);
  if (folds !== text || isEncoded(text)) yield withoutMarkup(unescaped(folds));
  // Other signs than these show letters as they are, so that pieces of the secret are found backwards too.
  if ((folds.match(SIGNS)?.length ?? 0) < LEAST_SIGNS) return;
  const backwards = reversed(folds);
  if (isEncoded(backwards)) yield text.includes('</') ? unescaped(backwards) : withoutMarkup(unescaped(backwards));
  const other = rotated(folds);
  if (isEscaped(other)) yield unescaped(other);
}

function* hiddenIn(text: string): Generator<string> {
  const hidden = text.match(HIDDEN);
  if (hidden) yield hidden.map(hiddenLetter).join('');
  if ((text.match(WIDE)?.length ?? 0) < SHORTEST) return;
  const bytes = Buffer.from(text, 'utf16le');
  yield [bytes.toString('latin1'), bytes.swap16().toString('latin1')].join(' ').replace(/[^ -~]+/g, ' ');
}
/** Tags (U+E0020 to U+E007E) and variation selectors (U+E0110 to U+E016E), which no screen shows: each stands for a letter or byte. */
const HIDDEN = /\udb40[\udc20-\udc7e\udd10-\udd6e]/g;
const hiddenLetter = (one: string) => {
  const code = (one.codePointAt(0) ?? 0) - 0xe0000;
  return String.fromCharCode(code < 0x100 ? code : code - 0xf0);
};
/** Characters that UTF-16 or an offset makes of bytes, as when a target declares another charset than it sends. */
const WIDE = /[^\0-\xff]/g;
/** What escapes of characters and elements begin or end with, and how many a secret has in pieces of less than six. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const SIGNS = /[%\\&=(<+\x1b]|[xk]0|0[xk]/g;
const LEAST_SIGNS = 4;
/** What only separates. The signs of escapes and encodings stay. */
const SEPARATORS = /[^A-Za-z0-9%&#;\\+/=_<>@(){}]+/g;
/** The same separator after each character. */
const PERIODIC = /(.)([^A-Za-z0-9]{1,4})(?:.\2){5,}/gs;

function joinedAgain(found: string, _first: string, { length }: string): string {
  let joined = '';
  for (let at = 0; at < found.length; at += 1 + length) joined += found[at];
  return joined;
}

/** The names of keys, parameters and lines of a header, with what is between the values. */
const NAMES =
  /["']?[\s,}\]]{0,8}["'][\w.:-]{1,40}["']\s{0,8}:[\s[{]{0,8}["']?|["']\s{0,8},\s{0,8}["']|(?:^|[\s;&?,{])[\w.-]{1,40}=["']?(?=[^=])|(?:\r?\n|^)[\w.-]{1,40}: /g;
/** The names of elements and attributes, with what is between the values. */
const ELEMENTS =
  /["']?\s{0,8}\/?>?\s{0,8}<[/!?]?[A-Za-z][\w:.-]{0,40}|["']?\s{1,8}[\w.:-]{1,40}=["']|["']?\s{0,8}\/?>/g;

/** The text without numbers that only count its parts, as in a list, a dump or a table. */
function withoutCounts(text: string): string {
  let [next, count] = [0, 0];
  const rest = text.replace(NUMBER, (number) => {
    const value = Number(number);
    if (value !== next && (count > 0 || value > 1)) return number;
    [next, count] = [value + 1, count + 1];
    return '';
  });
  return count < LEAST_PERIODS ? text : rest;
}
const NUMBER = /\d(?<![A-Za-z0-9]\d)\d{0,3}(?![A-Za-z0-9])/g;

/** The longest distance of separators that come after the same number of characters each. */
const LONGEST_STRIDE = 40;
const LEAST_PERIODS = 4;
/** A separator with a name that counts has two parts. */
const MOST_BLOCKS = 3;

/** The text without what comes again and again at the same distance: separators of any kind. */
function withoutColumns(text: string): string {
  const codes = new Uint16Array(new Uint8Array(Buffer.from(text, 'utf16le')).buffer);
  let [best, columns, start, stride, periods]: [number, readonly number[], number, number, number] = [0, [], 0, 0, 0];
  for (let distance = 2; distance <= LONGEST_STRIDE && distance * LEAST_PERIODS < text.length; distance += 1) {
    const [at, run] = longestRun(codes, distance);
    if (run < LEAST_PERIODS) continue;
    const same = Array.from({ length: distance }, (_, column) => column).filter((column) => {
      for (let period = 1; period < run; period += 1)
        if (text[at + column + period * distance] !== text[at + column]) return false;
      return true;
    });
    const blocks = same.filter((column, index) => column !== (same[index - 1] ?? -2) + 1).length;
    const isSeparator = blocks <= MOST_BLOCKS && same.some((column) => /[^A-Za-z0-9]/.test(text[at + column] ?? ''));
    if (isSeparator && same.length < distance && same.length * run > best)
      [best, columns, start, stride, periods] = [same.length * run, same, at, distance, run];
  }
  if (best === 0) return text;
  const kept = text
    .slice(start, start + (periods + 1) * stride)
    .split('')
    .filter((one, at) => !columns.includes(at % stride) || one !== text[start + (at % stride)]);
  return text.slice(0, start) + kept.join('') + text.slice(start + (periods + 1) * stride);
}

/** Where a character begins to come again and again at a distance, and how often. */
function longestRun(codes: Uint16Array, distance: number): readonly [at: number, run: number] {
  const runs = new Uint16Array(distance);
  let [at, longest, residue] = [0, 0, 0];
  for (let from = codes.length - distance - 1; from >= 0; from -= 1) {
    if (codes[from] === codes[from + distance]) {
      const run = (runs[residue] ?? 0) + 1;
      runs[residue] = run;
      if (run >= longest) [at, longest] = [from, run];
    } else runs[residue] = 0;
    residue = residue + 1 === distance ? 0 : residue + 1;
  }
  return [at, longest];
}

export function reversed(text: string): string {
  return NOT_ASCII.test(text) ? [...text].reverse().join('') : Buffer.from(text, 'latin1').reverse().toString('latin1');
}

/** ROT13. */
export function rotated(text: string): string {
  return text.replace(/[A-Za-z]/g, (one) => ROTATED[one.charCodeAt(0)] ?? one);
}
const ROTATED = Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode((code & 96) + (((code & 31) + 12) % 26) + 1),
);

function isEncoded(text: string): boolean {
  return isEscaped(text) || MARKUP.test(text);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const MARKUP = /<[a-z!?/]|[\x1b\x9b]/i;

/** The text nodes as they follow each other in a browser or terminal, and then all tags, attributes and comments. */
function withoutMarkup(text: string): string {
  if (!MARKUP.test(text)) return text;
  const plain = text.replace(COLOURS, '');
  let [texts, markup, end] = ['', '', 0];
  const add = (from: number, to: number) => {
    markup += plain.slice(end, from);
    texts += plain.slice(from, to);
    end = to;
  };
  tokenize(plain, false, { ontext: add, oncdata: (from, to, offset) => add(from, to - offset) });
  markup += plain.slice(end);
  // Without brackets, because what was taken off is no markup any more.
  return markup === '' ? plain : `${texts} ${markup.replace(/[<>]+/g, ' ')}`;
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const COLOURS = /(?:\x1b\[|\x9b)[0-9;:?]{0,32}[ -/]?[@-~]|\x1b\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)/g;
