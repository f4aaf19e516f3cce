import { lettersOf } from '../settings/letters.ts';
import { rotated } from './readings.ts';
import { SHORTEST } from './unpacked.ts';

/** A run of this many characters of a secret is never shown. */
export const SHARED_RUN = 12;

/** A secret as a text may show it: characters that each show a part of the secret. */
export interface Form {
  readonly text: string;
  /** Where the part that each character shows begins and ends in the secret, which is so long. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly length: number;
  /** Where the pieces of six characters begin that count. */
  readonly pieces: readonly number[];
  /** A run that shows this many characters of the secret shows it. */
  readonly run: number;
  /** Only the whole form shows the secret. */
  readonly whole: boolean;
  /** Only what `pieces` cover is secret. */
  readonly inWords: boolean;
  /** Letters and digits of a piece that counts as long as the run lasts. Random ids contain shorter ones, and pieces of encodings. */
  readonly lasting: number;
}

const NEVER = Number.POSITIVE_INFINITY;
/** A form of a short secret that has fewer characters could be an ordinary word or number. */
const SHORTEST_WHOLE = 8;
/** Characters of its domain that show that a name is an address. A domain is not secret: the target may use it. */
const SHOWN_OF_DOMAIN = 5;
/** A run has tens of thousands of random ids. Ten digits of theirs are alike by chance in one of some hundred runs. */
const [LASTING, LASTING_IN_HEX] = [8, 10];
const HEX = /^[\da-f-]+$/i;
/** The name of an address, with the @. */
const NAME = /^[^@\s]+@(?=[^@\s]+$)/;

/** The forms of a secret that no reading of a text (readings.ts) undoes, or that can be found in any letter case. */
export function formsOf(secret: string): readonly Form[] {
  const bytes = [...Buffer.from(secret)];
  const encoded = [0, 1, 2].map((before) => inBase64(bytes, before));
  // In another case or with separators, a short secret is often an ordinary word. Encoded it is not.
  if (secret.length < SHARED_RUN)
    return [...encoded, spelled(bytes, (byte) => byte.toString(16).padStart(2, '0'))]
      .filter(({ text }) => text.length >= SHORTEST_WHOLE)
      .map((form) => ({ ...form, whole: true }));
  const name = NAME.exec(secret)?.[0];
  const own = [...(name === undefined ? secret : secret.slice(0, name.length + SHOWN_OF_DOMAIN))];
  const lasting = name === undefined ? (HEX.test(secret) ? LASTING_IN_HEX : LASTING) : NEVER;
  const plain = [(one: string) => one.toLowerCase(), lettersOf, (one: string) => rotated(lettersOf(one))].map(
    (formOf) => spelled(own, formOf),
  );
  if (!/\s/.test(secret))
    return [...plain.map((form) => ({ ...form, run: Math.min(SHARED_RUN, own.length), lasting })), ...encoded];
  // A word of a text is no secret. Two that follow each other begin to be one.
  const joinsWords = ({ from, to }: Form, at: number) =>
    /\S\s+\S/.test(own.slice(from[at], to[at + SHORTEST - 1]).join(''));
  const inWords = { run: NEVER, inWords: true };
  return [
    ...plain.map((form) => ({ ...form, ...inWords, pieces: form.pieces.filter((at) => joinsWords(form, at)) })),
    ...encoded,
  ];
}

/**
 * The parts of a derived secret that share no run with the secret that it was derived from. What is no character of a token
 * (RFC 6750 2.1) divides them: it surrounds tokens, as in JSON. A part with fewer letters and digits may be an ordinary word,
 * and anybody can guess one that repeats a single letter.
 */
export function ownParts(derived: string, original: string): readonly string[] {
  const isShared = new Uint8Array(derived.length);
  const shared = runsOf(original);
  for (let at = 0; at + SHARED_RUN <= derived.length; at += 1)
    if (shared.has(derived.slice(at, at + SHARED_RUN))) isShared.fill(1, at, at + SHARED_RUN);
  const own = derived.split('').map((one, at) => (isShared[at] === 1 ? SHARED : one));
  return own
    .join('')
    .split(NO_TOKEN)
    .filter((part) => MANY_LETTERS.test(lettersOf(part)));
}
const SHARED = '\0';

/** Every run of a secret that no other may share. Dozens are derived from one secret after the other, and a token may have 10 KB. */
function runsOf(secret: string): ReadonlySet<string> {
  if (last.secret !== secret) {
    const starts = Array.from({ length: Math.max(0, secret.length - SHARED_RUN + 1) }, (_, at) => at);
    last = { secret, runs: new Set(starts.map((at) => secret.slice(at, at + SHARED_RUN))) };
  }
  return last.runs;
}
let last: { readonly secret: string; readonly runs: ReadonlySet<string> } = { secret: '', runs: new Set() };
/** Twelve letters and digits, of which one differs from the first. */
const MANY_LETTERS = /^(?=.{12})(.)\1*(?!\1)./;
const NO_TOKEN = /[^\w.~+/=-]+/;

/** The form of a secret whose parts become these characters. */
function spelled<T>(parts: readonly T[], formOf: (part: T) => string): Form {
  let text = '';
  const from: number[] = [];
  for (const [at, part] of parts.entries()) {
    text += formOf(part);
    while (from.length < text.length) from.push(at);
  }
  return formFrom(
    text,
    from,
    from.map((at) => at + 1),
    parts.length,
  );
}

/** The digits of base64 that show only these bytes, which begin after so many others of a group of three, and which is the first. */
export function digitsOf(bytes: readonly number[], before: number): readonly [digits: string, first: number] {
  const base64 = Buffer.from([...Array<number>(before).fill(0), ...bytes]).toString('base64');
  const first = before === 0 ? 0 : before + 1;
  return [base64.slice(first, Math.floor(((before + bytes.length) * 8) / 6)), first];
}

/** The letters and digits of base64 that show only the secret. */
function inBase64(bytes: readonly number[], before: number): Form {
  const [digits, first] = digitsOf(bytes, before);
  const [text, from, to]: [string[], number[], number[]] = [[], [], []];
  for (let at = first; at < first + digits.length; at += 1) {
    const digit = lettersOf(digits[at - first] ?? '');
    if (digit === '') continue;
    text.push(digit);
    from.push(Math.floor((at * 6) / 8) - before);
    to.push(Math.ceil(((at + 1) * 6) / 8) - before);
  }
  return formFrom(text.join(''), from, to, bytes.length);
}

function formFrom(text: string, from: readonly number[], to: readonly number[], length: number): Form {
  const pieces = Array.from({ length: Math.max(0, text.length - SHORTEST + 1) }, (_, at) => at);
  return { text, from, to, length, pieces, run: SHARED_RUN, whole: false, inWords: false, lasting: NEVER };
}
