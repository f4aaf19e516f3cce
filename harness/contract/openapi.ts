import type { AnySchema, ValidateFunction } from 'ajv/dist/2020.js';
import { repeatedIn } from './collections.ts';
import { configurationError, errorMessage } from './configuration-error.ts';
import { once } from './once.ts';
import { METHODS, type OpenApiDocument, type OperationObject, type Schema } from './openapi-document.ts';
import { documentAjv } from './validator.ts';

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The scopes that a token must hold, all of them (spec 4.2), from the operation's `security`. May be none. */
  readonly scopes: readonly string[];
  /** The example of the request body; undefined if the operation takes no body. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** What says that the body is JSON: `application/json`, unless the document has only another such type. */
  readonly contentType: string;
  /** The first required property of the body and a value of the wrong type, to make faulty bodies. */
  readonly field: BodyField | undefined;
  /** The first optional property of the body and a value of the wrong type. */
  readonly option: BodyField | undefined;
  readonly success: {
    readonly status: number;
    /** What else the document calls a success. Nothing describes the body then. */
    readonly others: readonly number[];
    readonly validate: ValidateFunction | undefined;
  };
  /** Whether a schema describes the body of a success. Without a schema, any body is fine and it may stream. */
  readonly documentsBody: boolean;
  /** Whether the operation is slow and expensive, like a chat: its `x-slow`. */
  readonly isSlow: boolean;
  /** Whether no request to its path does harm, whatever its method: its `x-harmless`, unless that is false. */
  readonly isHarmless: boolean;
  /** The other methods of its path that a document describes. Each is an operation of its own, which others may use. */
  readonly others: readonly string[];
}

/** A property of a body, and a value that its type does not allow. */
interface BodyField {
  readonly name: string;
  readonly mistyped: unknown;
}

/** The statuses of a success, in words: `200 or 204`. */
export function statusesOf({ success: { status, others } }: Pick<Operation, 'success'>): string {
  return others.length === EACH_2XX ? '2xx' : [status, ...others].join(' or ');
}
/** Successes besides the first where each one of HTTP counts (RFC 9110 15.3). */
export const EACH_2XX = 6;

export const JSON_TYPE = 'application/json';
/** Such as `application/vnd.api+json; charset=utf-8`. */
const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/** The content type that says JSON, and what a document says of it. What it says of any type, it says of JSON too. */
export function jsonIn<T>(content: Readonly<Record<string, T>> = {}): readonly [type: string, media: T] | undefined {
  const all = Object.entries(content);
  const any = all.find(([type]) => type === '*/*');
  const found = all.find(([type]) => type === JSON_TYPE) ?? all.find(([type]) => JSON_TYPES.test(type));
  return found ?? (any && [JSON_TYPE, any[1]]);
}

/** The operations of the client API, which the matrix crosses with everything. */
export interface Operations {
  readonly operations: readonly [Operation, ...Operation[]];
  /** The messages of the remote MCP server, as operations outside the matrix. Only checks of the capability `mcp` send them. */
  readonly mcp: readonly Operation[];
}

/**
 * The operations of an OpenAPI document.
 * @param file the name of the document, for errors.
 * @param scopes the scopes of matrix.yaml.
 * @param isBuilt its schemas were compiled already, without an error, so that they need not be before they are used.
 * @throws a configuration error for a document that the matrix cannot use.
 */
export function operationsOf(
  document: OpenApiDocument,
  file: string,
  scopes: readonly string[],
  isBuilt = false,
): Operations {
  const compile = compiler();
  const problems: string[] = [];
  const operations: Operation[] = [];
  const mcp: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const definition = item[method];
      if (!definition) continue;
      const at = `${file}: ${method.toUpperCase()} ${path}`;
      try {
        const operation = readOperation({ document, definition, method, path }, compile);
        if (!isBuilt) void operation.success.validate;
        if (definition['x-capability'] === 'mcp') mcp.push(...messagesOf(operation, definition));
        else operations.push(operation);
        for (const scope of operation.scopes)
          if (!scopes.includes(scope)) problems.push(`${at} needs the scope ${scope}, which matrix.yaml does not list`);
      } catch (error) {
        problems.push(`${at} ${errorMessage(error)}`);
      }
    }
  }
  const duplicates = repeatedIn(operations.map(({ id }) => id));
  if (duplicates.length > 0) problems.push(`${file}: duplicate operationId ${duplicates.join(', ')}`);
  const [first, ...others] = operations;
  if (!first) problems.push(`${file}: the document describes no operation`);
  if (!first || problems.length > 0) throw configurationError(problems);
  return { operations: [first, ...others], mcp };
}

/**
 * One operation for each example of the body: `mcp-initialize` sends the example `initialize`. A message without an id is
 * told and gets no result (JSON-RPC 2.0, 4.1), so nothing describes the body of the answer to it.
 */
function messagesOf(operation: Operation, { requestBody }: OperationObject): readonly Operation[] {
  const examples = requestBody?.content?.['application/json']?.examples ?? {};
  return Object.entries(examples).map(([name, { value }]) => ({
    ...operation,
    ...(value &&
      !('id' in value) && { success: { status: 202, others: [], validate: undefined }, documentsBody: false }),
    id: `${operation.id}-${name}`,
    example: value,
  }));
}

interface Definition {
  readonly document: OpenApiDocument;
  readonly definition: OperationObject;
  readonly method: string;
  readonly path: string;
}

type Compile = (schema: AnySchema) => ValidateFunction;

/** Strict mode refuses what it does not understand. Documents leave types out, as in `allOf` beside a reference. */
function compiler(): Compile {
  const ajv = once(() => documentAjv({ code: { optimize: false }, strict: true, strictTypes: false }));
  return (schema) => ajv().compile(schema);
}

function successOf(
  [status = 200, ...others]: readonly number[],
  schema: unknown,
  compile: Compile,
): Operation['success'] {
  const validate = once(() => (schema === undefined ? undefined : compile(schema as AnySchema)));
  return {
    status,
    others,
    get validate() {
      return validate();
    },
  };
}

function readOperation({ document, definition, method, path }: Definition, compile: Compile): Operation {
  const id = definition.operationId;
  if (!id || !/^[a-z][a-z0-9-]*$/.test(id))
    throw new Error('needs an operationId of lower-case letters, digits and hyphens');
  const scopes = requiredScopes(document, definition);
  if (path.includes('{')) throw new Error('has a path parameter; the suite sends cases to fixed paths only');
  if (/[^!-~]/.test(path))
    throw new Error(
      'has a character in its path that an address cannot have; percent-encode it, such as %20 for a blank',
    );
  const [contentType, media] = jsonIn(definition.requestBody?.content) ?? [JSON_TYPE];
  if (definition.requestBody && !media?.example && !media?.examples)
    throw new Error('has a request body, which needs the content type application/json and an example');
  const successes = Object.entries(definition.responses ?? {}).filter(([code]) => /^2\d\d$/.test(code));
  const [success] = successes;
  if (!success) throw new Error('needs a 2xx response');
  const schema = success[1].content?.['application/json']?.schema;
  return {
    id,
    method: method.toUpperCase(),
    path,
    scopes,
    example: media?.example,
    contentType,
    ...fieldsOf(media?.schema),
    success: successOf(
      successes.map(([code]) => Number(code)),
      schema,
      compile,
    ),
    documentsBody: schema !== undefined,
    isSlow: definition['x-slow'] === true,
    isHarmless: definition['x-harmless'] !== false,
    others: definition['x-others'] ?? [],
  };
}

/** The scopes of the one security requirement of an operation. */
function requiredScopes(document: OpenApiDocument, definition: OperationObject): readonly string[] {
  const [requirement, ...otherRequirements] = definition.security ?? [];
  const [scheme, ...otherSchemes] = Object.keys(requirement ?? {});
  if (!requirement || !scheme || otherRequirements.length > 0 || otherSchemes.length > 0)
    throw new Error('needs exactly one security requirement');
  const securityScheme = document.components?.securitySchemes?.[scheme];
  if (securityScheme?.type !== 'http' || securityScheme.scheme !== 'bearer')
    throw new Error(`uses the security scheme "${scheme}", which is not a bearer scheme of this document`);
  return requirement[scheme] ?? [];
}

/** The first required property and the first optional one that have a type, each with a value of another type. */
function fieldsOf(schema: Schema | undefined): Pick<Operation, 'field' | 'option'> {
  const parts = partsOf(schema);
  const required = parts.flatMap((part) => part.required ?? []);
  const all = parts.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, property]): BodyField[] => {
      const types = typesOf(property);
      const other = types.length > 0 && OTHERS.find(([type]) => !types.includes(type));
      return other ? [{ name, mistyped: other[1] }] : [];
    }),
  );
  return {
    field: required.map((name) => all.find((one) => one.name === name)).find((one) => one !== undefined),
    option: all.find(({ name }) => !required.includes(name)),
  };
}
const OTHERS: readonly (readonly [type: string, value: unknown])[] = [
  ['string', 'not the right type'],
  ['object', { not: 'a string' }],
  ['boolean', true],
];

/** The types that a value may have. None if that is not known, as where one of several alternatives has no type. */
function typesOf(schema: Schema): readonly string[] {
  const parts = partsOf(schema);
  const own = parts.flatMap(({ type = [] }) => type);
  if (own.length > 0) return own;
  const each = parts
    .flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf])
    .map(({ type = [] }) => [type].flat());
  return each.some(({ length }) => length === 0) ? [] : each.flat();
}

/** A schema and those that describe the same value beside it. A document may refer to itself. */
function partsOf(schema: Schema | undefined, left = DEEPEST): readonly Schema[] {
  if (schema === undefined || left === 0) return [];
  return [schema, ...(schema.allOf ?? []).flatMap((part) => partsOf(part, left - 1))];
}
const DEEPEST = 8;
