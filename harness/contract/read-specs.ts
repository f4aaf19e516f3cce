import { join, resolve } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { CheckRow, Need } from './check-row.ts';
import { configurationError, errorCause, errorMessage, isConfigurationError } from './configuration-error.ts';
import type { Contract, Matrix, Requirement, Rules } from './contract.ts';
import { stepsOf } from './json-value.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { OPENAPI_FILE } from './package-files.ts';
import { readRegularFile } from './read-file.ts';
import { explain } from './schema-errors.ts';
import type { Section } from './sections.ts';
import { ownVariations } from './variations.ts';
import { readDataFile } from './yaml-file.ts';

/** What the files of a contract's folder say. */
export interface Specs
  extends Pick<
    Contract,
    'matrix' | 'requirements' | 'rules' | 'checks' | 'has' | 'people' | 'identity' | 'sections' | 'variations'
  > {
  readonly document: OpenApiDocument;
}

/** Reads each file of a contract's folder, and validates it. @throws a configuration error with the file and the place in it. */
export async function readSpecs(folder: string): Promise<Specs> {
  const { checks, has } = readDataFile<{ checks: CheckRow[]; has: Need[] }>(folder, 'checks');
  return {
    matrix: readDataFile<Matrix>(folder, 'matrix'),
    requirements: readDataFile<{ requirements: Requirement[] }>(folder, 'requirements').requirements,
    rules: readDataFile<Rules>(folder, 'rules'),
    checks,
    has,
    people: { suffix: 'EMAIL' },
    sections: readDataFile<{ sections: Section[] }>(folder, 'sections').sections,
    document: await readOpenApi(join(folder, OPENAPI_FILE)),
    variations: ownVariations(),
  };
}

/** An OpenAPI document without references. What it refers to lies on this machine: nothing is fetched. */
export async function readOpenApi(file: string): Promise<OpenApiDocument> {
  try {
    readRegularFile(file);
  } catch (error) {
    throw configurationError(`cannot read ${file} (${errorCause(error)}); name an OpenAPI document`);
  }
  const parser = new SwaggerParser();
  try {
    const document: object = await parser.bundle(file, OFFLINE);
    if ('swagger' in document)
      throw configurationError(`${file}: wanted OpenAPI 3.0 or 3.1, found Swagger 2.0; convert it first`);
    // The parser takes no path that refers to another place (OpenAPI 3.1 4.8.9.1) if what it finds there refers to itself.
    const { paths = {} }: { paths?: Record<string, { $ref?: string }> } = document;
    for (const [path, { $ref, ...own }] of Object.entries(paths))
      if ($ref !== undefined) paths[path] = { ...Object(parser.$refs.get($ref)), ...own };
    return (await parser.validate(file, document as Bundled, OFFLINE)) as OpenApiDocument;
  } catch (error) {
    if (isConfigurationError(error)) throw error;
    const { details }: { readonly details?: readonly ErrorObject[] } = Object(error);
    if (details) throw configurationError(`${file}: ${openApiProblem(details, parser.api)}`);
    if (error instanceof RangeError)
      throw configurationError(`${file}: the document is nested too deeply; write it out`);
    if (/is not a valid (?:JSON Schema|Openapi)/.test(errorMessage(error)))
      throw configurationError(`${file} is no OpenAPI document: name one with openapi, info and paths at its top`);
    // The parser names most files by their whole path.
    const [problem = ''] = errorMessage(error).replaceAll(resolve(file), file).split('\n');
    const isElsewhere = /\$ref pointer "https?:/.test(problem);
    throw configurationError(
      `${problem.includes(file) ? '' : `${file}: `}${problem}${isElsewhere ? '; nothing is fetched, so save it beside the document and refer to that file' : ''}`,
    );
  }
}
const OFFLINE = { resolve: { http: false } } as const;
type Bundled = Awaited<ReturnType<typeof SwaggerParser.bundle>>;

/**
 * What is wrong with an OpenAPI document, from the errors of its schema: the innermost one. Those around it follow from it, or
 * are about alternatives that nobody meant, such as a reference or a scheme of another type.
 * @param document what was validated. The errors do not quote it.
 */
function openApiProblem(errors: readonly ErrorObject[], document: unknown): string {
  const otherTypes = errors.flatMap(({ schemaPath }) => /^(.*\/)properties\/type\/enum$/.exec(schemaPath)?.[1] ?? []);
  const isMeant = ({ schemaPath }: ErrorObject) =>
    !schemaPath.includes('/Reference/') && !otherTypes.some((one) => schemaPath.startsWith(one));
  const meant = errors.filter(isMeant);
  const [error] = (meant.length > 0 ? meant : errors)
    .filter(({ keyword }) => !AROUND.includes(keyword))
    .sort((a, b) => stepsOf(b.instancePath).length - stepsOf(a.instancePath).length);
  if (!error) return 'the document does not fit the schema of OpenAPI';
  const { instancePath, keyword, params, propertyName } = error;
  const unknown = params['unevaluatedProperty'] ?? (keyword === 'pattern' ? propertyName : undefined);
  if (unknown !== undefined) return `${instancePath || '/'} cannot have the key ${JSON.stringify(unknown)}`;
  const data = stepsOf(instancePath).reduce((value: unknown, step) => Object(value)[step], document);
  const same = errors.filter((one) => one.instancePath === instancePath && one.keyword === keyword);
  const wanted = same.flatMap((one): readonly unknown[] => Object.values(one.params)[0] ?? []);
  return explain({ ...error, data, schema: keyword === 'enum' ? [...new Set(wanted)] : Object.values(params)[0] });
}

/** Keywords of alternatives. */
const AROUND: readonly string[] = ['oneOf', 'anyOf', 'if', 'not', 'propertyNames'];
