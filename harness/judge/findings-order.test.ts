import { expect, test } from 'vitest';
import { decision, reportOf } from '../testing/report.ts';
import { accepted, answer } from '../testing/small-world.ts';

test('a leak comes before a wrong acceptance, that before a wrong status, and warnings come last', async () => {
  const { findings } = await reportOf({
    instead: ({ kind, validity }) => {
      if (validity !== 'expired') return undefined;
      return kind === 'USER' ? answer(404) : kind === 'GOOGLE' ? accepted : undefined;
    },
    decisions: [
      { ...decision('warn'), requirement: 'rfc.allow' },
      { ...decision('fail'), requirement: 'search.page-size' },
      { ...decision('fail'), requirement: 'act-as.effective', kind: 'GLOBAL' },
    ],
  });
  const shown = findings.map(({ id, verdict, requirements }) => `${id} ${verdict} ${requirements.join(' ')}`);
  expect(shown[0]).toBe('F1 fail act-as.effective');
  expect(shown[1]).toBe('F2 fail token.expired');
  expect(findings[1]?.got).toMatch(/^200/);
  expect(shown.at(-1)).toMatch(/ warn rfc\.allow$/);
  expect(shown.map((line) => line.split(' ')[0])).toEqual(findings.map((_, index) => `F${index + 1}`));
});
