import { afterAll, describe, expect, test } from 'vitest';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { plainOperations } from '../../fixtures/plain/request.ts';
import { casesAt, catalogue, contract } from '../../harness/testing/contract.ts';
import { startWorld } from '../../service/embedded/world.ts';
import { plainDeviants } from '../testing/plain-deviants.ts';
import { proveDeviant, proveVariant } from './prove.ts';
import { isPlain, sampleOfDeviants, sampleOfVariants } from './testing/sample.ts';

const world = await startWorld();
const fixtures = { world, tokens: mintPlainTokens(plainOperations), catalogue, casesAt };
afterAll(() => world.close());

describe('a deviant is blamed for the requirement that it breaks, as one cause', () => {
  test.for(sampleOfDeviants(contract).filter(isPlain))('$id $what', async (deviant) => {
    expect((await proveDeviant(fixtures, deviant, { effort: 'quick' })).problems).toEqual([]);
  });
});

test('a deviant of chats is caught with the chats that another machine gets', async () => {
  for (const deviant of plainDeviants(/^plain\.user-email-as-third-person\.chat$/))
    expect((await proveDeviant(fixtures, deviant, { effort: 'remote' })).caughtBy).toBe('checks');
});

test('a deviant that chance decides is in the table for what it breaks alone', async () => {
  const [deviant] = plainDeviants(/^plain\.person-of-the-connection$/);
  const { varies: _varies, ...unmarked } = deviant;
  const requirementsOf = async (one: typeof deviant) =>
    (await proveDeviant(fixtures, one)).blamed.map(({ requirement }) => requirement);
  expect(await requirementsOf(deviant)).toEqual(['act-as.effective']);
  expect(await requirementsOf(unmarked)).toContain('user.isolation');
});

describe('a variant is not blamed', () => {
  test.for(sampleOfVariants.filter(isPlain))('$id $what', async (variant) => {
    expect((await proveVariant(fixtures, variant)).problems).toEqual([]);
  });
});
