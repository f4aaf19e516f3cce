import { stringify } from 'yaml';
import { groupedBy } from '../../../harness/contract/collections.ts';

/** A request, and the one status and message that its answer must have. */
export interface AssertedRequest {
  readonly id: string;
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  /** What the field `message` of the body must be. Undefined for a success, which has none. */
  readonly message: string | undefined;
}

const byOperation = (requests: readonly AssertedRequest[]) => [...groupedBy(requests, ({ operation }) => operation)];

/** Some of the requests, with a status that is wrong at the first and a message that is wrong at the last refusal. */
export function withWrongExpectations(requests: readonly AssertedRequest[]): readonly AssertedRequest[] {
  const last = requests.findLastIndex(({ message }) => message !== undefined);
  return requests.map((request, index) => {
    if (index === 0) return { ...request, status: 418 };
    return index === last ? { ...request, message: `${request.message}, not` } : request;
  });
}

/** The text of each file, by its name. */
export type Files = Readonly<Record<string, string>>;

const indented = (text: string, by: number) => text.replace(/^/gm, ' '.repeat(by));

const headerLines = ({ headers }: AssertedRequest) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function isJson(text: string): boolean {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A workflow with a test for each operation, which run side by side, and a step for each request. */
export function stepCiFiles(requests: readonly AssertedRequest[]): Files {
  const stepOf = ({ id, url, method, headers, body, status, message }: AssertedRequest) => {
    const check = { status, ...(message !== undefined && { jsonpath: { '$.message': message } }) };
    return { name: id, http: { url, method, headers, body, check } };
  };
  const tests = byOperation(requests).map(([name, those]) => [name, { name, steps: those.map(stepOf) }]);
  const workflow = {
    version: '1.1',
    name: 'peers',
    config: { continueOnFail: true },
    tests: Object.fromEntries(tests),
  };
  return { 'workflow.yml': stringify(workflow, { lineWidth: 0, aliasDuplicateObjects: false }) };
}

/** A collection with a file for each request. */
export function brunoFiles(requests: readonly AssertedRequest[]): Files {
  const block = (name: string, lines: readonly string[]) => `${name} {\n${indented(lines.join('\n'), 2)}\n}\n`;
  const files = requests.map((request, index) => {
    const { method, url, body, status, message } = request;
    const kind = isJson(body) ? 'json' : 'text';
    const asserts = [`res.status: eq ${status}`, ...(message === undefined ? [] : [`res.body.message: eq ${message}`])];
    const blocks = [
      block('meta', [`name: ${index}`, 'type: http', `seq: ${index + 1}`]),
      block(method.toLowerCase(), [`url: ${url}`, `body: ${kind}`, 'auth: none']),
      block('headers', headerLines(request)),
      block(`body:${kind}`, [body]),
      block('assert', asserts),
    ];
    return [`${index}.bru`, blocks.join('\n')] as const;
  });
  const collection = JSON.stringify({ version: '1', name: 'peers', type: 'collection' });
  return { 'bruno.json': collection, ...Object.fromEntries(files) };
}

/** A file with the requests of each operation. */
export function hurlFiles(requests: readonly AssertedRequest[]): Files {
  const entryOf = (request: AssertedRequest) =>
    [
      `${request.method} ${request.url}`,
      ...headerLines(request).map((line) => line.replaceAll('\\', '\\\\').replaceAll('#', '\\#')),
      `\`${request.body.replaceAll('\\', '\\\\')}\``,
      `HTTP ${request.status}`,
      ...(request.message === undefined
        ? []
        : ['[Asserts]', `jsonpath "$.message" == ${JSON.stringify(request.message)}`]),
    ].join('\n');
  const files = byOperation(requests).map(([name, those]) => [`${name}.hurl`, those.map(entryOf).join('\n\n')]);
  return Object.fromEntries(files);
}

/** An API Blueprint. Dredd compares the types of a body with its example, and values only where a schema names them. */
export function dreddFiles(requests: readonly AssertedRequest[]): Files {
  const wanted = ({ status, message }: AssertedRequest): string[] => {
    if (message === undefined) return [`+ Response ${status}`];
    const schema = { type: 'object', required: ['message'], properties: { message: { enum: [message] } } };
    const body = ['    + Body', '', indented(JSON.stringify({ message }), 12), ''];
    return [`+ Response ${status}`, ...body, '    + Schema', '', indented(JSON.stringify(schema), 12)];
  };
  const transactionOf = (request: AssertedRequest, index: number) =>
    [
      `+ Request ${index}`,
      '    + Headers',
      '',
      ...headerLines(request).map((line) => indented(line, 12)),
      '',
      '    + Body',
      '',
      indented(request.body, 12),
      '',
      ...wanted(request),
      '',
    ].join('\n');
  const actions = byOperation(requests).map(([name, those]) => {
    const [{ method, url } = { method: '', url: '' }] = those;
    const heading = `## ${name} [${new URL(url).pathname}]\n\n### ${name} [${method}]\n`;
    return [heading, ...those.map(transactionOf)].join('\n');
  });
  return { 'api.apib': ['FORMAT: 1A', '# peers', ...actions].join('\n\n') };
}

/** A Postman collection with a folder for each operation. */
export function newmanFiles(requests: readonly AssertedRequest[]): Files {
  const itemOf = ({ id, method, url, headers, body, status, message }: AssertedRequest) => {
    const exec = [
      'pm.test("status and message", () => {',
      `  pm.response.to.have.status(${status});`,
      ...(message === undefined ? [] : [`  pm.expect(pm.response.json().message).to.eql(${JSON.stringify(message)});`]),
      '});',
    ];
    const header = Object.entries(headers).map(([key, value]) => ({ key, value }));
    const request = { method, url, header, body: { mode: 'raw', raw: body } };
    return { name: id, request, event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] };
  };
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const item = byOperation(requests).map(([name, those]) => ({ name, item: those.map(itemOf) }));
  return { 'collection.json': JSON.stringify({ info: { name: 'peers', schema }, item }, null, 2) };
}

/** A test file for each operation, which vitest runs side by side, with a table of its requests. */
export function supertestFiles(requests: readonly AssertedRequest[]): Files {
  const files = byOperation(requests).flatMap(([name, those]) => [
    [`${name}.json`, JSON.stringify(those, null, 2)],
    [
      `${name}.test.js`,
      `import request from 'supertest';
import { expect, test } from 'vitest';
import rows from './${name}.json';

test.each(rows)('$id', async ({ method, url, headers, body, status, message }) => {
  const response = await request(url)[method.toLowerCase()]('').set(headers).send(body);
  expect(response.status).toBe(status);
  if (message !== undefined) expect(response.body.message).toBe(message);
});
`,
    ],
  ]);
  return { 'package.json': '{ "type": "module" }', ...Object.fromEntries(files) };
}
