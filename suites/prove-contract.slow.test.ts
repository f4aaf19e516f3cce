import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Rule } from '../harness/contract/contract.ts';
import type { ExtendedContract } from '../harness/contract/extended-contract.ts';
import { contractWritten, loadContractFile, readWritten } from '../harness/contract/load-contract.ts';
import type { WrittenContract } from '../harness/contract/written-contract.ts';
import { isProven, isSpared, type Proof } from '../harness/prove/judge-servers.ts';
import { NO_FAULT, proveContract } from '../harness/prove/prove-contract.ts';
import { proveExtension } from '../harness/prove/prove-extension.ts';
import { checksOf } from './checks/index.ts';
import { drawnContract } from './testing/drawn-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'prove-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));
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
  const whole = proof.tried.length + 1;
  expect(seen).toEqual(Array.from({ length: whole }, (_, at) => `${at + 1}/${whole}`));
  const reasons = new Map(proof.unbroken.map(({ name, reason }) => [name, reason]));
  expect([...reasons.values()]).not.toContain(NO_FAULT);
  expect(reasons.get('ADMIN, expired')).toBe('service tokens have no date');
  expect(reasons.get('act-as.blank')).toMatch(/reverse proxy/);
});

const SEED = 20_261_125;
test.each(fc.sample(drawnContract, { seed: SEED, numRuns: 4 }).map((contract, at) => ({ contract, at })))(
  `contract $at of seed ${SEED} can fail`,
  async ({ contract, at }) => {
    const drawn = await loadContractFile(fileOf(`drawn-${at}`, contract));
    const proof = await proveContract(contract, drawn, { checks: checksOf(drawn) });
    expect(notCaught(proof)).toEqual([]);
    expect(isSpared(proof.faithful)).toBe(true);
    expect(proof.unbroken.filter(({ reason }) => reason === NO_FAULT)).toEqual([]);
  },
);

describe('a wrong rule planted in the oracle turns the proof red:', () => {
  const planted = (id: string, change: (rule: Rule) => readonly Rule[]) => {
    const refusals = tickets.rules.refusals.flatMap((rule) => (rule.id === id ? change(rule) : [rule]));
    return { ...tickets, rules: { ...tickets.rules, refusals } };
  };
  const proofOf = (id: string, requirement: string, change: (rule: Rule) => readonly Rule[]) =>
    proveContract(written, planted(id, change), { checks, requirement });

  test('another status is wanted, so the server that keeps the contract is blamed', async () => {
    const wants402 = (rule: Rule): readonly Rule[] => [
      { ...rule, silent: undefined, outcome: [{ status: 402 }] } as unknown as Rule,
    ];
    const proof = await proofOf('token.expired', 'token.expired', wants402);
    expect(proof.faithful.blamed).toContainEqual({ requirement: 'token.expired', verdict: 'fail' });
    expect(isProven(proof)).toBe(false);
  });

  test('a rule is missing, so the server that keeps the contract is blamed for its refusals', async () => {
    const proof = await proofOf('scope.missing', 'scope.list', () => []);
    expect(isSpared(proof.faithful)).toBe(false);
    expect(notCaught(proof).length).toBeGreaterThan(0);
  });

  test('a rule is left open that its author did not leave open, so its fault is missed', async () => {
    const leaves = ({ outcome: _gone, ...head }: Rule): readonly Rule[] => [
      { ...head, silent: 'planted', never: ['5xx'] } as Rule,
    ];
    const proof = await proofOf('act-as.unknown', 'act-as.unknown', leaves);
    expect(notCaught(proof).map(({ breaks, result }) => [breaks, result])).toContainEqual(['act-as.unknown', 'missed']);
    expect(isProven(proof)).toBe(false);
  });
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
