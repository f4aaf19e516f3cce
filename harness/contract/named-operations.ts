import { didYouMean } from './configuration-error.ts';
import { bodyProblem, pointerProblem, valueProblem } from './contradictions.ts';
import { loosened } from './loosened-schema.ts';
import { JSON_TYPE, jsonIn } from './openapi.ts';
import {
  ALL_METHODS,
  METHODS,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
} from './openapi-document.ts';
import { identityIn, listed, type WrittenContract, type WrittenOperation } from './written-contract.ts';

/** What an operation is in an OpenAPI document. */
export interface Described {
  readonly path: string;
  readonly method: (typeof ALL_METHODS)[number];
  readonly definition: OperationObject;
}

/** The operations that somebody wrote, as an OpenAPI document of our own form. @param report is told each problem. */
export function documentOf(
  contract: WrittenContract,
  described: OpenApiDocument | undefined,
  report: (id: string, key: string | undefined, problem: string) => void,
): OpenApiDocument {
  const paths: NonNullable<OpenApiDocument['paths']> = {};
  const all = described && allDescribed(described);
  const identity = identityIn(contract);
  const tokenQuery = typeof contract.credential === 'string' ? undefined : contract.credential.query;
  for (const [id, written] of Object.entries(contract.operations)) {
    const found = written.is === undefined ? requested(written) : describedAs(written.is, all);
    if ('problem' in found) {
      report(id, 'is', found.problem);
      continue;
    }
    const { method, definition } = found;
    const path = filledPath(found, written);
    const differs = (key: string | undefined, problem: string | undefined) =>
      problem && report(id, key, `${problem}; if the document is wrong, write request in place of is`);
    for (const [name, value] of Object.entries(written.path ?? {}))
      differs('path', valueProblem(parameterOf(definition, name) ?? {}, value));
    for (const name of path.unknown)
      report(id, 'path', `${found.path} has no {${name}}${didYouMean(name, path.names)}`);
    if (path.missing.length > 0) {
      report(id, undefined, `nothing gives {${path.missing.join('}, {')}} of ${found.path} a value; set path`);
      continue;
    }
    const queries = requiredIn(definition, 'query').filter((name) => name !== tokenQuery);
    if (queries.length > 0)
      report(
        id,
        'is',
        `needs the parameter ${queries.join(' and ')} in the query, and a contract has none; leave it out`,
      );
    const [type, media] = jsonIn(definition.requestBody?.content) ?? [JSON_TYPE];
    const example = written.body ?? exampleOf(media);
    if (example === undefined && definition.requestBody?.required) {
      const types = Object.keys(definition.requestBody.content ?? {}).filter((one) => !jsonIn({ [one]: 0 }));
      const others = types.length > 0 ? `; the document also has ${types.join(', ')}, and a contract sends JSON` : '';
      report(
        id,
        undefined,
        `needs a body, and neither contract nor document has an example of the whole; set body${others}`,
      );
      continue;
    }
    // That a document has an example of a body does not say that it may be sent hundreds of times.
    if (method !== 'get' && written.body === undefined && written.harmless !== true) {
      report(id, undefined, `${method.toUpperCase()} has neither body nor harmless: true`);
      continue;
    }
    differs(written.body && 'body', bodyProblem(media?.schema, example));
    const all2xx = successesIn(definition);
    // If the contract names its success, no other one of the document counts.
    const named = all2xx.filter(
      ([code]) => written.success === undefined || [`${written.success}`, '2XX'].includes(code),
    );
    if (named.length === 0 && all2xx.length > 0)
      differs(
        'success',
        `success is ${written.success}, and the document has ${all2xx.map(([code]) => code).join(', ')}`,
      );
    // Where nothing names a success, each 2xx is one.
    const [[code = '2XX', response] = [], ...further] = named;
    const status = written.success ?? (Number(code) || 200);
    const others = written.success === undefined ? othersOf(status, [code, ...further.map(([other]) => other)]) : [];
    if (written.success === undefined && isNoSuccess(definition))
      report(
        id,
        'is',
        `the document has no 2xx for it, only ${Object.keys(definition.responses ?? {}).join(', ')}, and a contract wants a success; leave it out, or name its 2xx (success)`,
      );
    const [, answered] = jsonIn(response?.content) ?? [];
    const schema = answered?.schema;
    if (identity?.operation === id) differs('identity', pointerProblem(schema, identity.pointer));
    if (paths[path.filled]?.[method])
      report(id, undefined, `another operation is ${method.toUpperCase()} ${path.filled} too`);
    paths[path.filled] = {
      ...paths[path.filled],
      [method]: {
        operationId: id,
        'x-slow': written.slow === true,
        'x-harmless': written.harmless === true,
        security: [{ [SCHEME]: [...listed(written.needs)] }],
        ...(example && {
          requestBody: { content: { [type]: { example, ...(media?.schema && { schema: media.schema }) } } },
        }),
        responses: {
          [status]: schema ? { content: { 'application/json': { schema: loosened(schema) } } } : {},
          ...Object.fromEntries(others.map((other) => [other, {}])),
        },
      },
    };
  }
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS) {
      const own = item[method];
      if (own) own['x-others'] = othersAt({ path, method, own: Object.keys(item) }, all);
    }
  return { paths, components: { securitySchemes: { [SCHEME]: { type: 'http', scheme: 'bearer' } } } };
}

function successesIn({ responses = {} }: OperationObject) {
  return Object.entries(responses).filter(([code]) => /^2(\d\d|XX)$/.test(code));
}

/** The statuses above the first one. `2XX` means all that HTTP has (RFC 9110 15.3). */
function othersOf(status: number, codes: readonly string[]): readonly number[] {
  const named = codes.flatMap((code) => (code === '2XX' ? [200, 201, 202, 203, 204, 205, 206] : [Number(code)]));
  return named.filter((other) => other > status);
}

/** Whether a document says what an operation answers with, and no success, such as a redirect only. */
export function isNoSuccess(definition: OperationObject): boolean {
  const codes = Object.keys(definition.responses ?? {});
  return codes.some((code) => /^3/.test(code)) && !codes.includes('default') && successesIn(definition).length === 0;
}

/** The methods that contract and document have at a path besides one. Who may ask GET may ask HEAD. */
function othersAt(
  { path, method, own }: { readonly path: string; readonly method: string; readonly own: readonly string[] },
  described: readonly Described[] = [],
): string[] {
  const parts = path.split('/');
  const isThere = ({ path: template }: Described) => {
    const wanted = template.split('/');
    return wanted.length === parts.length && wanted.every((part, at) => part.includes('{') || part === parts[at]);
  };
  const methods = [...own, ...described.filter(isThere).map((one) => one.method)];
  const asked = new Set([...methods, ...(methods.includes('get') ? ['head'] : [])]);
  return [...asked]
    .filter((one) => one !== method && !(one === 'head' && method === 'get'))
    .map((one) => one.toUpperCase());
}

/** The reader of documents wants one scheme. What carries the token stands in the matrix. */
const SCHEME = 'credential';

function requested({ request = '' }: WrittenOperation): Described {
  const [method = '', path = ''] = request.split(' ');
  return { path, method: METHODS.find((one) => one === method.toLowerCase()) ?? 'get', definition: {} };
}

function describedAs(
  operationId: string,
  all: readonly Described[] | undefined,
): Described | { readonly problem: string } {
  if (!all) return { problem: 'names an operationId, and the contract names no OpenAPI document (openapi)' };
  const [found, ...others] = all.filter(({ definition }) => definition.operationId === operationId);
  if (others.length > 0)
    return { problem: `the OpenAPI document has several operations ${operationId}; write request` };
  const ids = all.flatMap(({ definition }) => definition.operationId ?? []);
  if (found && !METHODS.some((method) => method === found.method))
    return {
      problem: `${operationId} is ${found.method.toUpperCase()} ${found.path}, and an operation is GET, PUT, POST, DELETE or PATCH; HEAD and OPTIONS are tried beside it`,
    };
  return found ?? { problem: `the OpenAPI document has no operationId ${operationId}${didYouMean(operationId, ids)}` };
}

export function allDescribed({ paths = {} }: OpenApiDocument): readonly Described[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const { parameters: shared = [] }: { readonly parameters?: readonly Parameter[] } = Object(item);
    return ALL_METHODS.flatMap((method) => {
      const own = item[method];
      return own ? [{ path, method, definition: { ...own, parameters: [...shared, ...(own.parameters ?? [])] } }] : [];
    });
  });
}

/** A path with its parameters: what the contract gives, or else an example of the document. */
export function filledPath({ path, definition }: Described, { path: given = {} }: WrittenOperation = {}) {
  const [missing, names]: [string[], string[]] = [[], []];
  // An address has no other characters (RFC 3986 2).
  const filled = path.replace(/[^!-~]+/g, encodeURIComponent).replace(/\{([^}]+)\}/g, (_all, name: string) => {
    const { example, examples = {}, schema } = parameterOf(definition, name) ?? {};
    const ofDocument = example ?? Object.values(examples)[0]?.value ?? schema?.example ?? schema?.examples?.[0];
    const value = given[name] ?? ofDocument ?? schema?.default ?? schema?.enum?.[0];
    names.push(name);
    if (value === undefined || typeof value === 'object') missing.push(name);
    return encodeURIComponent(String(value));
  });
  return { filled, missing, names, unknown: Object.keys(given).filter((name) => !names.includes(name)) };
}

function parameterOf({ parameters }: OperationObject, name: string): Parameter | undefined {
  return parameters?.find((one) => one.in === 'path' && one.name === name);
}

/** Parameters of these names mean nothing (OpenAPI 3.1 4.8.12.2). */
const OF_ITSELF = /^(?:accept|authorization|content-type)$/i;

/** The parameters of the query, the headers or the cookies that must be there. A contract has none. */
export function requiredIn(
  { parameters = [] }: OperationObject,
  where: 'query' | 'header' | 'cookie',
): readonly string[] {
  return parameters.flatMap(({ in: place, required, name }) =>
    place === where && required && name && !OF_ITSELF.test(name) ? [name] : [],
  );
}

export function exampleOf(
  media: NonNullable<NonNullable<OperationObject['requestBody']>['content']>[string] | undefined,
) {
  const [first] = Object.values(media?.examples ?? {});
  return media?.example ?? first?.value ?? (media?.schema?.example as Record<string, unknown> | undefined);
}
