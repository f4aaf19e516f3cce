import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { expiredUser, reportOf } from '../testing/report.ts';
import { accepted } from '../testing/small-world.ts';
import { baselineFileOf } from './baseline-file.ts';

test('a written baseline names only the operation and the kind of a cause, so that what is new elsewhere still fails', async () => {
  const instead: Parameters<typeof reportOf>[0] = {
    instead: (values) => (expiredUser(values) && values.operation === 'search' ? accepted : undefined),
  };
  const known = {
    deviations: [{ requirement: 'scope.chat', reason: 'known since May', review: '2027-01-31' }],
    gaps: [],
    today: '2026-11-23',
  };
  expect(
    baselineFileOf(await reportOf(instead), known, '2026-11-23')
      .split('\n')
      .slice(2),
  ).toEqual([
    'deviations:',
    '  - requirement: scope.chat',
    '    reason: known since May',
    '    review: 2027-01-31',
    expect.stringMatching(/^ {2}# F1: A token is refused with 401 after its expiry\. .*Where: .*\. Got: 200$/),
    '  - requirement: token.expired',
    '    cases: search/USER/**',
    '    reason: to fill in',
    '    review: 2026-12-23',
    '',
  ]);
});

test('a baseline of a run in which nothing fails lists nothing, and can be read', async () => {
  const written = baselineFileOf(await reportOf(), undefined, '2026-11-23');
  expect(parse(written)).toEqual({ deviations: [] });
});
