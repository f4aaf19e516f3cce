import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { configurationError } from './configuration-error.ts';
import { didYouMean } from './did-you-mean.ts';
import { errorCause } from './error-text.ts';

/** The folder specs/ of the installed package; the same from source and from dist/. */
export const specsFolder = dirname(createRequire(import.meta.url).resolve('#specs/matrix.yaml'));

/** Our own schemas: a test checks them against theirs, since doing so here is a tenth of what it takes to start. */
const AJV_OPTIONS = {
  meta: false,
  validateSchema: false,
  allErrors: true,
  verbose: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
} as const;

/** Reads a YAML file of `folder` and holds it against `schemas/<name>.schema.json`. */
export function readDataFile<T>(folder: string, name: string): T {
  return readYamlFile<T>(join(folder, `${name}.yaml`), name);
}

/**
 * Reads a YAML file and holds it against `schemas/<name>.schema.json` of this package.
 * @throws a configuration error for a file that cannot be read, is no YAML or does not keep to the schema.
 */
export function readYamlFile<T>(file: string, name: string): T {
  const document = parseDocument(textOf(file), { merge: true });
  if (document.errors.length > 0) throw configurationError(document.errors.map((e) => `${file}: ${e.message}`));
  const data: unknown = document.toJS();
  const validate = new Ajv2020(AJV_OPTIONS).compile(schemaOf(name));
  if (validate(data)) return data as T;
  throw configurationError((validate.errors ?? []).map((error) => `${file}: ${explain(error)}`));
}

function schemaOf(name: string): AnySchema {
  return JSON.parse(readFileSync(join(specsFolder, 'schemas', `${name}.schema.json`), 'utf8'));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = errorCause(error);
    throw configurationError(`cannot read ${file} (${code})`);
  }
}

/** One schema error in words: where, what was wanted, and the likely meant name of an unknown key. */
function explain(error: ErrorObject): string {
  const where = error.instancePath || '/';
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const properties: unknown = error.parentSchema?.['properties'];
    return `${where} has the unknown key "${key}"${didYouMean(key, Object.keys(properties ?? {}))}`;
  }
  if (error.keyword === 'enum') return `${where} must be one of ${JSON.stringify(error.schema)}`;
  return `${where} ${error.message ?? 'is invalid'}`;
}
