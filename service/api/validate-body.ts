import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { type Endpoint, operations } from '../terms/operations.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Body, Call } from './steps.ts';

/** Checks the body against the schema of the API description (spec 2.3, 2.4). Types are not coerced: `5` is not a query. */
export function validateBody({ operation }: Call, body: unknown): Body {
  const validate = validators.get(operation.id);
  if (!validate) throw new Error(`There is no schema for the body of ${operation.id}.`);
  if (validate(body)) return body;
  const faults = validate.errors?.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  throw new Refusal('invalid-body', { detail: `The request body is not valid: ${faults?.join('; ')}.` });
}

const validators = compile(createRequire(import.meta.url).resolve('#specs/client-api/openapi.yaml'));

/**
 * Only the body schemas come from the API description. The rest of the policy is written in this service: if both sides of a
 * test read the same file, a mistake in that file would go unnoticed.
 */
function compile(path: string): ReadonlyMap<Endpoint['id'], ValidateFunction<Body>> {
  const { components }: { components: { schemas: Record<string, unknown> } } = parse(readFileSync(path, 'utf8'));
  // Strict mode would reject the OpenAPI keywords that JSON Schema does not know.
  // The build has validated the description. To compile the schema of schemas would take a tenth of a second.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
  return new Map(
    operations.map(({ id, body }) => [id, ajv.compile<Body>({ $ref: `#/components/schemas/${body}`, components })]),
  );
}
