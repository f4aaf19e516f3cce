import { lettersOf } from '../settings/letters.ts';
import { readingsOf, reversed } from './readings.ts';
import { type Form, formsOf, SHARED_RUN } from './secret-forms.ts';
import { SHORTEST } from './unpacked.ts';

/** What texts show of secrets. `nothing` stays so, whatever was shown before. */
export type Shown = 'nothing' | 'little' | { readonly label: string };

/**
 * Measures how much of each secret can be read out of texts: pieces of six characters or more, whatever stands between them,
 * in every reading (readings.ts). The time grows with the text and not with the number of secrets.
 */
interface SecretPieces {
  add(label: string, secret: string): void;
  /** What a text shows, together with what was kept since `begin`. What shows a secret is not kept. */
  look(text: string): Shown;
  /** Begins texts that are shown apart from those before. Of these, only longer pieces count from now on. */
  begin(): void;
  /** Long texts that differ from each other took much time already. */
  readonly hasReadMuch: boolean;
}

interface Watched extends Form {
  readonly label: string;
  readonly isIndexed: Uint8Array;
  readonly isShown: Uint8Array;
  count: number;
  /** What may be shown of it. */
  most: number;
}
/** A character of a form that was shown, and whether as a part of a longer piece. */
interface Note {
  readonly form: Watched;
  readonly at: number;
  readonly isLong: boolean;
}

/** Forms that share a piece. What more secrets have in common, as tokens of one issuer do, is taken as known. */
const MOST_OWNERS = 4;
const MOST_REPEATS = 16;
/** The filter has four million bits: it skips nearly every position of a text, even with a hundred thousand pieces. */
const FILTER_BITS = 22;
const BUCKET_BITS = 16;

/** Ids of requests. They are read by themselves where the text around them was read before. */
const IDS = /(?<![A-Za-z0-9])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{9,})(?![A-Za-z0-9])/gi;
/** Characters of all views that are kept. */
const MOST_READ = 2 ** 22;

/** Characters of long texts, beyond the first of each. A hundred pages that are never alike have as many. */
const [MUCH, SHORT] = [2 ** 19, 512];

/** @param ours texts that hold no secret, and that the suite shows itself. */
export function createSecretPieces(ours: readonly string[]): SecretPieces {
  const ownPieces = new Set(
    ours.map(lettersOf).flatMap((text) => [...text].map((_, at) => text.slice(at, at + SHORTEST))),
  );

  // Bits, because half a mebibyte fits into the cache of a processor.
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  const isSet = (hash: number) => ((filter[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0;
  const set = (hash: number) => {
    filter[hash >>> 3] = (filter[hash >>> 3] ?? 0) | (1 << (hash & 7));
  };
  /** The pieces: a form, where the piece begins in it, and the next piece of the same bucket. */
  const formOf: Watched[] = [];
  const beginOf: number[] = [];
  const nextOf: number[] = [];
  const buckets = new Int32Array(2 ** BUCKET_BITS).fill(-1);
  /** What the text shows, and what those texts show that were kept since `begin`. */
  let noted: Note[] = [];
  let kept: Note[] = [];
  let found = false;
  /** The views of texts without their ids. To read a text takes longest, and each secret that is added asks again. */
  const read = new Map<string, readonly string[]>();
  /** Those of these texts that show nothing. */
  const clean = new Set<string>();
  let size = 0;
  let readAnew = 0;
  const keepViews = (shape: string, views: readonly string[]) => {
    if (size > MOST_READ) {
      read.clear();
      clean.clear();
      size = 0;
    }
    for (const { length } of views) size += length;
    read.set(shape, views);
  };

  const addPiece = (form: Watched, at: number) => {
    const sum = sumOf(form.text, at);
    const bucket = hashOf(sum, FACTORS[0]) >>> (FILTER_BITS - BUCKET_BITS);
    const first = buckets[bucket] ?? -1;
    let [owners, repeats] = [0, 0];
    for (let one = first; one >= 0; one = nextOf[one] ?? -1) {
      const other = formOf[one];
      if (!other || !isPiece(form.text, at, other.text, beginOf[one] ?? 0)) continue;
      if (other === form) repeats += 1;
      else owners += 1;
    }
    if (owners >= MOST_OWNERS || repeats >= MOST_REPEATS) return;
    buckets[bucket] = formOf.length;
    formOf.push(form);
    beginOf.push(at);
    nextOf.push(first);
    form.isIndexed[at] = 1;
    set(hashOf(sum, FACTORS[0]));
    set(hashOf(sum, FACTORS[1]));
  };

  /** Notes a run of a form that a view shows, and tells whether the secret is shown now. */
  const note = (form: Watched, from: number, to: number): boolean => {
    if (form.whole) return from === 0 && to === form.text.length;
    const begin = Math.min(form.from[from] ?? 0, form.to[from - 1] ?? 0);
    const end = Math.max(form.to[to - 1] ?? 0, form.from[to] ?? form.length);
    if (end - begin >= form.run) return true;
    const isLong = lettersOf(form.text.slice(from, to)).length >= form.lasting;
    for (let at = from; at < to; at += 1) {
      if (form.isShown[at] === 1) continue;
      form.isShown[at] = 1;
      form.count += 1;
      noted.push({ form, at, isLong });
    }
    return form.count > form.most;
  };
  const forget = (notes: readonly Note[]) => {
    for (const { form, at } of notes) {
      form.isShown[at] = 0;
      form.count -= 1;
    }
  };

  /** The label of a secret that a view shows. */
  const lookAt = (view: string): string | undefined => {
    if (view.length < SHORTEST) return undefined;
    let sum = sumOf(view, 0);
    for (let at = 0; at + SHORTEST <= view.length; at += 1) {
      const hash = hashOf(sum, FACTORS[0]);
      if (isSet(hash) && isSet(hashOf(sum, FACTORS[1])))
        for (let one = buckets[hash >>> (FILTER_BITS - BUCKET_BITS)] ?? -1; one >= 0; one = nextOf[one] ?? -1) {
          const form = formOf[one];
          const begin = beginOf[one] ?? 0;
          if (!form || !isPiece(view, at, form.text, begin)) continue;
          found = true;
          // The run began with the piece before, and was noted there.
          if (form.isIndexed[begin - 1] === 1 && form.text[begin - 1] === view[at - 1]) continue;
          let length = SHORTEST;
          while (begin + length < form.text.length && form.text[begin + length] === view[at + length]) length += 1;
          if (note(form, begin, begin + length)) return form.label;
        }
      sum = (Math.imul(sum - Math.imul(view.charCodeAt(at), HIGHEST_POWER), BASE) + view.charCodeAt(at + SHORTEST)) | 0;
    }
    return undefined;
  };
  return {
    add(label, secret) {
      clean.clear();
      for (const form of formsOf(secret)) {
        const { length } = form.text;
        const bytes = { isIndexed: new Uint8Array(length), isShown: new Uint8Array(length) };
        const watched: Watched = { ...form, ...bytes, label, count: 0, most: 0 };
        for (const at of form.pieces) if (!ownPieces.has(form.text.slice(at, at + SHORTEST))) addPiece(watched, at);
        watched.most = mostOf(watched);
      }
    },
    look(text) {
      if (formOf.length === 0) return 'nothing';
      found = false;
      noted = [];
      // A target sends the same refusals thousands of times, each with an id of its own. One is read as a whole.
      const ids = text.match(IDS)?.join(' ') ?? '';
      const shape = text.replace(IDS, '0');
      const known = read.get(shape);
      const own = ids === '' ? [] : [text, ...readingsOf(ids)];
      const seen: string[] = [];
      const again = known && [...(clean.has(shape) ? [] : known), ...viewsIn(own)];
      for (const view of again ?? viewsIn(readingsOf(text))) {
        const label = lookAt(view) ?? lookAt(reversed(view));
        if (label !== undefined) {
          forget(noted);
          return { label };
        }
        seen.push(view);
      }
      if (!known) readAnew += Math.max(0, text.length - SHORT);
      if (!known) keepViews(shape, ids === '' ? seen : [...viewsIn(readingsOf(shape))]);
      for (const one of noted) if (!one.isLong) kept.push(one);
      if (found) return 'little';
      clean.add(shape);
      return 'nothing';
    },
    begin() {
      forget(kept);
      kept = [];
    },
    get hasReadMuch() {
      return readAnew > MUCH;
    },
  };
}

/** Each reading without separators, and in lower case. */
function* viewsIn(readings: Iterable<string>): Generator<string> {
  for (const reading of readings) {
    const letters = lettersOf(reading);
    yield letters;
    const lower = reading.toLowerCase();
    if (lower !== letters) yield lower;
  }
}

/** How many characters of a form may be shown: half of it, and less than twelve characters of the secret are no secret. */
function mostOf({ text, pieces, isIndexed, inWords, length }: Watched): number {
  let [own, end] = [0, 0];
  for (const at of pieces) {
    if (isIndexed[at] !== 1) continue;
    own += at + SHORTEST - Math.max(at, end);
    end = at + SHORTEST;
  }
  if (inWords) return Math.max(Math.min(SHARED_RUN, own) - 1, own / 2);
  // What it shares with many others counts as shown.
  return Math.max(SHARED_RUN * Math.max(1, text.length / length) - 1, own - text.length / 2);
}

function isPiece(text: string, at: number, other: string, otherAt: number): boolean {
  for (let step = 0; step < SHORTEST; step += 1)
    if (text.charCodeAt(at + step) !== other.charCodeAt(otherAt + step)) return false;
  return true;
}

const BASE = 31;
const HIGHEST_POWER = BASE ** (SHORTEST - 1);

/** A sum of six characters. It can be moved on by one character. */
function sumOf(text: string, at: number): number {
  let sum = 0;
  for (let step = 0; step < SHORTEST; step += 1) sum = (Math.imul(sum, BASE) + text.charCodeAt(at + step)) | 0;
  return sum;
}

/** Each piece sets a bit for each factor. A position of a text without a piece seldom has both. */
const FACTORS = [0x9e3779b1, 0x85ebca6b] as const;

function hashOf(sum: number, factor: number): number {
  return Math.imul(sum, factor) >>> (32 - FILTER_BITS);
}
