import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identify, render } from '../fixtures/plain/answers.ts';
import { plainChecks } from '../fixtures/plain/checks.ts';
import { type PlainRequest, plainOperations } from '../fixtures/plain/request.ts';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { checksOf } from './checks/index.ts';
import { tokens } from './testing/one-check.ts';

const ACME = `extends: client-api
name: acme
headers:
  X-Service-ActAs: { is: X-Acme-ActAs, reason: the gateway of Acme names its headers so }
  X-Service-Auth-Type: { is: X-Acme-Auth-Type, reason: the gateway of Acme names its headers so }
paths:
  chat: { is: /acme/conversations, reason: chat is an application of its own }
`;

/** The contract in a file with this text. */
async function contractIn(text: string) {
  const folder = temporaryFolder();
  const file = join(folder, 'acme.yaml');
  writeFileSync(file, text);
  return loadContractFile(file);
}

/** A request as the plain target knows it, which has the headers of the client API. */
function asService<T extends Pick<PlainRequest, 'headers'>>(request: T): T {
  const others = Object.entries(request.headers).filter(([name]) => !name.startsWith('x-service-'));
  return {
    ...request,
    headers: Object.fromEntries(others.map(([name, lines]) => [name.replace(/^x-acme-/, 'x-service-'), lines])),
  };
}

/** A target that keeps the contract of Acme. */
async function startAcme() {
  const { env, close } = await startPlainTarget({
    tokens,
    operations: plainOperations.map((one) =>
      one.path.endsWith('/chat') ? { ...one, path: '/acme/conversations' } : one,
    ),
    checks: plainChecks.map(({ id, check }) => ({ id, check: (request) => check(asService(request)) })),
    identify: (request) => identify(asService(request)),
    render: (refusal) => render({ ...refusal, message: refusal.message?.replace('X-Service-', 'X-Acme-') ?? '' }),
  });
  onTestFinished(close);
  return { ...env, CONFORMANCE_CLAIMS: 'user global oauth google' };
}

async function judge(text: string) {
  const contract = await contractIn(text);
  const flags = { CONFORMANCE_DEPTH: 'core' };
  const settings = embeddedSettings(catalogueOf(contract), await startAcme(), { flags });
  const options = { casesAt: expandOnce(contract), journal: noJournal, checks: checksOf(contract), intrusive: false };
  const session = startSession(settings, options);
  await session.sendAll();
  const judged = session.judge();
  await session.close();
  return judged;
}

test('eight lines describe a sibling with other headers and another path, and its target conforms to them', async () => {
  expect(ACME.trim().split('\n').length).toBeLessThanOrEqual(8);
  const { ending, findings } = await judge(ACME);
  expect(findings.map(({ example }) => example)).toEqual([]);
  expect(ending).toBe('conforms');
});

test('a sibling deviates from a contract that says something else of it', async () => {
  const { ending } = await judge(`${ACME}statuses:\n  act-as.missing: { is: 422, reason: Acme answers so }\n`);
  expect(ending).toBe('deviates');
});
