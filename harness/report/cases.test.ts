import { describe, expect, test } from 'vitest';
import { VERDICTS } from '../judge/judge-cases.ts';
import { expiredUser, reportOf } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';
import { responseTable } from './cases.ts';

const broken = () => reportOf({ instead: (values) => (expiredUser(values) ? answer(404) : undefined) });

describe('the cases of a report', () => {
  test('match the counts, including untestable and unclaimed cases', async () => {
    const { cases, counts } = await reportOf({
      changes: { USER_TOKEN_EXPIRED: undefined, CONFORMANCE_CLAIMS: 'user' },
    });
    const counted = VERDICTS.map((verdict) => cases.filter((found) => found.verdict === verdict).length);
    expect(counted).toEqual(VERDICTS.map((verdict) => counts.verdicts[verdict]));
    expect(counts.verdicts['not-testable']).toBeGreaterThan(0);
    expect(counts.verdicts['not-applicable']).toBeGreaterThan(0);
  });

  test('name their requirements and what is admitted', async () => {
    const { cases, expectations } = await reportOf();
    const found = cases.find(({ id }) => id === 'search/USER/expired/all/act-as:absent/auth-type:absent');
    expect(expectations[found?.expectation ?? -1]).toEqual({
      kind: 'refuse',
      wanted: expect.stringMatching(/^401; or 4xx \(with a warning\) with the message/),
      requirements: ['token.expired'],
      basis: 'stated',
      interpretation: null,
    });
  });

  test('have a curl line if they fail, without secrets', async () => {
    const { cases } = await broken();
    const wrong = cases.filter(({ verdict }) => verdict === 'fail');
    expect(wrong.length).toBeGreaterThan(0);
    expect(cases.filter(({ curl }) => curl !== undefined)).toEqual(wrong);
    expect(wrong[0]?.curl).toContain('$USER_TOKEN_EXPIRED');
  });

  test('show the status and the documented message of a refusal, but nothing else of the body', async () => {
    const { cases } = await reportOf();
    const found = cases.find(({ id }) => id === 'search/GLOBAL/valid/all/act-as:absent/auth-type:absent');
    expect(found?.got).toMatch(/^400 "[^"]+"$/);
  });
});

test('the table has each response once, whatever took how long', () => {
  const table = responseTable();
  const indices = [answer(401, 'no'), answer(403, 'no'), answer(401, 'no')].map((one) => table.indexOf(one));
  expect(indices).toEqual([0, 1, 0]);
  expect(table.rows.map((row) => row.kind === 'answer' && row.status)).toEqual([401, 403]);
});

test('a full table still knows what it has', () => {
  const table = responseTable(500);
  const of = (text: string) => table.indexOf(answer(401, text));
  expect([of('no'), of('x'.repeat(500)), of('no')]).toEqual([0, undefined, 0]);
});
