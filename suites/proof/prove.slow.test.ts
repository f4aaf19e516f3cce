import { afterAll, describe, expect, test } from 'vitest';
import type { Deviant } from '../../fixtures/deviants/deviant.ts';
import { deviants } from '../../fixtures/deviants/index.ts';
import { startWorld } from '../../fixtures/embedded/world.ts';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { plainOperations } from '../../fixtures/plain/request.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { requirementFor } from '../../harness/contract/contract.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { casesAt, contract } from '../../harness/testing/contract.ts';
import { unbrokenMusts } from './kill-matrix.ts';
import { proveDeviant, proveVariant } from './prove.ts';

// `npm run prove` tries all of them, with more checks. This test tries one deviant for each requirement, and six variants.
const VARIANTS = 6;
const world = await startWorld();
const fixtures = {
  world,
  tokens: mintPlainTokens(plainOperations),
  catalogue: catalogueOf(contract),
  casesAt,
};
afterAll(() => world.close());

const chosen = [
  ...new Set(contract.requirements.flatMap(({ id, level }) => (level === 'must' ? (breaking(id) ?? []) : []))),
];
const sample = variants.filter((_, index) => index % Math.ceil(variants.length / VARIANTS) === 0);

function breaking(requirement: string): Deviant | undefined {
  const known = deviants.filter(({ breaks }) =>
    contract.operations.some(({ id }) => requirementFor(breaks, id) === requirement),
  );
  // Deviants of the plain target take a third of the time. Those that get an answer need no pauses between retries.
  const answered = known.filter(({ id }) => !/\b(50[234]|reset)\b/.test(id));
  return answered.find(({ base }) => base === 'plain') ?? answered[0] ?? known[0];
}

test('every requirement of level must is broken by a deviant', () => {
  expect(unbrokenMusts(contract, deviants)).toEqual([]);
});

test('ids of deviants and variants are unique', () => {
  const ids = [...deviants, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

describe('a deviant is blamed for the requirement that it breaks, as one cause', () => {
  test.for(chosen)('$id $what', async (deviant) => {
    expect((await proveDeviant(fixtures, deviant, { effort: 'quick' })).problems).toEqual([]);
  });
});

describe('a variant is not blamed', () => {
  test.for(sample)('$id $what', async (variant) => {
    expect((await proveVariant(fixtures, variant)).problems).toEqual([]);
  });
});
