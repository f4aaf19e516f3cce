import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { firstContract } from './first-contract.ts';
import { loadContractFile } from './load-contract.ts';
import { readOpenApi } from './read-specs.ts';

const responses = { 200: { description: 'what was asked for' } };
const get = (more: object) => ({ get: { responses, ...more } });
const bearer = { type: 'http', scheme: 'bearer', description: 'Your profile, Access tokens' };
const oauth = {
  type: 'oauth2',
  flows: {
    clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { 'read:pets': 'a', 'write:pets': 'b' } },
  },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

async function writtenFor(paths: object, securitySchemes: object, more: object = {}) {
  const folder = temporaryFolder();
  const file = join(folder, 'openapi.json');
  const info = { title: 'Pet Store', version: '1' };
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info, paths, components: { securitySchemes }, ...more }));
  return { folder, ...firstContract(await readOpenApi(file), file) };
}

/** Writes the first contract for a document, and reads it as a command does. */
async function contractFor(...of: Parameters<typeof writtenFor>) {
  const { folder, name, text } = await writtenFor(...of);
  writeFileSync(join(folder, `${name}.yaml`), text);
  return { text, contract: await loadContractFile(join(folder, `${name}.yaml`)) };
}

describe('the first contract for an OpenAPI document', () => {
  test('has the operations of bearer tokens with their scopes, and a kind that says how to get one', async () => {
    const { contract } = await contractFor(
      {
        '/pets': get({ operationId: 'listPets', security: [{ token: ['read:pets'] }] }),
        '/me': get({ operationId: 'getMe' }),
      },
      { token: bearer },
      { openapi: '3.1.0', security: [{ token: [] }] },
    );
    expect(contract.name).toBe('pet-store');
    expect(contract.operations.map(({ id: operation, path, scopes }) => [operation, path, scopes])).toEqual([
      ['list-pets', '/pets', ['read:pets']],
      ['get-me', '/me', []],
    ]);
    expect(contract.matrix.kinds['TOKEN']?.made).toBe('Your profile, Access tokens');
  });

  test('tells the kinds that reach an operation from those that do not', async () => {
    const admin = { type: 'http', scheme: 'bearer', description: `Administration, Tokens${' or so'.repeat(99)}` };
    const { text, contract } = await contractFor(
      {
        '/me': get({ operationId: 'getMe', security: [{ token: [] }, { admin: [] }] }),
        '/audit': get({ operationId: 'readAudit', security: [{ admin: ['audit'] }] }),
        '/feed': get({ operationId: 'feed', security: [{ admin: ['audit'] }, { token: ['feed'] }] }),
        '/jobs': { ...get({}), post: { operationId: 'addJob', security: [{ robot: [] }], responses } },
      },
      { token: bearer, admin, robot: { type: 'http', scheme: 'bearer' } },
    );
    expect(text).toContain('  get-me: { is: "getMe" }\n');
    expect(text).toContain('  read-audit: { is: "readAudit", needs: ["audit"], by: [ADMIN] }\n');
    expect(text).toContain(
      '  feed: { is: "feed", needs: ["audit"] } # decide: token with feed is enough too, and a contract names one',
    );
    expect(text).toContain('  # ROBOT: { made:');
    expect(text).toMatch(/^ {2}ADMIN: \{ made: "Administration, Tokens[^"]{100,140} \.\.\." \}/m);
    expect(contract.rules.refusals.find(({ id }) => id === 'reach.read-audit')?.when).toMatchObject({
      kind: ['TOKEN'],
    });
  });

  test('leaves what may change something to a person, and what is sent otherwise', async () => {
    const { text, contract } = await contractFor(
      {
        '/pets': {
          ...get({ operationId: 'listPets', security: [{ login: ['read:pets'] }] }),
          post: { operationId: 'addPet', security: [{ login: ['write:pets'] }], responses },
        },
        '/keys': get({ operationId: 'listKeys', security: [{ key: [] }] }),
        '/found': get({
          operationId: 'findPets',
          security: [{ login: [] }],
          parameters: [{ name: 'text', in: 'query', required: true, schema: { type: 'string' } }],
        }),
        '/status': get({ operationId: 'status' }),
      },
      { login: oauth, key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    );
    expect(contract.operations.map((one) => one.id)).toEqual(['list-pets']);
    expect(text).toContain(
      '# add-pet: { is: "addPet", needs: ["write:pets"] } # decide: POST is sent often: add harmless: true',
    );
    expect(text).toContain('# find-pets: { is: "findPets" } # decide: it needs the parameter text');
    expect(text).toContain('# GET /keys needs key, which is sent otherwise');
    expect(text).toContain('# GET /status needs no token');
  });

  test('says why it does not ask what a contract cannot ask as it is documented', async () => {
    const form = { content: { 'multipart/form-data': { schema: { type: 'object' } } } };
    const secured = { security: [{ key: [], app: [] }] };
    const { text, contract } = await contractFor(
      {
        '/pets': {
          ...get({ operationId: 'listPets', ...secured }),
          head: { operationId: 'countPets', ...secured, responses },
          post: { operationId: 'addPet', ...secured, requestBody: form, responses },
          trace: { operationId: 'tracePets', ...secured, responses },
        },
        '/photo': { get: { operationId: 'photo', ...secured, responses: { 302: { description: 'to the picture' } } } },
        '/signed': get({ operationId: 'signed', security: [{ certificate: [] }] }),
      },
      {
        key: { type: 'apiKey', in: 'header', name: 'Authorization' },
        app: { type: 'apiKey', in: 'header', name: 'X-App' },
        certificate: { type: 'mutualTLS' },
      },
      { openapi: '3.1.0' },
    );
    expect(contract.operations.map((one) => one.id)).toEqual(['list-pets']);
    expect(text).toContain('# decide: the word before the token');
    expect(text).toMatch(/ {2}list-pets: .* # decide: it needs app too: CONFORMANCE_EXTRA_HEADERS sends headers$/m);
    expect(text).toMatch(/# add-pet: .* its body is multipart\/form-data, and a contract sends JSON;/);
    expect(text).toMatch(/# photo: .* the document has no 2xx for it, and a contract wants a success$/m);
    expect(text).toContain('# HEAD /pets is tried beside GET');
    expect(text).toContain('# TRACE /pets has a method that no operation of a contract has');
    expect(text).toContain('# GET /signed needs certificate, and no line or parameter carries that');
  });

  test.each([
    [{ type: 'apiKey', in: 'header', name: 'X-Api-Key' }, 'X-Api-Key', undefined],
    [{ type: 'apiKey', in: 'query', name: 'access_token' }, 'access_token', 'query'],
    [{ type: 'apiKey', in: 'cookie', name: 'sid' }, 'Cookie', undefined],
    [{ type: 'http', scheme: 'basic' }, 'Authorization', undefined],
  ])('sends the token as the scheme says: %o', async (scheme, name, where) => {
    const place = 'in' in scheme ? { in: scheme.in, name: scheme.name } : { in: 'header', name: 'X-Version' };
    const parameters = [place, { in: 'cookie', name: 'tenant' }].map((one) => ({ ...one, required: true, schema: {} }));
    const paths = { '/pets': get({ operationId: 'pets', security: [{ key: [] }], parameters }) };
    const { text, contract } = await contractFor(paths, { key: scheme });
    expect(contract.matrix.headers.authorization).toMatchObject({ name, ...(where && { in: where }) });
    expect(text).toMatch(/pets: .*# decide: (?!.*(?:X-Api-Key|sid|access)).*it needs the cookie tenant/);
    expect(text.includes('it needs the header X-Version')).toBe(scheme.type === 'http');
  });

  test('gives names that a contract can have to what has others', async () => {
    const { contract } = await contractFor(
      {
        '/größe': get({ operationId: 'same', security: [{ '2legged': ['expired', 'read-me', 'read_me'] }] }),
        '/b': get({ operationId: 'same', security: [{ unknown: [] }] }),
        '/c?d=e': get({ operationId: 'odd', security: [{ '2legged': [] }] }),
        '/d/{id}': get({
          operationId: 'one',
          security: [{ '2legged': [] }],
          parameters: [{ ...id, examples: { first: { value: 7 } } }],
        }),
      },
      { '2legged': bearer, unknown: bearer },
      { info: { title: 'x'.repeat(300), version: '1' } },
    );
    expect(contract.operations.map(({ path }) => path)).toEqual(['/gr%C3%B6%C3%9Fe', '/b', '/d/7']);
    expect(Object.keys(contract.matrix.kinds)).toEqual(['none', 'unknown', 'KIND_2LEGGED', 'KIND_UNKNOWN']);
    expect(contract.matrix.wire).toEqual({ 'scope-expired': 'expired', read_me_2: 'read_me' });
  });

  test('fills in what has no example, and marks it', async () => {
    const { text, contract } = await contractFor(
      {
        '/pets/{id}': get({ security: [{ token: [] }], parameters: [id] }),
        '/owners/{id}': get({ operationId: 'owner', security: [{ token: [] }], parameters: [id] }),
      },
      { token: bearer },
    );
    expect(contract.operations.map(({ path }) => path)).toEqual(['/pets/1', '/owners/1']);
    expect(text.match(/# decide: which one exists/g)).toHaveLength(2);
  });

  test('asks nothing of a document that has only what may change something, and says what to do', async () => {
    const content = { 'application/json': { schema: { type: 'object' }, example: { text: 'a' } } };
    const post = { operationId: 'search', security: [{ token: [] }], requestBody: { content }, responses };
    const paths = { '/search': { post }, '/pay': { put: { ...post, operationId: 'pay' } } };
    const { text } = await writtenFor(paths, { token: bearer });
    expect(text).toContain(
      'operations: # decide: take the # from one that a run may send hundreds of times\n  # search: {',
    );
    expect(text).toMatch(/^ {2}# pay: .*# decide: PUT is sent often: add harmless: true if it changes nothing$/m);
  });

  test('says what the address of the target ends with', async () => {
    const paths = { '/pets': get({ security: [{ token: [] }] }) };
    const textFor = async (url: string) => (await contractFor(paths, { token: bearer }, { servers: [{ url }] })).text;
    expect(await textFor('https://pets.example/api/v2')).toContain('# decide: TARGET_BASE_URL ends with /api/v2,');
    expect(await textFor('/v2')).toContain('ends with /v2,');
    expect(await textFor('https://pets.example/')).not.toContain('TARGET_BASE_URL');
  });

  test('leaves out what may be asked without a token, and marks where the document has a choice', async () => {
    const { text, contract } = await contractFor(
      {
        '/open': get({ operationId: 'open', security: [{}, { token: [] }] }),
        '/pets': get({ operationId: 'pets', security: [{ token: ['read'] }, { token: ['admin'] }] }),
      },
      { token: bearer },
    );
    expect(contract.operations.map(({ id: one }) => one)).toEqual(['pets']);
    expect(text).toMatch(/pets: .*# decide: token with admin is enough too, and a contract names one/);
  });

  test('asks once what two operations are with their examples, and needs no scope of what it does not ask', async () => {
    const { text, contract } = await contractFor(
      {
        '/pets/{id}': {
          ...get({ security: [{ token: [] }], parameters: [{ ...id, example: 7 }] }),
          post: { security: [{ token: ['expired'] }], parameters: [{ ...id, example: 7 }], responses },
        },
        '/pets/7': get({ security: [{ token: [] }] }),
      },
      { token: bearer },
    );
    expect(contract.operations.map(({ path }) => path)).toEqual(['/pets/7']);
    expect(text).toMatch(/# get-pets-7: .*# decide: another operation is GET \/pets\/7 too/);
    expect(text).toMatch(/^# scopes: /m);
  });

  test('names a scope that is several words', async () => {
    const { contract } = await contractFor(
      { '/pets': get({ security: [{ token: ['read all'] }] }) },
      { token: bearer },
    );
    expect(contract.matrix.wire).toEqual({ 'read-all': 'read all' });
  });

  test('asks no more operations than a contract can have, and leaves the choice to a person', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 102 }, (_one, at) => [`/pets/${at}`, get({ security: [{ token: [] }] })]),
    );
    const { text, contract } = await contractFor(paths, { token: bearer });
    expect(contract.operations).toHaveLength(100);
    expect(text.match(/^ {2}# get-pets.*decide: a contract has at most 100 operations$/gm)).toHaveLength(2);
  });

  test('is refused for a document that needs no token', async () => {
    const refused = contractFor({ '/pets': get({}) }, { login: { type: 'http', scheme: 'basic' } });
    await expect(refused).rejects.toThrow(
      /openapi\.json: wanted an operation whose security names a scheme with a token/,
    );
  });
});
