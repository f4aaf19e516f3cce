import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { amount } from '../harness/contract/amounts.ts';
import type { Rule } from '../harness/contract/contract.ts';
import type { ExtendedContract } from '../harness/contract/extended-contract.ts';
import { contractWritten, loadContractFile, readWritten } from '../harness/contract/load-contract.ts';
import type { WrittenContract } from '../harness/contract/written-contract.ts';
import { isProven, type Proof } from '../harness/prove/judge-servers.ts';
import { NO_FAULT, proveContract, proveExtension } from '../harness/prove/prove-contract.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { checksOf } from './checks/index.ts';

const folder = temporaryFolder(afterAll);
/** A file with a contract. */
function fileOf(name: string, contract: object): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, stringify(contract));
  return file;
}
const notCaught = ({ tried }: Proof) => tried.filter(({ result }) => result !== 'caught');

const TICKETS = join('fixtures', 'contracts', 'tickets.yaml');
const tickets = await loadContractFile(TICKETS);
const written = readWritten(TICKETS).data as WrittenContract;
const checks = checksOf(tickets);

test('the example contract can fail: every fault is caught and blamed rightly, and the server that keeps it is spared', async () => {
  const seen: string[] = [];
  const proof = await proveContract(written, tickets, { checks, onTried: (done, of) => seen.push(`${done}/${of}`) });
  expect(notCaught(proof)).toEqual([]);
  expect(proof.faithful).toMatchObject({ blamed: [], ending: 'conforms' });
  expect(isProven(proof)).toBe(true);
  const page = readFileSync(join('docs', 'contracts-of-your-own.md'), 'utf8');
  expect(page).toContain(`${proof.tried.length} of ${proof.tried.length} faults caught and blamed rightly`);
  expect(page).toMatch(new RegExp(`keeps the contract +${amount(proof.faithful.requests)} requests`));
  const whole = proof.tried.length + 1;
  expect(seen).toEqual(Array.from({ length: whole }, (_, at) => `${at + 1}/${whole}`));
  const reasons = new Map(proof.unbroken.map(({ name, reason }) => [name, reason]));
  expect([...reasons.values()]).not.toContain(NO_FAULT);
  expect(reasons.get('ADMIN expired')).toBe('service tokens have no date');
  expect(reasons.get('act-as.blank')).toMatch(/reverse proxy/);
});

test('each of three scopes is shown to be needed, unless no token can lack just one of them', async () => {
  const head = { name: 'exports', credential: 'X-Api-Key: {token}' };
  const operations = { list: { request: 'GET /list', needs: ['read', 'search', 'export'] } };
  const proofWith = async (kind: WrittenContract['kinds'][string]) => {
    const contract: WrittenContract = { ...head, operations, kinds: { KEY: kind } };
    const loaded = await loadContractFile(fileOf('exports', contract));
    return proveContract(contract, loaded, { checks: checksOf(loaded), requirement: 'scope.list' });
  };
  const proof = await proofWith({ made: 'Settings, Keys' });
  expect(notCaught(proof)).toEqual([]);
  const lacking = ['read', 'search', 'export'].map((scope) => `the scope ${scope} is not needed, list`);
  expect(proof.tried.map(({ what }) => what)).toEqual(expect.arrayContaining(lacking));
  const coarse = await proofWith({ made: 'Settings, Keys', holdings: ['all', 'none'] });
  expect(coarse.unbroken.map(({ name }) => name)).toContain('scope.list (one scope of several)');
});

test.each([
  ['by one kind of token', 'Authorization: Bearer {token}', { by: 'ADMIN' }, {}],
  ['with a cookie', 'Cookie: sid={token}', {}, {}],
  ['with a name before the token', 'Authorization: Token token={token}', {}, {}],
  ['with texts around the token', 'Authorization: Token token="{token}", app=tests', {}, {}],
  ['by tokens that never hold one scope alone', 'X-Key: {token}', {}, { 'only:write': 'who writes can read' }],
])('an operation that is reached %s is proven', async (_what, credential, more, never) => {
  const reached: WrittenContract = {
    ...{ name: 'reached', credential },
    operations: {
      all: { request: 'GET /all', needs: 'write', ...more },
      me: { request: 'GET /me', needs: 'read' },
    },
    kinds: {
      KEY: { made: 'Settings, Keys', ...(Object.keys(never).length > 0 && { never }) },
      ADMIN: { made: 'Administration, Keys' },
    },
    identity: { operation: 'me', pointer: '/login' },
  };
  const loaded = await loadContractFile(fileOf('reached', reached));
  const proof = await proveContract(reached, loaded, { checks: checksOf(loaded) });
  expect(notCaught(proof)).toEqual([]);
  expect(proof.faithful).toMatchObject({ blamed: [], ending: 'conforms' });
  expect(proof.tried.some(({ breaks }) => breaks === 'reach.all')).toBe('by' in more);
});

test.each<[string, Partial<WrittenContract>]>([
  [
    'gives strangers another status than those without a token',
    {
      rules: {
        'authorization.absent': { expect: 400, reason: 'a token is missing' },
        'authorization.malformed': { expect: 400, reason: 'a token is missing' },
        'token.unknown': { expect: 403, reason: 'permission is denied' },
        'token.tampered': { expect: 403, reason: 'permission is denied' },
      },
    },
  ],
  ['shows the person in a list', { openapi: 'list.json', identity: { operation: 'me', pointer: '/ids/0/value' } }],
])('a contract that %s is proven', async (_what, more) => {
  const ids = { type: 'array', items: { type: 'object', properties: { value: { type: 'string' } } } };
  const schema = { type: 'object', required: ['ids'], properties: { ids } };
  const responses = { 200: { description: 'me', content: { 'application/json': { schema } } } };
  const paths = { '/me': { get: { operationId: 'me', responses } } };
  const info = { title: 'List', version: '1' };
  writeFileSync(join(folder, 'list.json'), JSON.stringify({ openapi: '3.1.0', info, paths }));
  const listed: WrittenContract = {
    ...{ name: 'listed', credential: 'X-Key: {token}', kinds: { KEY: { made: 'Settings, Keys' } } },
    operations: { me: more.openapi === undefined ? { request: 'GET /me' } : { is: 'me' } },
    identity: { none: 'nobody stands behind a token' },
    ...more,
  };
  const loaded = await loadContractFile(fileOf('listed', listed));
  const proof = await proveContract(listed, loaded, { checks: checksOf(loaded) });
  expect(notCaught(proof)).toEqual([]);
  expect(proof.faithful).toMatchObject({ blamed: [], ending: 'conforms' });
});

test('a contract whose tokens are only valid is judged like any other', async () => {
  const file = fileOf('fixed', {
    ...{ name: 'fixed', credential: 'Authorization: Bearer {token}', operations: { list: { request: 'GET /list' } } },
    kinds: { FIXED: { made: 'a line of the configuration', validities: ['valid'] } },
    identity: { none: 'nobody stands behind a token' },
  });
  const fixed = await loadContractFile(file);
  const proof = await proveContract(readWritten(file).data as WrittenContract, fixed, { checks: checksOf(fixed) });
  expect(isProven(proof)).toBe(true);
});

test('a wrong rule planted in the oracle turns the proof red: the server that keeps the contract is blamed', async () => {
  const wants402 = (rule: Rule) =>
    rule.id === 'token.expired' ? ({ ...rule, outcome: [{ status: 402 }] } as Rule) : rule;
  const rules = { ...tickets.rules, refusals: tickets.rules.refusals.map(wants402) };
  const proof = await proveContract(written, { ...tickets, rules }, { checks, requirement: 'token.expired' });
  expect(proof.faithful.blamed).toContainEqual({ requirement: 'token.expired', verdict: 'fail' });
  expect(isProven(proof)).toBe(false);
});

test('of a contract that extends the client API, each entry is shown to matter', async () => {
  const acme: ExtendedContract = {
    extends: 'client-api',
    name: 'acme',
    headers: { 'X-Service-ActAs': { is: 'X-Acme-ActAs', reason: 'the gateway names its headers so' } },
    paths: { chat: { is: '/acme/conversations', reason: 'chat is an application of its own' } },
    scopes: { CHAT: { is: 'CONVERSE', reason: 'the console calls it so' } },
    statuses: { 'act-as.missing': { is: 422, reason: 'the gateway answers so' } },
  };
  const file = fileOf('acme', acme);
  const placed = readWritten(file);
  const judged = await contractWritten(placed, file);
  const without = (data: ExtendedContract) => contractWritten({ ...placed, data }, file);
  const proof = await proveExtension({ written: acme, judged }, without, { checks: checksOf(judged) });
  expect(notCaught(proof)).toEqual([]);
  expect(proof.faithful).toMatchObject({ blamed: [], ending: 'conforms' });
  expect(proof.tried.map(({ what }) => what)).toEqual([
    'headers: X-Service-ActAs is as in the client API',
    'paths: chat is as in the client API',
    'statuses: act-as.missing is as in the client API',
  ]);
  expect(proof.unbroken.map(({ name }) => name)).toEqual(['scopes: CHAT']);
});
