import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { didYouMean } from './configuration-error.ts';
import { loadOwn, namesIn, readOwn } from './package-files.ts';
import { specsFolder } from './specs-folder.ts';

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

const schemas = join(specsFolder, 'schemas');
const SUFFIX = '.schema.json';

function schemaText(name: string): string {
  return readOwn(join(schemas, `${name}${SUFFIX}`));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The errors without those that follow from others: a misspelled key is missing under its right name too, and none of several
 * alternatives fits.
 */
export function tellingErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const found = (keyword: string, at: string) =>
    errors.filter((error) => error.keyword === keyword && error.instancePath === at);
  return errors.filter(({ keyword, instancePath, schemaPath }) => {
    const isConsequence = keyword === 'required' || CHOICES.includes(keyword);
    if (isConsequence && found('additionalProperties', instancePath).length > 0) return false;
    const choices = CHOICES.flatMap((choice) => found(choice, instancePath));
    return choices.every((choice) => !schemaPath.startsWith(`${choice.schemaPath}/`));
  });
}

/** Keywords of several alternatives. */
const CHOICES: readonly string[] = ['oneOf', 'anyOf'];

/** Describes a schema error: its pointer, what the schema expects, and the name closest to an unknown key. */
export function explain(error: ErrorObject): string {
  const where = error.instancePath || '/';
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const properties: unknown = error.parentSchema?.['properties'];
    return `${where} has the unknown key "${key}"${didYouMean(key, Object.keys(properties ?? {}))}`;
  }
  if (CHOICES.includes(error.keyword) && Array.isArray(error.schema)) {
    const keys = error.schema.map(({ required = [] }: { readonly required?: readonly string[] }) => required);
    if (keys.every(({ length }) => length > 0))
      return `${where} must have ${error.keyword === 'oneOf' ? 'either ' : ''}${keys.map((names) => names.join(' and ')).join(' or ')}`;
  }
  if (error.keyword === 'required') return `${where} lacks "${error.params['missingProperty']}"`;
  if (error.keyword === 'minLength') return `${where} has fewer than ${error.schema} characters`;
  const [example]: readonly unknown[] = error.parentSchema?.['examples'] ?? [];
  if (error.keyword === 'pattern' && example !== undefined)
    return `${where} is ${JSON.stringify(error.data)}, wanted a text such as ${example}`;
  if (error.keyword === 'enum') return `${where} must be one of ${JSON.stringify(error.schema)}`;
  return `${where} ${error.message ?? 'is invalid'}`;
}
