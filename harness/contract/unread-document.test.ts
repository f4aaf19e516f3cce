import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { allDescribed } from './named-operations.ts';
import { readOpenApi } from './read-specs.ts';

const FLOW = { tokenUrl: '/token', scopes: {} };
const documentOf = (path: object, securitySchemes: object = {}, openapi = '3.0.3') =>
  JSON.stringify({
    openapi,
    info: { title: 'Pets', version: '1' },
    paths: { '/a': path },
    components: { securitySchemes },
  });

test.each([
  [
    'is missing',
    undefined,
    /^ConfigurationError: cannot read \S+openapi\.json \(no such file or folder, ENOENT\); name an OpenAPI document$/,
  ],
  [
    'is no document',
    '{"openapi":"3.1.0"}',
    /^ConfigurationError: \S+openapi\.json is no OpenAPI document: name one with openapi, info and paths at its top$/,
  ],
  [
    'refers to the network',
    documentOf({ get: { responses: { 200: { $ref: 'https://a.example/b' } } } }),
    /nothing is fetched/,
  ],
  [
    'lacks something',
    documentOf({ get: { responses: { 200: {} } } }),
    /: \/paths\/~1a\/get\/responses\/200 lacks "description"$/,
  ],
  [
    'has a key too many',
    documentOf({}, { t: { type: 'oauth2', flows: { clientCredentials: { ...FLOW, authorizationUrl: '' } } } }),
    /: \/components\/securitySchemes\/t\/flows\/clientCredentials has the unknown key "authorizationUrl"$/,
  ],
  [
    'has an unknown type',
    documentOf({}, { t: { type: 'htpp', scheme: 'bearer' } }),
    /t\/type is "htpp", wanted one of apiKey, http, oauth2, openIdConnect; did you mean http\?$/,
  ],
  [
    'has an odd name',
    documentOf({}, { 'ä b': { type: 'http', scheme: 'bearer' } }, '3.1.0'),
    /: \/components\/securitySchemes cannot have the key "ä b"$/,
  ],
  ['is no text', '\x00\x01', /^ConfigurationError: Error parsing \S+openapi\.json: /],
])('an OpenAPI document that %s is said with its file, once', async (_what, text, said) => {
  const folder = temporaryFolder();
  const file = join(folder, 'openapi.json');
  if (text !== undefined) writeFileSync(file, text);
  const error: unknown = await readOpenApi(file).catch((caught: unknown) => caught);
  expect(String(error)).toMatch(said);
  expect(String(error).split(file)).toHaveLength(2);
});

test('a path may be described elsewhere, with schemas that refer to themselves', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'openapi.json');
  const pet = { type: 'object', properties: { parent: { $ref: '#/Pet' } } };
  const content = { 'application/json': { schema: { $ref: '#/Pet' } } };
  const get = { operationId: 'pets', responses: { 200: { description: 'all', content } } };
  writeFileSync(join(folder, 'pets.json'), JSON.stringify({ Pet: pet, path: { get } }));
  writeFileSync(file, documentOf({ $ref: 'pets.json#/path', summary: 'Pets' }, {}, '3.1.0'));
  expect(allDescribed(await readOpenApi(file))[0]?.definition.operationId).toBe('pets');
});
