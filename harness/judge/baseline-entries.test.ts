import { describe, expect, test } from 'vitest';
import { lackInWords } from '../plan/case.ts';
import type { Decision } from '../record/exchange.ts';
import { decision as decided } from '../testing/report.ts';
import { contract, planWith } from '../testing/small-world.ts';
import { type BaselineEntry, judgeBaseline } from './baseline.ts';

const plan = { ...planWith(), undecidable: [] };
const REASON = 'USER_PRIVATE_MARKER';
const decision = (verdict: Decision['verdict'], change: Partial<Decision> = {}): Decision => ({
  ...decided(verdict, REASON),
  ...change,
});
const entry = (named: Pick<BaselineEntry, 'requirement' | 'cases'>, review = '2030-01-01'): BaselineEntry => ({
  ...named,
  reason: 'nobody has the variable',
  review,
});
const ISOLATION = entry({ cases: 'isolation' });

/** A run in which only checks decide something. */
function judged(
  decisions: readonly Decision[],
  { deviations = [], gaps = [] }: { deviations?: readonly BaselineEntry[]; gaps?: readonly BaselineEntry[] },
) {
  const baseline = { deviations, gaps, today: '2026-11-21' };
  return judgeBaseline({ contract, plan, verdicts: [], findings: [], decisions, requirements: [], baseline });
}

describe('an entry', () => {
  const standing = (list: 'deviations' | 'gaps', ...verdicts: readonly Decision['verdict'][]) =>
    judged(
      verdicts.map((verdict) => decision(verdict)),
      { [list]: [ISOLATION] },
    ).entries[0]?.standing;

  test.each<['deviations' | 'gaps', readonly Decision['verdict'][], string]>([
    ['deviations', ['fail'], 'occurs'],
    // A missed recommendation is a deviation too.
    ['deviations', ['warn', 'inconclusive'], 'occurs'],
    ['deviations', ['inconclusive', 'pass'], 'undecided'],
    ['deviations', ['not-testable', 'pass'], 'undecided'],
    ['deviations', ['pass', 'observed'], 'no longer occurs'],
    ['deviations', [], 'matches nothing'],
    ['gaps', ['not-testable'], 'occurs'],
    ['gaps', ['inconclusive', 'pass'], 'undecided'],
    ['gaps', ['warn', 'pass'], 'no longer occurs'],
    ['gaps', ['fail', 'observed'], 'no longer occurs'],
    ['gaps', [], 'matches nothing'],
  ])('in the %s that lists checks with the verdicts %j: %s', (list, verdicts, wanted) => {
    expect(standing(list, ...verdicts)).toBe(wanted);
  });

  test('counts what it lists, says where it is listed, and is overdue after its review date', () => {
    const [failed, lacking] = [decision('fail'), decision('not-testable', { kind: 'GLOBAL' })];
    const late = entry({ cases: 'isolation/*/GLOBAL' }, '2026-11-20');
    const found = judged([failed, lacking], {
      deviations: [ISOLATION, entry({ cases: 'isolation' }, '2026-11-21')],
      gaps: [late],
    });
    expect(found.entries).toMatchObject([
      { list: 'deviation', covers: 1, overdue: false },
      { list: 'deviation', covers: 1, overdue: false },
      { list: 'gap', covers: 1, overdue: true },
    ]);
    expect([...found.listed]).toEqual([
      [failed, 0],
      [lacking, 2],
    ]);
    expect(found.deviates).toBe(false);
  });
});

test('a run deviates if something fails that is listed only as a gap', () => {
  expect(judged([decision('fail')], { gaps: [ISOLATION] }).deviates).toBe(true);
});

describe('a gap accepts that a requirement cannot be tested', () => {
  const accepts = (
    decisions: readonly Decision[],
    gaps: readonly BaselineEntry[],
    unit = 'search/USER',
    reason = REASON,
  ) => judged(decisions, { gaps }).accepts('user.isolation', unit, lackInWords(reason));
  const lacking = decision('not-testable');

  test('if it names the requirement', () => {
    expect(accepts([lacking], [entry({ requirement: 'user.isolation' })])).toBe(true);
    expect(accepts([lacking], [entry({ requirement: 'search.page-size' })])).toBe(false);
  });

  test('if it lists everything that is untestable about it', () => {
    const other = { ...lacking, check: 'paging' };
    expect(accepts([lacking], [ISOLATION])).toBe(true);
    expect(accepts([lacking, other], [ISOLATION])).toBe(false);
    expect(accepts([lacking, other], [ISOLATION, entry({ cases: 'paging' })])).toBe(true);
  });

  test('in one unit, for one reason and for one requirement', () => {
    expect(accepts([lacking], [ISOLATION], 'chat/USER')).toBe(false);
    expect(accepts([lacking], [ISOLATION], 'search/USER', 'another reason')).toBe(false);
    expect(accepts([{ ...lacking, requirement: 'search.page-size' }], [ISOLATION])).toBe(false);
  });

  test('whatever other checks decide, elsewhere, or for other reasons', () => {
    const others: readonly Decision[] = [
      decision('fail', { check: 'paging' }),
      decision('not-testable', { check: 'paging', operation: 'chat' }),
      decision('not-testable', { check: 'paging', detail: 'another reason' }),
      decision('not-testable', { check: 'paging', requirement: 'search.page-size' }),
    ];
    for (const other of others) expect(accepts([lacking, other], [ISOLATION])).toBe(true);
  });

  test('but accepts nothing where nothing is untestable', () => {
    expect(accepts([], [ISOLATION])).toBe(false);
    expect(accepts([decision('fail')], [ISOLATION])).toBe(false);
  });
});
