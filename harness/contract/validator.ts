import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnySchema, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { loadOwn, namesIn, readOwn, specsFolder } from './package-files.ts';

const AJV_OPTIONS = {
  // Code that is not optimized is as fast for our files, and made in half of the time.
  code: { optimize: false, source: true },
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
/** Where the build keeps validators: dist/validators, beside dist/harness. The sources have no such folder. */
const builtValidators = fileURLToPath(new URL('../../validators', import.meta.url));
const require = createRequire(import.meta.url);

/**
 * The validator of a schema of this package. It is compiled only if no build did, or if the schema has changed since: to
 * compile the one of a report takes a tenth of a second.
 * @param folder the validators of the build.
 */
export function validatorOf<T>(name: string, folder = builtValidators): ValidateFunction<T> {
  const schema = schemaText(name);
  return builtValidator<T>(join(folder, `${name}.cjs`), digestOf(schema)) ?? compile<T>(schema).validate;
}

/** The validators of all schemas as CommonJS modules, for the build to keep. */
export function validatorModules(): readonly { readonly name: string; readonly text: string }[] {
  const { default: standaloneCode }: typeof import('ajv/dist/standalone/index.js') = require('ajv/dist/standalone');
  return namesIn(schemas).map((file) => {
    const name = file.replace(SUFFIX, '');
    const schema = schemaText(name);
    const { ajv, validate } = compile(schema);
    return { name, text: `${standaloneCode(ajv, validate)}\nmodule.exports.schemaDigest = "${digestOf(schema)}";\n` };
  });
}

function builtValidator<T>(file: string, digest: string): ValidateFunction<T> | undefined {
  let built: ValidateFunction<T> & { readonly schemaDigest?: string };
  try {
    built = loadOwn(file) as typeof built;
  } catch {
    return undefined;
  }
  return built.schemaDigest === digest ? built : undefined;
}

/** Loads the compiler only if it is needed. */
function compile<T>(schema: string) {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const ajv = new Ajv2020(AJV_OPTIONS);
  const parsed: AnySchema = JSON.parse(schema);
  return { ajv, validate: ajv.compile<T>(parsed) };
}

/** Validates by the schemas of a document that somebody else wrote. To load it takes a tenth of the time in which a command starts. */
export function documentAjv(options: Options) {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const { default: addFormats }: typeof import('ajv-formats') = require('ajv-formats');
  // The schema of schemas, which Ajv compiles each time, would add nothing.
  return addFormats.default(new Ajv2020({ allErrors: true, meta: false, validateSchema: false, ...options }));
}

const schemas = join(specsFolder, 'schemas');
const SUFFIX = '.schema.json';

function schemaText(name: string): string {
  return readOwn(join(schemas, `${name}${SUFFIX}`));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
