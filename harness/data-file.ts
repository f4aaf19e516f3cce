import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { configurationError } from './configuration-error.ts';
import { didYouMean } from './likely.ts';

/** The folder specs/ of the installed package; the same from source and from dist/. */
export const specsFolder = dirname(createRequire(import.meta.url).resolve('#specs/matrix.yaml'));

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
});

/** Reads a YAML file of `folder` and holds it against `schemas/<name>.schema.json`. */
export function readDataFile<T>(folder: string, name: string): T {
  const file = join(folder, `${name}.yaml`);
  const document = parseDocument(readFileSync(file, 'utf8'), { merge: true });
  if (document.errors.length > 0) throw configurationError(document.errors.map((e) => `${file}: ${e.message}`));
  const data: unknown = document.toJS();
  const schema: AnySchema = JSON.parse(readFileSync(join(specsFolder, 'schemas', `${name}.schema.json`), 'utf8'));
  const validate = ajv.compile(schema);
  if (validate(data)) return data as T;
  throw configurationError((validate.errors ?? []).map((error) => `${file}: ${explain(error)}`));
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
