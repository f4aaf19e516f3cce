import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deviants } from '../../fixtures/deviants/index.ts';
import { listProblems, notRemoteText, readNotRemote, reasonFor, remoteSummary } from './not-remote.ts';
import type { Proof } from './prove.ts';

const proof = (id: string, caughtBy: Proof['caughtBy'], checks: readonly string[] = []): Proof => ({
  depth: 'core',
  id,
  what: 'breaks something',
  family: 'deviant',
  breaks: 'token.expired',
  blamed: [],
  causes: 1,
  cases: 440,
  caughtBy,
  checks,
  problems: [],
});
const list = readNotRemote('one    needs --intrusive: fuzz\nthree  ?\n');

describe('the list of what the remote default does not catch', () => {
  test('names deviants that exist, each with its reason, and at most one in twenty', () => {
    const committed = readNotRemote(readFileSync('suites/proof/not-remote.txt', 'utf8'));
    const ids = new Set(deviants.map(({ id }) => id));
    expect([...committed.keys()].filter((id) => !ids.has(id))).toEqual([]);
    expect([...committed.values()].filter((reason) => reason === '?')).toEqual([]);
    expect(committed.size).toBeLessThanOrEqual(deviants.length / 20);
  });

  test('is read as it is written', () => {
    expect([...readNotRemote(notRemoteText(list))]).toEqual([...list]);
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
