import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadContract } from './load-contract.ts';
import { ownContract, specsFolder } from './package-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specs-'));
  cpSync(ownContract, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function edit(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no "${from}" to replace`);
  writeFileSync(path, text.replace(from, to));
}

describe('the contract', () => {
  test('loads from specs/ with both documented operations and their scopes', async () => {
    const contract = await loadContract(folder);
    expect(contract.operations.map(({ id, scopes, method, path }) => ({ id, scopes, method, path }))).toEqual([
      { id: 'search', scopes: ['SEARCH'], method: 'POST', path: '/rest/api/v1/search' },
      { id: 'chat', scopes: ['CHAT'], method: 'POST', path: '/rest/api/v1/chat' },
    ]);
    expect(contract.matrix.scopes).toHaveLength(19);
  });

  test('has a digest that changes with the data', async () => {
    const before = (await loadContract(folder)).digest;
    edit('rules.yaml', 'text: Invalid identity', 'text: Invalid identities');
    expect((await loadContract(folder)).digest).not.toBe(before);
  });

  test('has the same digest whatever the sections say, because nothing is decided by them', async () => {
    const before = (await loadContract(folder)).digest;
    edit('sections.yaml', 'title: Errors', 'title: Faults');
    expect((await loadContract(folder)).digest).toBe(before);
  });

  test.each([
    [
      'a requirement that cites an unknown section',
      'sections.yaml',
      'id: "2.2"',
      'id: "2.8"',
      /search\.response cites spec 2\.2, and sections\.yaml has no such section/,
    ],
    [
      'an unknown key, and names the closest one',
      'rules.yaml',
      'basis: stated',
      'bases: stated',
      /rules\.yaml: .*unknown key "bases"; did you mean basis\?/,
    ],
    [
      'a rule that cites an unknown requirement',
      'rules.yaml',
      'requirement: token.foreign',
      'requirement: token.foriegn',
      /no requirement token\.foriegn .*did you mean token\.foreign\?/,
    ],
    [
      'a check that decides an unknown requirement',
      'checks.yaml',
      'requirements: [authorization.required]',
      'requirements: [authorization.requierd]',
      /checks\.yaml: side-doors: no requirement authorization\.requierd .*did you mean authorization\.required\?/,
    ],
    [
      'two scopes that variables cannot tell apart',
      'matrix.yaml',
      '  - PEOPLE',
      '  - PEOPLE\n  - people',
      /matrix\.yaml: scopes: two of them are PEOPLE in the names of variables/,
    ],
    [
      'an unknown value of a dimension',
      'rules.yaml',
      'when: { validity: foreign }',
      'when: { validity: foreing }',
      /validity has no value "foreing"; did you mean foreign\?/,
    ],
    [
      'an unknown dimension',
      'rules.yaml',
      'when: { validity: foreign }',
      'when: { valdity: foreign }',
      /unknown dimension "valdity"; did you mean validity\?/,
    ],
    [
      'an interpreted rule without a reason',
      'rules.yaml',
      '    reason: RFC 6750 3.1 gives 400 for a malformed request and 401 for missing credentials.\n',
      '',
      /lacks "reason"/,
    ],
    [
      'a requirement that concerns an unknown kind',
      'requirements.yaml',
      'concerns: { kind: [GLOBAL] }',
      'concerns: { kind: [GLOBL] }',
      /act-as\.effective: kind has no value "GLOBL"; did you mean GLOBAL\?/,
    ],
    [
      'a requirement that says what it concerns although a rule says so',
      'requirements.yaml',
      '  - id: user.accepted\n',
      '  - id: user.accepted\n    concerns: { kind: [USER] }\n',
      /user\.accepted says what it concerns, and so does what cites it in rules\.yaml/,
    ],
    [
      'two requirements with the same id',
      'requirements.yaml',
      '- id: chat.success',
      '- id: search.success',
      /requirements\.yaml: duplicate id search\.success/,
    ],
    [
      'a value of a header dimension without its lines',
      'matrix.yaml',
      '      other-value: [SAML]\n',
      '',
      /auth-type has no lines for "other-value"/,
    ],
    [
      'an operation with an unknown scope',
      'openapi.yaml',
      'bearer: [CHAT]',
      'bearer: [CHATS]',
      /needs the scope CHATS, which matrix\.yaml does not list/,
    ],
    [
      'an operation with an unknown security scheme',
      'openapi.yaml',
      'security: [{ bearer: [CHAT] }]',
      'security: [{ baerer: [CHAT] }]',
      /baerer/,
    ],
    [
      'two operations with the same id',
      'openapi.yaml',
      'operationId: chat',
      'operationId: search',
      /duplicate operationId search/,
    ],
    [
      'a path that no request can have',
      'openapi.yaml',
      '/rest/api/v1/chat:',
      '/rest/api/v1/chat now:',
      /POST \/rest\/api\/v1\/chat now has a character in its path .* percent-encode it, such as %20/,
    ],
    [
      'a misspelled type in a schema',
      'openapi.yaml',
      'results: { type: array }',
      'results: { type: arry }',
      /arry|type/,
    ],
    [
      'an operation without its requirements',
      'openapi.yaml',
      'operationId: chat',
      'operationId: talk',
      /no requirement scope\.talk/,
    ],
    ['broken YAML', 'matrix.yaml', 'dimensions:', 'dimensions: [', /matrix\.yaml/],
  ])('refuses %s', async (_what, file, ...[from, to, message]) => {
    edit(file, from, to);
    await expect(loadContract(folder)).rejects.toThrow(message);
  });
});

// validator.ts relies on this: it does not check the schemas again.
test.each(readdirSync(join(specsFolder, 'schemas')))('%s is a valid JSON schema', (file) => {
  const ajv = new Ajv2020();
  const schema: unknown = JSON.parse(readFileSync(join(specsFolder, 'schemas', file), 'utf8'));
  expect(ajv.validateSchema(Object(schema)), ajv.errorsText()).toBe(true);
});
