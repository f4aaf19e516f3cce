import { join, resolve } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import type { CheckRow, Need } from './check-row.ts';
import { configurationError, errorCause, errorMessage } from './configuration-error.ts';
import type { Contract, Matrix, Requirement, Rules } from './contract.ts';
import type { OpenApiDocument } from './openapi-document.ts';
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
  try {
    const document = await SwaggerParser.validate(file, { resolve: { http: false } });
    if (!('swagger' in document)) return document as OpenApiDocument;
  } catch (error) {
    // `Swagger schema validation failed.`, and the places below it. The parser names most files by their whole path.
    if (error instanceof RangeError)
      throw configurationError(`${file}: the document is nested too deeply; write it out`);
    if (/is not a valid (?:JSON Schema|Openapi)/.test(errorMessage(error)))
      throw configurationError(`${file} is no OpenAPI document: name one with openapi, info and paths at its top`);
    const [what = '', where = ''] = errorMessage(error).replaceAll(resolve(file), file).split('\n');
    const problem = [what, where.trim()].filter(Boolean).join(' ');
    throw configurationError(problem.includes(file) ? problem : `${file}: ${problem}`);
  }
  throw configurationError(`${file}: wanted OpenAPI 3.0 or 3.1, found Swagger 2.0; convert it first`);
}
