import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, SMALL } from '../testing/small-contract.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadContractFile } from './load-contract.ts';

test('an OpenAPI document in place of a contract is called what it is', async () => {
  const file = join(temporaryFolder(), 'api.yaml');
  writeFileSync(file, 'openapi: 3.1.0\ninfo: { title: Small, version: "1" }\npaths: {}\n');
  await expect(loadContractFile(file)).rejects.toThrow(
    `${file} is an OpenAPI document, and no contract: npx --no -- client-api-conformance init --openapi ${file}`,
  );
});

test('a key that stands there twice is named', async () => {
  const twice = 'kinds:\n  KEY: { made: "Settings, Keys" }\n  "KEY": { made: "Settings, Keys" }';
  await expect(read({ kinds: twice })).rejects.toThrow(/line 6: the key KEY stands here a second time; keep one$/);
});

test('a rule of an operation that is misspelt is told the likely one', async () => {
  const barred = 'operations: { list: { request: GET /list, by: KEY }, find: { request: GET /find } }';
  const kinds = 'kinds: { KEY: { made: "Settings, Keys" }, GUEST: { made: "Settings, Guests" } }';
  const rules = 'rules: { reach.lists: { expect: 404, reason: "it is hidden" } }';
  await expect(read({ operations: barred, kinds }, rules)).rejects.toThrow(
    /rule reach\.lists; did you mean reach\.list\?$/,
  );
});

describe('the digest of a contract', () => {
  const ofList = (more: string) => read({ operations: `operations: { list: { request: GET /list${more} } }` });

  test('is another one where another status is a success, or the operation is a slow one', async () => {
    const contracts = ['', ', success: 200', ', success: 204', ', slow: true'].map(ofList);
    expect(new Set((await Promise.all(contracts)).map(({ digest }) => digest)).size).toBe(contracts.length);
  });

  test('is another one where the body of a success is another one', async () => {
    const digestOf = async (required: readonly string[]) => {
      const schema = { type: 'object', required, properties: { id: { type: 'integer' } } };
      const responses = { 200: { description: 'it', content: { 'application/json': { schema } } } };
      const paths = { '/list': { get: { operationId: 'list', responses } } };
      const folder = temporaryFolder();
      const document = { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths };
      writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
      const lines = { ...SMALL, operations: 'openapi: api.json\noperations: { list: { is: list, needs: read } }' };
      writeFileSync(join(folder, 'small.yaml'), Object.values(lines).join('\n'));
      return (await loadContractFile(join(folder, 'small.yaml'))).digest;
    };
    expect(await digestOf(['id'])).not.toBe(await digestOf([]));
    expect(await digestOf(['id'])).toBe(await digestOf(['id']));
  });
});

test('where nothing names a success, each 2xx is one, and the answer is nothing to decide', async () => {
  const { operations, requirements } = await read();
  const [{ success }] = operations;
  expect([success.status, ...success.others]).toEqual([200, 201, 202, 203, 204, 205, 206]);
  const answered = requirements.find(({ id }) => id === 'list.response');
  expect(answered?.excluded).toBe('this contract has no answer that says more than a 2xx');
});

test.each([
  ['by: KEY', 'me', 'no token that acts reaches list anyway (by); remove it from loses'],
  ['needs: read', 'list', 'list shows whom a request acts as (identity); who acts needs it'],
])('who acts does not lose what %s', async (more, identity, said) => {
  const operations = `operations: { me: { request: GET /me }, list: { request: GET /list, ${more} } }`;
  const kinds = 'kinds: { KEY: { made: "Settings, Keys" }, ADMIN: { made: "Settings, Admins" } }';
  const acting = 'acting: { header: X-As, by: ADMIN, is: optional, loses: list }';
  const shown = `identity: { operation: ${identity}, pointer: /login }`;
  await expect(read({ operations, kinds }, acting, shown)).rejects.toThrow(`line 5: acting: ${said}`);
});
