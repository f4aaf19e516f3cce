import { expect, test } from 'vitest';
import { contract } from '../../harness/testing/contract.ts';
import { cases, disagreements } from '../testing/disagreements.ts';

test('the second oracle agrees with rules.yaml on every case of depth full', () => {
  expect(cases.length).toBeGreaterThan(20_000);
  expect(disagreements(contract).map(({ id }) => id)).toEqual([]);
});
