import { expect, test } from 'vitest';
import { DIMENSIONS } from '../contract/contract.ts';
import { casesAt, contract, planWith } from '../testing/small-world.ts';
import { readCaseId, readGroup, unitOf } from './case.ts';

test('the id of every case of depth full gives its value in each dimension', () => {
  const familyOf = (kind: string) => contract.matrix.kinds[kind]?.family ?? 'none';
  const misread = casesAt('full').filter(({ id, values }) => {
    const read = readCaseId(id, familyOf);
    return DIMENSIONS.some((dimension) => read[dimension] !== values[dimension]);
  });
  expect(misread.map(({ id }) => id)).toEqual([]);
});

test('the id of every group gives its operation, kind and rule', () => {
  const { groups } = planWith();
  expect(groups.map(({ id }) => `${unitOf(readGroup(id))}/${readGroup(id).rule}`)).toEqual(groups.map(({ id }) => id));
  for (const { id, cases } of groups)
    expect(new Set(cases.map(({ values }) => unitOf(values)))).toEqual(new Set([unitOf(readGroup(id))]));
});
