import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { isConfigurationError } from './configuration-error.ts';
import { loadContractFile } from './load-contract.ts';

const BECAUSE = 'reason: Acme does so';

const read = (...entries: readonly string[]) => readLines('extends: client-api', 'name: acme', ...entries);

function readLines(...lines: readonly string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'acme.yaml');
  writeFileSync(file, lines.join('\n'));
  return loadContractFile(file);
}

describe('a contract that extends ours', () => {
  test('has the names of the other API wherever ours stand', async () => {
    const contract = await read(
      `headers: { X-Service-ActAs: { is: X-Acme-ActAs, ${BECAUSE} } }`,
      `paths: { chat: { is: /v2/chat, ${BECAUSE} } }`,
      `scopes: { SEARCH: { is: "search:read", ${BECAUSE} } }`,
    );
    expect([contract.name, contract.operations.map(({ path, scopes }) => `${path} ${scopes}`)]).toEqual([
      'acme',
      ['/rest/api/v1/search search:read', '/v2/chat CHAT'],
    ]);
    expect(contract.rules.messages['act-as-missing']?.text).toBe('Required header missing: X-Acme-ActAs');
    const sentences = JSON.stringify([contract.requirements, contract.sections, contract.checks]);
    expect(sentences).not.toMatch(/X-Service-ActAs|\/api\/v1\/chat/);
    // The remote MCP server keeps its name beside a scope of another one.
    expect(sentences).toContain('remote MCP server');
  });

  test('gives a refusal another status, also where another rule admits the same refusal', async () => {
    const { rules, requirements } = await read(`statuses: { act-as.missing: { is: 422, ${BECAUSE} } }`);
    const outcomes = rules.refusals.filter(({ id }) => /^act-as\.(missing|blank)$/.test(id));
    expect(outcomes.map(({ outcome = [] }) => outcome.map(({ status }) => status))).toEqual([[422], [422, 401]]);
    expect(outcomes[0]).toMatchObject({ basis: 'interpreted', reason: 'Acme does so' });
    expect(requirements.find(({ id }) => id === 'act-as.missing')?.text).toContain('refused with 422');
  });

  test('gives a message and a success of its own', async () => {
    const { rules, operations } = await read(
      `messages: { invalid-identity: { is: No such user, ${BECAUSE} } }`,
      `statuses: { search: { is: 203, ${BECAUSE} } }`,
    );
    expect(rules.messages['invalid-identity']?.text).toBe('No such user');
    expect(operations.map(({ success }) => success.status)).toEqual([203, 200]);
  });

  test.each([
    ['', /line 1: the contract changes nothing of the client API; give what differs: headers, paths, messages/],
    [
      `headers: { X-Service-ActsAs: { is: X-A, ${BECAUSE} } }`,
      /line 3: headers: .*has no X-Service-ActsAs; did you mean X-Service-ActAs\?/,
    ],
    [
      `headers: { X-Service-ActAs: { is: authorization, ${BECAUSE} } }`,
      /line 3: headers: .* would both be authorization/,
    ],
    [`statuses: { token.expired: { is: 401, ${BECAUSE} } }`, /token\.expired is 401 in the client API too; remove/],
    ['paths: { chat: { is: /v2/chat } }', /line 3: \/paths\/chat lacks "reason"/],
    [`path: { chat: { is: /v2, ${BECAUSE} } }`, /line 3: .*unknown key "path"; did you mean paths\?/],
    [
      `headers: { X-Service-ActAs: { is: "no header", ${BECAUSE} } }`,
      /is "no header", wanted a text such as X-Acme-ActAs/,
    ],
  ])('is refused with its place and the likely name: %s', async (entry, problem) => {
    const error = await read(entry).catch((found: unknown) => found);
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toMatch(/acme\.yaml/);
    expect(String(error)).toMatch(problem);
  });

  test('has nothing that only a contract has that stands alone', async () => {
    const lines = ['credential: "X-Api-Key: {token}"', 'kinds: { KEY: { made: somewhere } }'];
    await expect(read(...lines)).rejects.toThrow(/cannot have credential, kinds; remove extends to write a contract/);
  });

  test('is known by a key that is nearly extends', async () => {
    const refused = readLines('extend: client-api', `headers: { X-Service-ActAs: { is: X-A, ${BECAUSE} } }`);
    await expect(refused).rejects.toThrow(/line 1: the file has the unknown key "extend"; did you mean extends\?$/m);
  });
});
