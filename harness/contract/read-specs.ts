import { join, resolve } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { CheckRow, Need } from './check-row.ts';
import { configurationError, errorCause, errorMessage, isConfigurationError } from './configuration-error.ts';
import type { Contract, Matrix, Requirement, Rules } from './contract.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { openApiProblem } from './openapi-problem.ts';
import { readRegularFile } from './read-file.ts';
import type { Section } from './sections.ts';
import { OPENAPI_FILE } from './specs-folder.ts';
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

/**
 * Reads each file of a contract's folder, and validates it against its schema.
 * @throws a configuration error with the file, and the place in it, of what is wrong.
 */
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
