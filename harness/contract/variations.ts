import { join } from 'node:path';
import { given, repeatedIn } from './collections.ts';
import { configurationError, didYouMean } from './configuration-error.ts';
import { once } from './once.ts';
import { namesIn, specsFolder } from './package-files.ts';
import { readDataFile, readYamlFile } from './yaml-file.ts';

/** What a variation changes about a request, in the order of tables. */
export const VARIATION_KINDS = [
  ...(['header', 'cookie', 'parameter', 'field', 'method', 'path', 'content-type', 'transport'] as const),
  'route',
  ...(['authorization', 'auth-type', 'person', 'acting', 'name', 'place', 'query', 'conversation'] as const),
] as const;
export type VariationKind = (typeof VARIATION_KINDS)[number];

/** What must hold however a request is asked: what must be refused, what must stay hidden, what must be accepted. */
export const LAWS = ['refusal', 'sighting', 'acceptance'] as const;
export type Law = (typeof LAWS)[number];

/** The checks that try a law with a kind of variation, each with rows of its own; or why none does. */
type Trier = { readonly checks: readonly string[] } | { readonly why: string };

/** What a row and its group may say. */
interface Traits {
  /** What the name is tried with, with placeholders such as `{person}`. The first value means most. Any JSON for a field. */
  readonly values?: readonly unknown[];
  readonly source?: string;
  readonly telling?: boolean | number;
  readonly elsewhere?: boolean;
  readonly equal?: boolean;
  readonly free?: boolean;
  readonly raw?: boolean;
  readonly alone?: boolean;
  readonly breaks?: string;
  readonly in?: 'header' | 'cookie' | 'parameter' | 'field' | 'path' | 'before' | 'behind' | 'form';
  readonly as?: 'base64';
  readonly with?: Readonly<Record<string, string>>;
}

/** One way to ask otherwise, as a row of `variations/` and its group say it; schemas/variations.schema.json has the words. */
export interface VariationRow extends Traits {
  readonly kind: VariationKind;
  /** Of a header, cookie, parameter, field, content type or method, or what it is called. */
  readonly name: string;
  readonly about: string;
  readonly values: readonly unknown[];
  readonly source: string;
  /** How many of the first values every target gets. Real incidents or advisories speak of them. */
  readonly telling: number;
}

/** Where names come from. What an advisory tells of has let somebody in. */
interface VariationSource {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly type: 'advisory' | 'list' | 'registry' | 'class' | 'documentation';
}

export interface Variations {
  readonly triers: Readonly<Record<VariationKind, Readonly<Record<Law, Trier>>>>;
  readonly rows: readonly VariationRow[];
  readonly sources: readonly VariationSource[];
}

interface File {
  readonly groups: readonly (Traits & Pick<VariationRow, 'kind' | 'about'> & { readonly rows: readonly Row[] })[];
}
type Row = Traits & Pick<VariationRow, 'name'>;

/** A character that comes many times: `{text:200}` is a text of 200 letters. */
export const REPEATED: Readonly<Record<string, string>> = { text: 'a', blanks: ' ' };
/** The other texts in braces that every kind of variation may have. */
const COMMON = [
  ...['person', 'other', 'path', 'host', 'origin', 'loopback', 'private', 'scope', 'token', 'unknown-token', 'jwt'],
  ...['act-as-name', 'auth-type-name', 'authorization-name', 'family'],
];
/** What some kinds may have besides: parts and other spellings of what they vary. */
const OWN: Readonly<Partial<Record<VariationKind, readonly string[]>>> = {
  path: [
    ...['folder', 'name', 'rest', 'encoded', 'encoded-twice', 'NAME', 'PATH'],
    ...['next-version', 'last-version', 'unversioned'],
  ],
  authorization: [
    ...['half', 'rest', 'encoded', 'TOKEN', 'lower', 'unhyphenated', 'underscored'],
    ...['basic-password', 'basic-user', 'in-json'],
  ],
  person: [
    ...['beginning', 'end', 'local', 'domain', 'first-three', 'PERSON', 'Person', 'DOMAIN'],
    ...['look-alike', 'accented', 'dotless', 'superscript'],
    ...['undotted', 'dotted', 'without-top', 'swapped', 'hyphenated', 'initialled'],
    ...['encoded-email', 'email-encoded-twice', 'email-in-base', 'email-in-hex', 'dots-as-letters'],
  ],
  acting: ['PERSON', 'OTHER', 'other-in-base'],
  header: ['HOST', 'host-and-dot'],
  method: ['method'],
  query: [
    'private-query',
    'PRIVATE-QUERY',
    'own-query',
    'private-word',
    'reversed-query',
    'spaced-query',
    'begun-query',
  ],
  conversation: ['CONVERSATION', 'conversation', 'own-conversation', 'message', 'encoded', 'unprefixed', 'folder'],
  route: ['protocol', 'first-address', 'second-address', 'third-address', 'fourth-address'],
  name: ['header', 'lower', 'UPPER', 'mixed', 'underscored', 'divided', 'joined', 'unprefixed'],
};
/** A placeholder, with its name. What stands in braces otherwise is sent as it is. */
export const PLACEHOLDER = /\{([a-z-]+(?::\d+)?)\}/gi;

/** Kinds whose name is all there is to say. A parameter may have no value. */
const NAME_ONLY: readonly VariationKind[] = ['auth-type', 'transport', 'parameter'];

/** Kinds that can stand in several parts of a request. */
const PLACED: readonly VariationKind[] = ['place', 'conversation'];

/** The files that have no rows. */
const OTHER_FILES = ['sources.yaml', 'laws.yaml'];

/** The variations of this package. They are read once: a test loads a contract often. */
export const ownVariations = once(() => readVariations(specsFolder));

/**
 * Reads the rows of `variations/` in a specs folder, and where their names come from.
 * @throws a configuration error with file and line, or that lists every row whose source or placeholder nobody knows.
 */
export function readVariations(folder: string): Variations {
  const place = join(folder, 'variations');
  const types = readDataFile<Record<VariationSource['type'], Omit<VariationSource, 'type'>[]>>(place, 'sources');
  const sources = (Object.keys(types) as VariationSource['type'][]).flatMap((type) =>
    types[type].map((source) => ({ ...source, type })),
  );
  const files = namesIn(place).filter((file) => file.endsWith('.yaml') && !OTHER_FILES.includes(file));
  const rows: VariationRow[] = [];
  const problems: string[] = [];
  for (const file of files)
    for (const { rows: listed, ...group } of readYamlFile<File>(join(place, file), 'variations').groups)
      for (const row of listed) {
        const { source = '', values = [], telling = false, ...rest } = { ...group, ...row };
        const whole = { ...rest, source, values, telling: Number(telling) };
        problems.push(...problemsOf(whole, sources).map((problem) => `${file}: ${row.name || '""'} ${problem}`));
        rows.push(whole);
      }
  const used = new Set(rows.map(({ source }) => source));
  problems.push(
    ...repeatedIn(rows.map(slotOf)).map((slot) => `two rows for ${slot}`),
    ...repeatedIn(sources.map(({ id }) => id)).map((id) => `sources.yaml: two sources ${id}`),
    ...sources.filter(({ id }) => !used.has(id)).map(({ id }) => `sources.yaml: no row is from ${id}`),
  );
  if (problems.length > 0) throw configurationError(problems.map((problem) => `${place}: ${problem}`));
  return { triers: readDataFile<Variations['triers']>(place, 'laws'), rows, sources };
}

function problemsOf(row: VariationRow, sources: readonly VariationSource[]): readonly string[] {
  const { kind, name, values, source } = row;
  const ids = sources.map(({ id }) => id);
  const known = [...COMMON, ...(OWN[kind] ?? [])];
  const used = [...JSON.stringify([name, values, row.with ?? {}]).matchAll(PLACEHOLDER)].map(([, own = '']) => own);
  const unknown = used.filter((one) => !known.includes(one) && REPEATED[one.split(':')[0] ?? ''] === undefined);
  return given([
    !ids.includes(source) && `has the unknown source "${source}"${didYouMean(source, ids)}`,
    values.length === 0 && !NAME_ONLY.includes(kind) && 'has no values',
    PLACED.includes(kind) &&
      row.in === undefined &&
      `does not say where the ${kind === 'place' ? 'token' : 'id'} is put (in)`,
    ...unknown.map((one) => `has the unknown placeholder {${one}}${didYouMean(one, known)}`),
  ]);
}

/** What two rows must not share. Header names are the same in any case (RFC 9110 5.1). */
function slotOf({ kind, name, in: where, with: beside, values }: VariationRow): string {
  const shown = kind === 'header' ? name.toLowerCase() : name;
  return [kind, ...(where ? [where] : []), shown, ...(beside ? [JSON.stringify([beside, values])] : [])].join(' ');
}
