import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { configurationError } from './configuration-error.ts';
import { errorMessage } from './error-text.ts';

/** One operation of the OpenAPI document, with all that the matrix needs to know of it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The scope that a token must hold (spec 4.2), from the operation's `security`. */
  readonly scope: string;
  /** The request body's example; undefined where the operation takes none. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** The first required property of the body and a value of another type, for the faulty bodies. */
  readonly field: { readonly name: string; readonly mistyped: unknown } | undefined;
  readonly success: { readonly status: number; readonly validate: ValidateFunction | undefined };
  /** A schema describes the body of its success. Without one the body is free: it may stream, and it proves nothing. */
  readonly documentsBody: boolean;
  /** It thinks before it answers, as a chat does: it may be slow, and what it accepts costs its owner more. */
  readonly isSlow: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
type Method = (typeof METHODS)[number];
interface MediaType {
  schema?: { type?: string; required?: string[]; properties?: Record<string, { type?: string }> };
  example?: Record<string, unknown>;
}
interface OperationObject {
  operationId?: string;
  security?: Record<string, string[]>[];
  requestBody?: { content?: Record<string, MediaType> };
  responses?: Record<string, { content?: Record<string, MediaType> }>;
}
interface Document {
  paths?: Record<string, Partial<Record<Method, OperationObject>>>;
  components?: { securitySchemes?: Record<string, { type?: string; scheme?: string }> };
}

/** Reads `client-api.openapi.yaml` of a folder; refuses what the parser lets through but the matrix cannot use. */
export async function loadOperations(folder: string, scopes: readonly string[]): Promise<readonly Operation[]> {
  const file = join(folder, 'client-api.openapi.yaml');
  let document: Document;
  try {
    document = (await SwaggerParser.validate(file)) as Document;
  } catch (error) {
    throw configurationError(`${file}: ${errorMessage(error)}`);
  }
  const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true }));
  const problems: string[] = [];
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const found = item[method];
      if (!found) continue;
      const at = `${file}: ${method.toUpperCase()} ${path}`;
      try {
        operations.push(readOperation({ document, found, method, path }, ajv));
      } catch (error) {
        problems.push(`${at} ${errorMessage(error)}`);
      }
      const read = operations.at(-1);
      if (read && !scopes.includes(read.scope))
        problems.push(`${at} needs the scope ${read.scope}, unknown to matrix.yaml`);
    }
  }
  const ids = operations.map(({ id }) => id);
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (doubled.length > 0) problems.push(`${file}: operationId ${doubled.join(', ')} stands twice`);
  if (operations.length === 0) problems.push(`${file}: describes no operation`);
  if (problems.length > 0) throw configurationError(problems);
  return operations;
}

/** An operation, and where it was found. */
interface Found {
  readonly document: Document;
  readonly found: OperationObject;
  readonly method: string;
  readonly path: string;
}

function readOperation({ document, found, method, path }: Found, ajv: Ajv2020): Operation {
  const id = found.operationId;
  if (!id || !/^[a-z][a-z0-9-]*$/.test(id))
    throw new Error('needs an operationId of lower-case letters, digits and hyphens');
  const [requirement, ...others] = found.security ?? [];
  const [scheme, ...more] = Object.keys(requirement ?? {});
  if (!requirement || !scheme || others.length > 0 || more.length > 0)
    throw new Error('needs exactly one security requirement');
  const definition = document.components?.securitySchemes?.[scheme];
  if (definition?.type !== 'http' || definition.scheme !== 'bearer')
    throw new Error(`names the security scheme "${scheme}", which is not a bearer scheme of this document`);
  const [scope, ...moreScopes] = requirement[scheme] ?? [];
  if (!scope || moreScopes.length > 0) throw new Error('must name exactly one scope in its security requirement');
  if (path.includes('{')) throw new Error('has a path parameter; cases are sent to fixed paths only');
  const media = found.requestBody?.content?.['application/json'];
  if (found.requestBody && !media?.example)
    throw new Error('has a request body without application/json and an example');
  const [status, response] = Object.entries(found.responses ?? {}).find(([code]) => /^2\d\d$/.test(code)) ?? [];
  if (!status) throw new Error('documents no 2xx response');
  const schema = response?.content?.['application/json']?.schema;
  return {
    id,
    method: method.toUpperCase(),
    path,
    scope,
    example: media?.example,
    field: media ? requiredField(media) : undefined,
    success: { status: Number(status), validate: schema ? ajv.compile(schema as AnySchema) : undefined },
    documentsBody: schema !== undefined,
    // No field of the document says how long an answer takes. The answer that has no form is the one that is thought out.
    isSlow: schema === undefined,
  };
}

/** The first required property and a value that its type refuses. */
function requiredField(media: MediaType): Operation['field'] {
  const name = media.schema?.required?.[0];
  if (!name) return undefined;
  return {
    name,
    mistyped: media.schema?.properties?.[name]?.type === 'string' ? { not: 'a string' } : 'not the right type',
  };
}
