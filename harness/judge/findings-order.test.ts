import { expect, test } from 'vitest';
import { decision, reportOf } from '../testing/report.ts';
import { accepted, answer, contract, plannedCase } from '../testing/small-world.ts';
import { acceptedControl, decide, plan, several } from '../testing/verdicts.ts';
import { findingsOf } from './findings.ts';

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

const search = (kind: string, changes: Record<string, string>, seen = answer(404)) =>
  decide([...several(plannedCase(plan, 'search', kind, changes), seen, seen), acceptedControl], true);

test('a cause with a wrong acceptance comes before one with more cases that were refused with a wrong status', () => {
  const refused = ['GLOBAL', 'OKTA', 'USER'].map((kind) => search(kind, { holding: 'none' }));
  for (const refusedToo of [[], [search('OKTA', { validity: 'expired' })]]) {
    const verdicts = [...refused, ...refusedToo, search('USER', { validity: 'expired' }, accepted)];
    const found = findingsOf(contract, verdicts, [], true);
    expect(found.map(({ template, cases }) => [template, cases.length])).toEqual([
      ['token.expired', 1],
      ['scope.{operation}', 3],
      ...refusedToo.map(() => ['token.expired', 1]),
    ]);
  }
});

test('a cause is a leak if one of its requirements is about the data of another person', () => {
  const decisions = ['search.page-size', 'scope.search', 'scope.chat'].map((requirement) => ({
    ...decision('fail'),
    requirement,
  }));
  const requirements = contract.requirements.map((one) =>
    one.id === 'scope.chat' ? { ...one, grave: true as const } : one,
  );
  const first = (rules: typeof contract) => findingsOf(rules, [], decisions, true)[0]?.requirements;
  expect(first(contract)).toEqual(['search.page-size']);
  expect(first({ ...contract, requirements })).toEqual(['scope.search', 'scope.chat']);
});
