import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { configurationError } from './configuration-error.ts';
import { didYouMean } from './did-you-mean.ts';
import { errorCause } from './error-text.ts';
import { specsFolder } from './specs-folder.ts';

const AJV_OPTIONS = {
  // Code that is not optimized is as fast for our files, and made in half of the time.
  code: { optimize: false },
  // To check the schemas takes a tenth of the start-up time; a test does it instead.
  meta: false,
  validateSchema: false,
  // A format is an annotation (JSON Schema 2020-12 7.2.1), and no file of ours needs more.
  validateFormats: false,
  allErrors: true,
  verbose: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
} as const;

/** Reads `<name>.yaml` of a folder and validates it with `schemas/<name>.schema.json`. */
export function readDataFile<T>(folder: string, name: string): T {
  return readYamlFile<T>(join(folder, `${name}.yaml`), name);
}

/**
 * Reads a YAML file and validates it with `schemas/<name>.schema.json` of this package.
 * @throws a configuration error with file and line for a file that cannot be read, is not YAML, or does not match the
 * schema.
 */
export function readYamlFile<T>(file: string, name: string): T {
  const text = textOf(file);
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => `${file}: line ${lineCounter.linePos(offset).line}`;
  const { document, data } = parsed(file, text, lineCounter);
  const errors = document.errors.slice(0, MOST_PROBLEMS);
  if (errors.length > 0)
    throw configurationError(errors.map(({ pos, message }) => `${lineAt(pos[0])}: ${message.split('\n')[0]}`));
  const validate = validatorOf<T>(name);
  if (validate(data)) return data;
  const place = (error: ErrorObject) => lineAt(offsetOf(document, error.instancePath));
  throw configurationError(
    (validate.errors ?? []).slice(0, MOST_PROBLEMS).map((error) => `${place(error)}: ${explain(error)}`),
  );
}

/** More problems than anybody reads at once. */
const MOST_PROBLEMS = 20;
/** The files are written by people. A longer one, or one with more references, is not. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A document, and its value if it has no errors. The parser throws at deep nesting, and at an alias that multiplies. */
function parsed(file: string, text: string, lineCounter: LineCounter): { document: Document.Parsed; data: unknown } {
  try {
    const document = parseDocument(text, { merge: true, lineCounter, prettyErrors: false, logLevel: 'error' });
    return { document, data: document.errors.length > 0 ? undefined : document.toJS() };
  } catch (error) {
    const what = error instanceof RangeError ? 'is nested too deeply' : 'repeats itself too often with aliases';
    throw configurationError(`${file}: line 1: the document ${what}; write it out`);
  }
}

/** Where the value at a JSON pointer begins in the file; its nearest known parent if it is not there. */
function offsetOf(document: Document.Parsed, pointer: string): number {
  const keys = pointer.split('/').slice(1);
  const steps = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let count = steps.length; count > 0; count -= 1) {
    const node: unknown = document.getIn(
      steps.slice(0, count).map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      true,
    );
    const { range } = Object(node);
    if (Array.isArray(range) && typeof range[0] === 'number') return range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** The compiled validator of a schema of this package. */
export function validatorOf<T>(name: string): ValidateFunction<T> {
  return new Ajv2020(AJV_OPTIONS).compile<T>(schemaOf(name));
}

function schemaOf(name: string): AnySchema {
  return JSON.parse(readFileSync(join(specsFolder, 'schemas', `${name}.schema.json`), 'utf8'));
}

function textOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw configurationError(`cannot read ${file} (${errorCause(error)})`);
  }
  if (text.length > MOST_CHARACTERS)
    throw configurationError(`${file}: line 1: the file has more than ${MOST_CHARACTERS} characters`);
  return text;
}

/** Describes a schema error: its pointer, what the schema expects, and the name closest to an unknown key. */
export function explain(error: ErrorObject): string {
  const where = error.instancePath || '/';
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const properties: unknown = error.parentSchema?.['properties'];
    return `${where} has the unknown key "${key}"${didYouMean(key, Object.keys(properties ?? {}))}`;
  }
  if (error.keyword === 'enum') return `${where} must be one of ${JSON.stringify(error.schema)}`;
  return `${where} ${error.message ?? 'is invalid'}`;
}
