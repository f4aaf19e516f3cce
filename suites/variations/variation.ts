import type { VariationKind, VariationRow } from '../../harness/contract/variations.ts';
import { filled, type Texts, valuesOf } from './fill.ts';

/** One way to ask otherwise: something about a request that the contract does not list, or lists as optional. */
export interface Variation {
  /** The row and the value, whatever placeholders stand for. */
  readonly id: string;
  readonly kind: VariationKind;
  /** What is changed: the name of a header, cookie, parameter or field, a content type, a method; else what it is called. */
  readonly name: string;
  /**
   * The value of a header, cookie, parameter or field; a path; a text to search for; a whole Authorization line. For a content
   * type, how the body is written; for a method, where the fields go. `{token}` is the token of the request. A header whose value
   * is null is left out.
   */
  readonly value: unknown;
  /** In words. It shows no secret. */
  readonly how: string;
  /** Known from real incidents, so that every target gets it. Others need the whole breadth. */
  readonly isTelling: boolean;
  /** Some servers answer as if another method or path was asked. */
  readonly leadsElsewhere: boolean;
  /** HTTP means the same by it. */
  readonly isEqual: boolean;
  /** HTTP clients do not write it. */
  readonly isRaw: boolean;
  /** It is sent in no bundle: it changes what the rest of the request means, or replaces a part that each request has. */
  readonly isAlone: boolean;
  /** Header lines that belong to it. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** The requirement that is broken where this alone is accepted, with a request that is right otherwise. */
  readonly breaks?: string | undefined;
  /** The specification leaves open whether it means the same. */
  readonly isFree: boolean;
  /** Where a token stands that is not in Authorization. */
  readonly place?: VariationRow['in'];
}

/** A variation that no row stands for, by default a header that can be bundled. */
export function unlisted(how: string, changes: Pick<Variation, 'name' | 'value'> & Partial<Variation>): Variation {
  return {
    ...{ id: how, how, kind: 'header', lines: [], isTelling: true, isAlone: false },
    ...{ leadsElsewhere: false, isEqual: false, isRaw: false, isFree: false },
    ...changes,
  };
}

/** What they vary, whatever the values: a header that is trusted may name either person, and is one fault. */
export const influenceOf = (items: readonly Pick<Variation, 'kind' | 'place' | 'name'>[]): string =>
  [...new Set(items.map(({ kind, place = kind, name }) => `${place} ${name}`))].sort().join(' and ');

/** The variations that a row stands for: one for each value, the most telling first. */
export function variationsOf(row: VariationRow, texts: Texts): readonly Variation[] {
  const { kind, elsewhere, equal, raw, alone, free, breaks, in: place } = row;
  const name = filled(row.name, texts);
  const lines = Object.entries(row.with ?? {}).map(([line, value]) => [line, filled(value, texts)] as const);
  if (typeof name !== 'string' || lines.some(([, value]) => typeof value !== 'string')) return [];
  const beside = lines.map(([line, text]) => ` with ${line}: ${text}`).join('');
  // A few kinds have nothing but a name.
  const values = row.values.length === 0 ? [''] : valuesOf(row, texts);
  return values.map((value, at) => ({
    id: JSON.stringify([kind, row.name, place, row.with, at]),
    kind,
    name,
    value,
    how: inWords(kind, name, value, place) + (kind === 'method' ? beside : ''),
    isTelling: at < (row.telling ?? 0),
    leadsElsewhere: elsewhere === true || kind === 'method' || kind === 'path',
    isEqual: equal === true,
    isRaw: raw === true || kind === 'transport',
    isAlone: alone === true || !isBundled(kind, name),
    lines: lines.map(([line, text]) => [line, String(text)] as const),
    ...{ breaks, isFree: free === true, place },
  }));
}

/** Most servers refuse a body that is not said to be JSON. Another method, path or query makes the request another one. */
function isBundled(kind: VariationKind, name: string): boolean {
  if (kind === 'content-type') return /^(?:application\/json\b|$)/i.test(name);
  return !['method', 'path', 'query', 'person', 'acting', 'name'].includes(kind);
}

const LONGEST = 60;

function inWords(kind: VariationKind, name: string, value: unknown, place: VariationRow['in']): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const written = (separator: string) =>
    text.length > LONGEST ? ` of ${text.length} characters` : `${separator}${text}`;
  switch (kind) {
    case 'header':
      return `the header ${name}${written(': ')}`;
    case 'auth-type':
      return `the auth type ${name.length > LONGEST ? `of ${name.length} characters` : `"${name}"`}`;
    case 'cookie':
      return `the cookie ${name}${written('=')}`;
    case 'parameter':
      if (text === encodeURIComponent('{token}')) return 'the token in the query string too';
      return `the parameter ${name}${written('=')}`;
    case 'field':
      return `the body field ${name}${value === '{token}' ? ' with the token' : ''}`;
    case 'content-type':
      return value === 'form' ? 'a body that is a form' : `the content type ${name === '' ? 'left out' : name}`;
    case 'transport':
      return TRANSPORTS[name] ?? name.replaceAll('-', ' ');
    case 'route':
      return name === 'address' ? `the address ${text}` : name;
    case 'method':
    case 'path':
    case 'query':
    case 'authorization':
    case 'person':
    case 'acting':
    case 'name':
      return name;
    case 'conversation':
      if (place === 'path') return `the path ${text}`;
      return `the ${PLACES[place ?? 'field']} ${name}${written(': ')}`;
    case 'place':
      return `the token in the ${PLACES[place ?? 'header']} ${name}`;
  }
}

const PLACES: Readonly<Record<NonNullable<VariationRow['in']>, string>> = {
  ...{
    header: 'header',
    cookie: 'cookie',
    parameter: 'parameter',
    field: 'body field',
    path: 'path',
    form: 'field of a form',
  },
  ...{ before: 'first body field', behind: 'last body field' },
};
const TRANSPORTS: Readonly<Record<string, string>> = {
  ...{ gzip: 'a compressed body', chunked: 'a body in chunks', 'new-connection': 'a new connection' },
  'without-user-agent': 'no User-Agent',
  'chunked-with-trailers': 'the documented headers behind a body in chunks',
  'headers-reversed': 'header lines in another order',
  'header-names-mixed-case': 'header names in another case',
  'blanks-around-values': 'blanks around header values',
  'body-with-blanks': 'extra whitespace in the body',
};

/** What servers accept in the header lines, in the address and in the body of a request. */
const MOST = {
  header: { characters: 7_000, items: 70 },
  parameter: { characters: 3_000, items: Infinity },
  field: { characters: 100_000, items: Infinity },
};
type Part = keyof typeof MOST;

/** What is sent in one request. */
interface Bundle<T> {
  readonly items: T[];
  readonly slots: Set<string>;
  /** The room that is left in each part of the request. */
  readonly left: typeof MOST;
}

/** Puts variations together that can be sent in one request: none twice under one name, and no more than servers accept. */
export function bundlesOf<T extends Variation>(variations: readonly T[]): readonly (readonly T[])[] {
  const same = new Map(variations.map((one) => [JSON.stringify([one.kind, one.place, one.name, one.value]), one]));
  const distinct = [...same.values()];
  const bundles: Bundle<T>[] = [];
  for (const one of distinct.filter(({ isAlone }) => !isAlone)) {
    const own = slotsOf(one);
    const part = partOf(one);
    const length = one.name.length + lengthOf(one.value) + 4;
    const fits = ({ slots, left }: Bundle<T>) =>
      left[part].characters >= length && left[part].items > 0 && !own.some((slot) => slots.has(slot));
    const bundle = bundles.find(fits) ?? { items: [], slots: new Set(), left: structuredClone(MOST) };
    if (bundle.items.length === 0) bundles.push(bundle);
    bundle.items.push(one);
    for (const slot of own) bundle.slots.add(slot);
    bundle.left[part].characters -= length;
    // Cookies share a line.
    bundle.left[part].items -= one.kind === 'cookie' ? 0 : 1;
  }
  return [...bundles.map(({ items }) => items), ...distinct.filter(({ isAlone }) => isAlone).map((one) => [one])];
}

/** Two with a slot in common exclude each other. Header names are the same in any case (RFC 9110 5.1). */
function slotsOf({ kind, name, lines }: Variation): readonly string[] {
  const header = (line: string) => `header ${line.toLowerCase()}`;
  const beside = lines.map(([line]) => header(line));
  // How the header lines are written and how the body is carried go together.
  if (name === 'without-user-agent') return [header('user-agent')];
  if (kind === 'transport' && /^(?:header|blanks)/.test(name)) return ['header lines', ...beside];
  if (['transport', 'content-type', 'auth-type', 'authorization'].includes(kind)) return [kind, ...beside];
  return [kind === 'header' ? header(name) : `${kind} ${name}`, ...beside];
}

function partOf({ kind }: Variation): Part {
  return kind === 'parameter' || kind === 'field' ? kind : 'header';
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : JSON.stringify(value).length);
