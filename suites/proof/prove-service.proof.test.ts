import { afterAll, expect, test } from 'vitest';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { plainOperations } from '../../fixtures/plain/request.ts';
import { casesAt, catalogue, contract } from '../../harness/testing/contract.ts';
import { startWorld } from '../../service/embedded/world.ts';
import { proveDeviant, proveVariant } from './prove.ts';
import { isPlain, sampleOfDeviants, sampleOfVariants } from './testing/sample.ts';

const world = await startWorld();
const fixtures = { world, tokens: mintPlainTokens(plainOperations), catalogue, casesAt };
afterAll(() => world.close());

// Each of them starts a reference service of its own. The others are in prove-plain.proof.test.ts.
const ofTheService = sampleOfDeviants(contract).filter((deviant) => !isPlain(deviant));

test.for(ofTheService)(
  'the deviant $id is blamed for the requirement that it breaks, as one cause',
  async (deviant) => {
    expect((await proveDeviant(fixtures, deviant, { effort: 'quick' })).problems).toEqual([]);
  },
);

test.for(sampleOfVariants.filter((variant) => !isPlain(variant)))('the variant $id is not blamed', async (variant) => {
  expect((await proveVariant(fixtures, variant)).problems).toEqual([]);
});
