import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { loadContract } from '../harness/contract/load-contract.ts';
import { ownContract } from '../harness/contract/package-files.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { WHOLE } from '../harness/plan/narrowing.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';

const KINDS = ['GLOBAL', 'OAUTH', 'OKTA'];
const folder = temporaryFolder(afterAll);

const OPERATION = `  /rest/api/v1/documents:
    post:
      operationId: documents
      summary: Documents by id.
      security: [{ bearer: [DOCUMENTS] }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [id], properties: { id: { type: string }, depth: { type: integer } } }
            example: { id: '1' }
      responses:
        '200': { description: The documents. }

components:`;
const ENTRIES = `
  - { id: documents.success, source: spec 4, level: must, text: 'Documents with valid authentication succeed.' }
  - { id: documents.response, source: spec 4, level: should, basis: stated, text: 'Documents succeed with status 200.' }
  - { id: documents.options, source: spec 4, level: should, text: 'Documents whose depth is no integer are refused.' }
  - { id: documents.request, source: spec 4, level: should, text: 'Documents without an id are refused.' }
  - { id: scope.documents, source: spec 4.2, level: must, text: 'Documents need the scope DOCUMENTS.' }
`;

// The operation gets all cases of depth full, which takes longer than the usual limit on a slow machine.
test('a third operation that is added to the contract as data gets as many cases as the others', {
  timeout: 240_000,
}, async () => {
  cpSync(ownContract, folder, { recursive: true });
  const api = join(folder, 'openapi.yaml');
  writeFileSync(api, readFileSync(api, 'utf8').replace('components:', OPERATION));
  const ledger = join(folder, 'requirements.yaml');
  writeFileSync(ledger, readFileSync(ledger, 'utf8') + ENTRIES);
  const contract = await loadContract(folder);
  const operations = contract.operations.map(({ path, scopes: [scope = ''], method, field }) => ({
    path,
    scope,
    method,
    required: field ? [field.name] : [],
  }));
  const options = { pageSize: 'integer', conversationId: 'string', depth: 'integer' } as const;
  const target = await startPlainTarget({ operations: operations.map((one) => ({ ...one, optional: options })) });
  const settings = embeddedSettings(catalogueOf(contract), target.env);
  const casesAt = expandOnce(contract);
  // Three kinds suffice: there is one of each family.
  const only = KINDS.map((kind) => `documents/${kind}/**`);
  const session = startSession(settings, { casesAt, journal: noJournal, narrowing: { ...WHOLE, only } });
  await session.sendMatrix();
  const { verdicts, findings, requirements } = session.judge();
  await session.close();
  await target.close();

  const planned = (operation: string, kinds?: readonly string[]) =>
    [...session.whole.cases.values()].filter(
      ({ values }) => values.operation === operation && (kinds?.includes(values.kind) ?? true),
    ).length;
  expect(findings).toEqual([]);
  expect(planned('documents')).toBe(planned('chat'));
  expect(verdicts.length).toBe(planned('documents', KINDS));
  expect(requirements.find(({ requirement }) => requirement.id === 'scope.documents')?.verdict).toBe('pass');
  expect(verdicts.map(({ case: { id } }) => id)).toContain(
    'documents/GLOBAL/valid/all-but:DOCUMENTS/act-as:existing/auth-type:absent',
  );
});
