import { afterAll, describe, expect, test } from 'vitest';
import { deviants } from '../fixtures/deviants/index.ts';
import { mintPlainTokens } from '../fixtures/plain-mint.ts';
import { plainOperations } from '../fixtures/plain-request.ts';
import { variants } from '../fixtures/variants/index.ts';
import { startWorld } from '../fixtures/world.ts';
import { loadContract } from '../harness/load-contract.ts';
import { proveDeviant, proveVariant } from './prove.ts';

const contract = await loadContract();
const world = await startWorld();
const grounds = { world, tokens: mintPlainTokens(plainOperations) };
afterAll(() => world.close());

describe('each deviant is caught by its own requirement as one cause', () => {
  test.for(deviants)('$id $what', async (deviant) => {
    expect((await proveDeviant(contract, grounds, deviant)).problems).toEqual([]);
  });
});

describe('no variant is blamed', () => {
  test.for(variants)('$id $what', async (variant) => {
    expect((await proveVariant(contract, grounds, variant)).problems).toEqual([]);
  });
});
