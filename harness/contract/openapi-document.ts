/** The methods of an operation that a contract may have. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** Those that a document may have besides. HEAD is a way to ask GET (RFC 9110 9.3.2). */
export const ALL_METHODS = [...METHODS, 'head', 'options', 'trace'] as const;
type Method = (typeof ALL_METHODS)[number];

/** The parts of JSON Schema that the suite reads. */
export interface Schema {
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  readOnly?: boolean;
  writeOnly?: boolean;
  additionalProperties?: boolean | Schema;
}
export interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
  schema?: Schema;
}
export interface MediaType {
  schema?: Schema;
  example?: Record<string, unknown>;
  examples?: Record<string, { value?: Record<string, unknown> }>;
}
export interface OperationObject {
  operationId?: string;
  'x-capability'?: string;
  'x-slow'?: boolean;
  'x-harmless'?: boolean;
  'x-others'?: string[];
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean; content?: Record<string, MediaType> };
  responses?: Record<string, { content?: Record<string, MediaType> }>;
}
/** An OpenAPI document without references, as far as the suite reads it. */
export interface OpenApiDocument {
  info?: { title?: string };
  servers?: { url?: string }[];
  paths?: Record<string, Partial<Record<Method, OperationObject>>>;
  security?: Record<string, string[]>[];
  components?: { securitySchemes?: Record<string, SecurityScheme> };
}
export interface SecurityScheme {
  type?: string;
  scheme?: string;
  in?: string;
  name?: string;
  description?: string;
  flows?: Record<string, { scopes?: Record<string, string> }>;
}
