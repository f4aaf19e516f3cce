import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { operations } from '../terms/operations.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Body, Call } from './steps.ts';

/** The body as the contract's schema describes it (spec 2.3, 2.4), without coercion: `5` is no query. */
export function validateBody({ operation }: Call, body: unknown): Body {
  const validate = validators().get(operation.body);
  if (!validate) throw new Error(`There is no schema ${operation.body} for ${operation.id}.`);
  if (validate(body)) return body;
  const faults = validate.errors?.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  throw new Refusal('invalid-body', { detail: `The request body is refused: ${faults?.join('; ')}.` });
}

let compiled: ReadonlyMap<string, ValidateFunction<Body>> | undefined;

function validators(): ReadonlyMap<string, ValidateFunction<Body>> {
  compiled ??= compile(createRequire(import.meta.url).resolve('#specs/client-api.openapi.yaml'));
  return compiled;
}

/** Only the bodies come out of the contract: were the policy read from there too, a slip in it would go unseen. */
function compile(path: string): ReadonlyMap<string, ValidateFunction<Body>> {
  const { components }: { components: { schemas: Record<string, unknown> } } = parse(readFileSync(path, 'utf8'));
  // The other keywords of an OpenAPI document are unknown to a schema validator, hence not strict.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  return new Map(
    operations.map(({ body }) => [body, ajv.compile<Body>({ $ref: `#/components/schemas/${body}`, components })]),
  );
}
