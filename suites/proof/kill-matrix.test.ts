import { expect, test } from 'vitest';
import { deviants } from '../../fixtures/deviants/index.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { contract } from '../../harness/testing/contract.ts';
import { unbrokenMusts } from './kill-matrix.ts';

test('every requirement of level must is broken by a deviant', () => {
  expect(unbrokenMusts(contract, deviants)).toEqual([]);
});

test('ids of deviants and variants are unique', () => {
  const ids = [...deviants, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
