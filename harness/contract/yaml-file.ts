import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document, ErrorCode, LineCounter, Scalar } from 'yaml';
import { configurationError, errorCause, errorCode, errorMessage } from './configuration-error.ts';
import { stepsOf } from './json-value.ts';
import { isBundled, readOwn } from './package-files.ts';
import { readRegularFile } from './read-file.ts';
import { explain, keyOf, tellingErrors } from './schema-errors.ts';
import { validatorOf } from './validator.ts';

const require = createRequire(import.meta.url);

/** Reads `<name>.yaml` of a folder and validates it with `schemas/<name>.schema.json`. */
export function readDataFile<T>(folder: string, name: string): T {
  return readYamlFile<T>(join(folder, `${name}.yaml`), name);
}

/** The data in `assets/<name>.yaml` beside a module. The build keeps it as JSON: the parser of YAML takes long to load. */
export function readAsset<T>(module: string, name: string): T {
  const file = fileURLToPath(new URL(`assets/${name}.yaml`, module));
  try {
    return JSON.parse(readOwn(file.replace(/yaml$/, 'json')));
  } catch {
    return readYamlFile<T>(file, name);
  }
}

/**
 * Reads a YAML file and validates it with `schemas/<name>.schema.json` of this package.
 * @param name may depend on what the file says.
 * @throws a configuration error with file and line for a file that cannot be read, is not YAML, or does not match the
 * schema.
 */
export function readYamlFile<T>(file: string, name: string | ((data: unknown) => string)): T {
  return readPlacedFile<T>(file, name).data;
}

export interface Placed<T> {
  readonly data: T;
  /** The file, and the line in it where the value at a JSON pointer begins, or a key of it. */
  readonly at: (pointer: string, key?: string) => string;
}

/** The same, for problems that no schema sees. */
export function readPlacedFile<T>(file: string, name: string | ((data: unknown) => string)): Placed<T> {
  const text = textOf(file);
  const yaml = require('yaml') as typeof import('yaml');
  const lineCounter = new yaml.LineCounter();
  const lineAt = (offset: number) => `${file}: line ${lineCounter.linePos(offset).line}`;
  const { document, data } = parsed(yaml, file, text, lineCounter);
  // What follows a mistake of form is read wrongly, too.
  const all = [...document.errors, ...document.warnings];
  const form = all.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
  const errors = all.slice(0, form === -1 ? MOST_PROBLEMS : form + 1);
  if (errors.length > 0)
    throw configurationError(
      errors.map(
        ({ code, pos, message }) =>
          `${lineAt(pos[0])}: ${code === 'DUPLICATE_KEY' ? secondKey(text, pos[0]) : (WORDS[code] ?? message.split('\n')[0])}`,
      ),
    );
  const validate = validatorOf<T>(typeof name === 'string' ? name : name(data));
  const at: Placed<T>['at'] = (pointer, key) => lineAt(offsetOf(document, pointer, key));
  if (validate(data)) return { data, at };
  throw configurationError(
    tellingErrors(validate.errors ?? [])
      .slice(0, MOST_PROBLEMS)
      .map((error) => `${at(error.instancePath, keyOf(error))}: ${explain(error)}`),
  );
}

/** What to say of a key that stands there a second time. */
const secondKey = (text: string, from: number) =>
  `the key ${/^["']?([^"':\n]*)/.exec(text.slice(from))?.[1] ?? ''} stands here a second time; keep one`;

/** What the parser says in words that only authors of parsers know. */
const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_INDENT: 'a { or [ has no end, or the line begins in another column than those beside it',
  MISSING_CHAR: 'a quote has no end, or a key lacks the colon and the blank behind it',
  BLOCK_AS_IMPLICIT_KEY: 'a text with a colon and a blank in it needs quotes',
  UNEXPECTED_TOKEN: 'something is too much here; a text with braces, brackets, quotes or commas in it needs quotes',
  BAD_SCALAR_START: 'a text that begins with such a character needs quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins an escape; write two of them, or single quotes',
  TAB_AS_INDENT: 'a tab stands before the text; write blanks',
  MULTIPLE_DOCS: 'a second document begins here; keep one',
  TAG_RESOLVE_FAILED: 'the value has a tag; write it without',
};

/** More problems than anybody reads at once. */
const MOST_PROBLEMS = 20;
/** The files are written by people. A longer one, or one with more references, is not. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** The parser is recursive. It calls what it has no stack for a problem of the file, or ends the process. */
const MOST_NESTED = 200;
/** Lists or keys in one line, and in lines that are indented so far. */
const NESTED = new RegExp(String.raw`(?:[-?:][ \t]+){${MOST_NESTED}}|^[ \t]{${2 * MOST_NESTED}}`, 'm');

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > MOST_NESTED) return true;
  }
  return NESTED.test(text);
}

/** A document, and its value if it has no errors. The parser throws at an alias that multiplies. */
function parsed(
  { parseDocument }: typeof import('yaml'),
  file: string,
  text: string,
  lineCounter: LineCounter,
): { document: Document.Parsed; data: unknown } {
  if (isTooDeep(text)) throw configurationError(`${file}: line 1: the document is nested too deeply; write it out`);
  try {
    const document = parseDocument(text, { merge: true, lineCounter, prettyErrors: false, logLevel: 'error' });
    return { document, data: document.errors.length > 0 ? undefined : document.toJS() };
  } catch (error) {
    // `Unresolved alias (the anchor must be set before the alias): name`
    const [, alias] = /^Unresolved alias.*: (.*)$/.exec(errorMessage(error)) ?? [];
    if (alias !== undefined)
      throw configurationError(
        `${file}: line ${lineOfText(text, `*${alias}`)}: nothing before *${alias} is its anchor, &${alias}`,
      );
    // `Merge sources must be maps or map aliases`, or `Excessive alias count indicates a resource exhaustion attack`
    const isMerge = /^Merge/.test(errorMessage(error));
    if (isMerge)
      throw configurationError(`${file}: line ${lineOfText(text, '<<')}: << wants an alias of keys with values`);
    const what = error instanceof RangeError ? 'is nested too deeply' : 'repeats itself too often with aliases';
    throw configurationError(`${file}: line 1: the document ${what}; write it out`);
  }
}

function lineOfText(text: string, part: string): number {
  return text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length;
}

/** Where the value at a JSON pointer begins in the file, or a key of it; its nearest known parent if it is not there. */
function offsetOf(document: Document.Parsed, pointer: string, key?: unknown): number {
  const steps = stepsOf(pointer);
  for (let count = steps.length; count > 0; count -= 1) {
    const node: unknown = document.getIn(
      steps.slice(0, count).map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      true,
    );
    const { range } = keyIn(count === steps.length ? node : undefined, key) ?? Object(node);
    if (Array.isArray(range) && typeof range[0] === 'number') return range[0];
  }
  return Object(keyIn(document.contents, key) ?? document.contents).range?.[0] ?? 0;
}

/** A key of a mapping; undefined if it has none. */
function keyIn(node: unknown, key: unknown): Scalar | undefined {
  const { items = [] }: { readonly items?: readonly { readonly key?: Scalar }[] } = Object(node);
  return key === undefined ? undefined : items.flatMap((pair) => pair.key ?? []).find((one) => one.value === key);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function textOf(file: string): string {
  let text: string;
  try {
    text = isBundled(file) ? readOwn(file) : UTF_8.decode(readRegularFile(file, 4 * MOST_CHARACTERS));
  } catch (error) {
    if (errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw configurationError(`${file}: line 1: the file is no text in UTF-8; save it as UTF-8`);
    throw configurationError(`cannot read ${file} (${errorCause(error)})`);
  }
  if (text.length > MOST_CHARACTERS)
    throw configurationError(`${file}: line 1: the file has more than ${MOST_CHARACTERS} characters`);
  return text;
}
