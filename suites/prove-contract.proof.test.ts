import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type Rule, requirementFor } from '../harness/contract/contract.ts';
import { loadContractFile, readWritten } from '../harness/contract/load-contract.ts';
import type { WrittenContract } from '../harness/contract/written-contract.ts';
import { isProven } from '../harness/prove/judge-servers.ts';
import { NO_FAULT, proveContract } from '../harness/prove/prove-contract.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { checksOf } from './checks/index.ts';
import { drawnContract, writeDrawn } from './testing/drawn-contract.ts';

const FILE = join('fixtures', 'contracts', 'tickets.yaml');
const contract = await loadContractFile(FILE);
const written = readWritten(FILE).data as WrittenContract;
const { refusals } = contract.rules;
const decisive = refusals.filter(({ outcome }) => outcome !== undefined).map(({ id }) => id);

/** The proof of the example contract, judged with one rule changed. Without a requirement, only the server that keeps it. */
async function proofWith(id: string, change: (rule: Rule) => readonly Rule[], requirement = 'none') {
  const changed = refusals.flatMap((rule) => (rule.id === id ? change(rule) : [rule]));
  const judged = { ...contract, rules: { ...contract.rules, refusals: changed } };
  return proveContract(written, judged, { checks: checksOf(contract), requirement });
}

const folder = temporaryFolder(afterAll);

const judged = readdirSync(join('fixtures', 'contracts')).filter((name) => !name.includes('.openapi.'));
test.each(judged)('the contract %s can fail', async (name) => {
  const file = join('fixtures', 'contracts', name);
  const [own, { data }] = [await loadContractFile(file), readWritten(file)];
  expect(isProven(await proveContract(data as WrittenContract, own, { checks: checksOf(own) }))).toBe(true);
});

const SEED = 20_261_125;
test.each(fc.sample(drawnContract, { seed: SEED, numRuns: 16 }).map((contract, at) => ({ contract, at })))(
  `contract $at of seed ${SEED} can fail`,
  async ({ contract, at }) => {
    const drawn = await loadContractFile(writeDrawn(folder, at, contract));
    const proof = await proveContract(contract.written, drawn, { checks: checksOf(drawn) });
    expect(proof.tried.filter(({ result }) => result !== 'caught')).toEqual([]);
    expect(isProven(proof)).toBe(true);
    expect(proof.unbroken.filter(({ reason }) => reason === NO_FAULT)).toEqual([]);
  },
);

describe('the proof of a contract turns red where the oracle', () => {
  test.each(decisive)('lacks the rule %s', async (id) => {
    expect(isProven(await proofWith(id, () => []))).toBe(false);
  });

  test.each(decisive)('wants another status of %s', async (id) => {
    const wants402 = (rule: Rule) => [{ ...rule, outcome: [{ status: 402 }] } as Rule];
    expect(isProven(await proofWith(id, wants402))).toBe(false);
  });

  test.each(decisive)('leaves %s open', async (id) => {
    const leaves = ({ outcome: _gone, ...head }: Rule) => [{ ...head, silent: 'planted', never: ['5xx'] } as Rule];
    const template = refusals.find((rule) => rule.id === id)?.requirement ?? '';
    expect(isProven(await proofWith(id, leaves, requirementFor(template, 'find')))).toBe(false);
  });
});
