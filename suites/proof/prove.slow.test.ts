import { afterAll, describe, expect, test } from 'vitest';
import { deviants } from '../../fixtures/deviants/index.ts';
import { startWorld } from '../../fixtures/embedded/world.ts';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { plainOperations } from '../../fixtures/plain/request.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { casesAt, catalogue, contract } from '../../harness/testing/contract.ts';
import { unbrokenMusts } from './kill-matrix.ts';
import { proveDeviant, proveVariant } from './prove.ts';
import { isPlain, sampleOfDeviants, sampleOfVariants } from './sample.ts';

const world = await startWorld();
const fixtures = { world, tokens: mintPlainTokens(plainOperations), catalogue, casesAt };
afterAll(() => world.close());

test('every requirement of level must is broken by a deviant', () => {
  expect(unbrokenMusts(contract, deviants)).toEqual([]);
});

test('ids of deviants and variants are unique', () => {
  const ids = [...deviants, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

describe('a deviant is blamed for the requirement that it breaks, as one cause', () => {
  test.for(sampleOfDeviants(contract).filter(isPlain))('$id $what', async (deviant) => {
    expect((await proveDeviant(fixtures, deviant, { effort: 'quick' })).problems).toEqual([]);
  });
});

describe('a variant is not blamed', () => {
  test.for(sampleOfVariants.filter(isPlain))('$id $what', async (variant) => {
    expect((await proveVariant(fixtures, variant)).problems).toEqual([]);
  });
});
