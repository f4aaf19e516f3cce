import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expand } from '../plan/expand.ts';
import { buildRequest } from '../plan/request.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadContractFile } from './load-contract.ts';

const responses = { 200: { description: 'what was asked for' } };
const operation = (more: object = {}) => ({ get: { operationId: 'list', responses, ...more } });
const UPLOAD = { 'application/json': { schema: { type: 'object' } }, 'multipart/form-data': {} };
const parameter = (more: object) => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, ...more }],
});
const answering = (status: string, type: string) =>
  operation({
    responses: {
      [status]: {
        description: 'it',
        content: { [type]: { schema: { type: 'object', required: ['id'], properties: { id: {} } } } },
      },
    },
  });

/** A contract whose operation stands in a document with these paths. */
function read(paths: object, more = '') {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder'));
  const login = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: { read: 'all' } } } };
  const components = { securitySchemes: more.includes('read') ? { login } : {} };
  const document = { openapi: '3.1.0', info: { title: 'Named', version: '1' }, paths, components };
  writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
  const lines = ['name: named', 'credential: "X-Key: {token}"', 'kinds: { KEY: { made: "Settings, Keys" } }'];
  const own = `openapi: ${more === 'folder' ? more : 'api.json'}\noperations: { list: { is: list${more === 'folder' ? '' : more} } }`;
  writeFileSync(join(folder, 'named.yaml'), [...lines, own].join('\n'));
  return loadContractFile(join(folder, 'named.yaml'));
}

describe('an operation of a document', () => {
  test.each([
    ['that has its name twice', { '/a': operation(), '/b': operation() }, '', /several operations list; write request/],
    [
      'that wants a parameter in the query',
      { '/a': operation({ parameters: [{ name: 'q', in: 'query', required: true, schema: {} }] }) },
      '',
      /list: needs the parameter q in the query/,
    ],
    ['with a value of no parameter', { '/a': operation() }, ', path: { id: 7 }', /list: \/a has no \{id\}$/m],
    [
      'with a value of a misspelt parameter',
      { '/a/{id}': operation(parameter({ example: 1 })) },
      ', path: { idd: 7 }',
      /has no \{idd\}; did you mean id\?/,
    ],
    [
      'whose parameter is no text',
      { '/a/{id}': operation(parameter({ example: { a: 1 } })) },
      '',
      /nothing gives \{id\}/,
    ],
    [
      'with a value that its parameter does not take',
      { '/a/{id}': operation(parameter({ schema: { type: 'integer' } })) },
      ', path: { id: first }',
      /list: id is "first", wanted a whole number; if the document is wrong, write request in place of is$/m,
    ],
    [
      'with a body that the document does not take',
      {
        '/a': {
          post: {
            operationId: 'list',
            responses,
            requestBody: { content: { 'application/json': { schema: { properties: { n: { type: 'integer' } } } } } },
          },
        },
      },
      ', harmless: true, body: { n: one }',
      /list: body\.n is "one", wanted a whole number or nothing; if/,
    ],
    [
      'with another success than the document has',
      { '/a': operation() },
      ', success: 204',
      /list: success is 204, and the document has 200; if the document is wrong, write request/,
    ],
    [
      'whose answer does not show what names its person',
      { '/a': answering('200', 'application/json') },
      ' } }\nidentity: { operation: list, pointer: /login }\nrules: { token.unknown: { silenced: some reason',
      /list: the answer that the document describes has no field login; it has id; if/,
    ],
    [
      'that needs a body of which there is no example',
      { '/a': { post: { operationId: 'list', responses, requestBody: { required: true, content: UPLOAD } } } },
      ', harmless: true',
      /list: needs a body, .* set body; the document also has multipart\/form-data, and a contract sends JSON$/m,
    ],
    [
      'that is HEAD',
      { '/a': { head: { operationId: 'list', responses } } },
      '',
      /list is HEAD \/a, and an operation is GET, PUT, POST, DELETE or PATCH/,
    ],
    [
      'that only redirects',
      { '/a': operation({ responses: { 302: { description: 'elsewhere' }, 404: { description: 'nowhere' } } }) },
      '',
      /the document has no 2xx for it, only 302, 404, and a contract wants a success/,
    ],
    [
      'with a misspelt scope',
      { '/a': operation({ security: [{ key: ['pets:read', 'pets:write'] }] }) },
      ', needs: [pets:read, pets:wriet]',
      /line 5: the OpenAPI document has no scope pets:wriet; did you mean pets:write\?/,
    ],
    [
      'with a scope that the document calls otherwise',
      { '/a': operation({ security: [{ key: ['pets:read'] }] }) },
      ', needs: see } }\nscopes: { see: { wire: unlike',
      /line 6: the OpenAPI document has no scope unlike; it has pets:read\. If the server has it all the same, say so: scopes: /,
    ],
    ['in a folder', { '/a': operation() }, 'folder', /line 4: openapi: there is no file folder/],
  ])('%s is refused with its line', async (_what, paths, more, said) => {
    const error: unknown = await read(paths, more).catch((caught: unknown) => caught);
    expect(String(error)).toMatch(/named\.yaml: line [456]: /);
    expect(String(error)).toMatch(said);
  });

  test.each([
    ['that an operation needs', { '/a': operation({ security: [{ key: ['read'] }] }) }, ', needs: read'],
    ['that a scheme offers', { '/a': operation({ security: [{ login: ['write'] }] }) }, ', needs: read'],
    [
      'that the contract says twice',
      { '/a': operation({ security: [{ key: ['write'] }] }) },
      ', needs: reed } }\nscopes: { reed: { wire: reed',
    ],
    ['that no document knows', { '/a': operation() }, ', needs: reed'],
  ])('may need a scope %s', async (_what, paths, more) => {
    const [{ scopes }] = (await read(paths, more)).operations;
    expect(scopes).toHaveLength(1);
  });

  test.each([
    ['200', 'application/json'],
    ['200', 'application/vnd.api+json; charset=utf-8'],
    ['2XX', 'Application/JSON'],
    ['200', '*/*'],
  ])('has the documented body of %s as %s', async (status, type) => {
    const [{ documentsBody, success }] = (await read({ '/a': answering(status, type) })).operations;
    expect([documentsBody, success.status, success.validate?.({}), success.validate?.({ id: 1 })]).toEqual([
      true,
      200,
      false,
      true,
    ]);
  });

  test.each([
    [['204', '200'], '', [200, 204]],
    [['2XX'], '', [200, 201, 202, 203, 204, 205, 206]],
    [['202', '2XX', '404'], '', [202, 203, 204, 205, 206]],
    [['200', '204'], ', success: 204', [204]],
  ])('has each success of %j%s', async (codes, more, statuses) => {
    const answers = Object.fromEntries(codes.map((code) => [code, { description: 'it' }]));
    const [{ success }] = (await read({ '/a': operation({ responses: answers }) }, more)).operations;
    expect([success.status, ...success.others]).toEqual(statuses);
  });

  test.each([
    [['application/merge-patch+json'], 'application/merge-patch+json'],
    [['application/vnd.api+json', 'application/json'], 'application/json'],
    [['*/*'], 'application/json'],
    [['application/xml', 'application/vnd.api+json; ext=a'], 'application/vnd.api+json; ext=a'],
  ])('is sent with the JSON type of %j', async (types, sent) => {
    const content = Object.fromEntries(types.map((type) => [type, { example: { a: 1 } }]));
    const contract = await read(
      { '/a': { patch: { operationId: 'list', responses, requestBody: { content } } } },
      ', harmless: true',
    );
    const planned = expand(contract, 'core').find(({ values }) => values.kind === 'KEY');
    if (!planned) throw new Error('no case');
    const people = { actAs: '', user: '', unknown: '', former: '', malformed: '' } as never;
    const { headers } = buildRequest({ contract, people, common: [], unknownToken: '' }, planned.values, 'a-token');
    expect(headers).toContainEqual(['Content-Type', sent]);
  });

  test('has the fields of a body that other schemas describe, each with a value of no type that it may have', async () => {
    const note = {
      type: 'object',
      required: ['id', 'note'],
      properties: { id: {}, note: { type: ['string', 'null'] } },
    };
    const size = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
    const schema = { allOf: [note, { properties: { any: { oneOf: [{}, { type: 'string' }] }, size } }] };
    const content = { 'application/json': { schema, example: { id: 1, note: 'a' } } };
    const contract = await read(
      { '/a': { patch: { operationId: 'list', responses, requestBody: { content } } } },
      ', harmless: true',
    );
    const [{ field, option }] = contract.operations;
    expect(field).toEqual({ name: 'note', mistyped: { not: 'a string' } });
    expect(option).toEqual({ name: 'size', mistyped: 'not the right type' });
  });

  test('has the other methods of its path, whatever that is in the document', async () => {
    const put = { operationId: 'replace', responses };
    const paths = {
      '/a/{id}': { ...operation(parameter({ example: 7 })), put },
      '/a/7': { delete: { ...put, operationId: 'remove' } },
    };
    const [{ others }] = (await read({ ...paths, '/a': { post: { ...put, operationId: 'add' } } })).operations;
    expect([...others].sort()).toEqual(['DELETE', 'PUT']);
  });

  test('that is no GET is not asked with HEAD where GET is another', async () => {
    const paths = { '/a': { post: { operationId: 'list', responses }, ...operation({ operationId: 'show' }) } };
    const [{ others }] = (await read(paths, ', harmless: true')).operations;
    expect(others).toEqual(['GET', 'HEAD']);
  });

  test('has no documented body where it is no JSON', async () => {
    const [{ documentsBody }] = (await read({ '/a': answering('200', 'application/jsonl') })).operations;
    expect(documentsBody).toBe(false);
  });
});
