import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { test } from 'vitest';
import { stringify } from 'yaml';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import { proveContract } from '../harness/prove/prove-contract.ts';
import { checksOf } from './checks/index.ts';
import { drawnContract } from './testing/drawn-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'drawn-'));
test.each(fc.sample(drawnContract, { seed: Number(process.env['SEED'] ?? 1), numRuns: 12 }).map((contract, at) => ({ contract, at })))('$at', async ({ contract, at }) => {
  const file = join(folder, `${at}.yaml`);
  writeFileSync(file, stringify(contract));
  const loaded = await loadContractFile(file);
  const proof = await proveContract(contract, loaded, checksOf(loaded));
  const bad = proof.tried.filter((one) => one.result !== 'caught');
  console.log(at, proof.tried.length, JSON.stringify(proof.faithful), proof.unbroken.filter((one) => one.reason === undefined).map((one) => one.requirement).join(), bad.length > 0 || proof.faithful.ending !== 'conforms' ? stringify(contract) : '');
  for (const one of bad) console.log(`${one.result} | ${one.what} | ${one.breaks} | ${one.blamed.map((b) => `${b.requirement} ${b.verdict}`)}`);
});
