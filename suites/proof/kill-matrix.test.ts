import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deviants } from '../../fixtures/deviants/index.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { citingAttributions } from '../../harness/contract/attribution.ts';
import { DEPTHS, requirementFor } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { expandOnce } from '../../harness/plan/expand.ts';
import { contract } from '../../harness/testing/contract.ts';
import {
  aligned,
  depthTable,
  listProblems,
  matrixRow,
  matrixText,
  NOTHING,
  readMatrix,
  readNotRemote,
  reasonFor,
  remoteSummary,
  renewedMatrix,
  unbrokenMusts,
  VARIANT,
} from './kill-matrix.ts';
import type { Proof } from './prove.ts';

test('every requirement of level must is broken by a deviant', () => {
  expect(unbrokenMusts(contract, deviants)).toEqual([]);
});

test('ids of deviants and variants are unique', () => {
  const ids = [...deviants, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

const proof = (id: string, caughtBy: Proof['caughtBy'], checks: readonly string[] = []): Proof => ({
  id,
  what: 'breaks something',
  family: 'deviant',
  breaks: 'token.expired',
  blamed: caughtBy === undefined ? [] : [{ requirement: 'token.expired', verdict: 'fail' }],
  caughtBy,
  checks,
  problems: [],
});

describe('the kill matrix', () => {
  const rows = readMatrix(readFileSync('suites/proof/kill-matrix.txt', 'utf8'));

  test('has a line for each deviant and variant, in their order; npm run prove -- --only <id> --write adds it', () => {
    expect(rows.map(({ id }) => id)).toEqual([...deviants, ...variants].map(({ id }) => id));
  });

  test('says that each deviant was caught by what it breaks, and that no variant was blamed', () => {
    const broken = new Map(deviants.map((one) => [one.id, one.breaks]));
    expect(rows.filter(({ id, breaks }) => breaks !== (broken.get(id) ?? VARIANT))).toEqual([]);
    const isRight = ({ breaks, blamed, caughtBy }: (typeof rows)[number]) =>
      breaks === VARIANT
        ? blamed === NOTHING
        : caughtBy !== NOTHING &&
          contract.operations.some(({ id }) => blamed.split(/[ ,]+/).includes(requirementFor(breaks, id)));
    expect(rows.filter((row) => !isRight(row))).toEqual([]);
  });

  test('is what the table of depths is made of', () => {
    expect(`${depthTable(rows, deviants)}\n`).toBe(readFileSync('suites/proof/depths.txt', 'utf8'));
  });

  test('is read as it is written', () => {
    expect(readMatrix(matrixText(rows))).toEqual(rows);
  });

  test('keeps the lines of what was not judged, and drops those of what is gone', () => {
    const known = [proof('gone', 'matrix'), proof('two', 'matrix'), proof('one', undefined)].map(matrixRow);
    const renewed = renewedMatrix(['one', 'two', 'new'], known, [proof('one', 'checks'), proof('new', 'matrix')]);
    expect(renewed.map(({ id, caughtBy }) => [id, caughtBy])).toEqual([
      ['one', 'checks'],
      ['two', 'matrix'],
      ['new', 'matrix'],
    ]);
  });
});

test('a row says how many deviants the depth catches, how many only by checks, and which it misses', () => {
  const proofs = [proof('one', 'matrix'), proof('two', 'checks'), proof('three', 'matrix'), proof('four', undefined)];
  const known = [{ id: 'one' }, { id: 'two' }, { id: 'three', depth: 'triples' } as const, { id: 'four' }];
  const rows = depthTable(proofs.map(matrixRow), known).split('\n');
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['depth', 'deviants', 'caught', 'by checks alone', 'not caught'],
    ['core', '4', '2', '1', 'three, four'],
    ['pairwise', '4', '2', '1', 'three, four'],
    ['triples', '4', '3', '1', 'four'],
    ['full', '4', '3', '1', 'four'],
  ]);
});

test('each depth sends the cases of the one before it', async () => {
  const casesAt = expandOnce(await loadContract());
  const ids = DEPTHS.map((depth) => new Set(casesAt(depth).map(({ id }) => id)));
  for (const [at, smaller] of ids.slice(0, -1).entries())
    expect([...smaller].filter((id) => !ids[at + 1]?.has(id))).toEqual([]);
});

const list = readNotRemote('one    needs --intrusive: fuzz\nthree  ?\n');

describe('the list of what the remote default does not catch', () => {
  /** Whether such a run decides a requirement. What intrusive checks alone decide, it says that it did not try. */
  const isDecided = (requirement: string) =>
    citingAttributions(contract, requirement).length > 0 ||
    contract.checks.some(({ requirements, intrusive }) => !intrusive && requirements.includes(requirement));

  test('names deviants that exist, each with its reason, and at most one in twenty of those that such a run can judge', () => {
    const committed = readNotRemote(readFileSync('suites/proof/not-remote.txt', 'utf8'));
    const ids = new Set(deviants.map(({ id }) => id));
    expect([...committed.keys()].filter((id) => !ids.has(id))).toEqual([]);
    expect([...committed.values()].filter((reason) => reason === '?')).toEqual([]);
    const judged = deviants.filter(({ breaks }) => isDecided(breaks));
    expect(deviants.length - judged.length).toBeGreaterThan(0);
    expect(judged.filter(({ id }) => committed.has(id)).length).toBeLessThanOrEqual(judged.length / 20);
  });

  test('is read as it is written', () => {
    expect([...readNotRemote(aligned([...list]))]).toEqual([...list]);
  });

  test('must have every survivor, with a reason, and nothing that is caught', () => {
    expect(listProblems(list, [proof('one', undefined), proof('two', 'matrix')])).toEqual([]);
    expect(listProblems(list, [proof('one', 'checks'), proof('two', undefined), proof('three', undefined)])).toEqual([
      'one is caught; take it off the list',
      'two survives, and the list has no reason for it',
      'three survives, and nobody said why',
    ]);
  });

  test('is part of the summary', () => {
    expect(remoteSummary(list, [proof('one', undefined), proof('two', 'matrix'), proof('four', 'checks')])).toBe(
      '2 of 3 deviants caught by the remote default (66.6 %)\none  needs --intrusive: fuzz',
    );
  });
});

test.each([
  [
    'the intrusive check that catches it',
    {},
    proof('one', 'checks', ['fuzz', 'bursts']),
    'needs --intrusive: fuzz, bursts',
  ],
  [
    'the depth that sees it',
    { depth: 'pairwise' } as const,
    proof('one', 'matrix'),
    'depends on several values: needs --depth pairwise',
  ],
  ['nothing', {}, proof('one', undefined), '?'],
])('the reason is %s', (_what, deviant, here, reason) => {
  expect(reasonFor(deviant, here)).toBe(reason);
});
