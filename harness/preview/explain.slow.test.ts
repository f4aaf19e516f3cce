import { expect, test } from 'vitest';
import { catalogue } from '../testing/contract.ts';
import { BASELINE, decision, reportOf } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';
import { explainer } from './explain.ts';

test('an explanation exists for everything that a report names', async () => {
  const report = await reportOf({
    changes: { USER_TOKEN_EXPIRED: undefined },
    instead: ({ kind }) => (kind === 'GLOBAL' ? answer(401) : undefined),
    decisions: [decision('fail')],
    baseline: BASELINE,
  });
  const explain = explainer(catalogue);
  const named = [
    ...report.claims.kinds,
    ...report.claims.capabilities,
    ...[...report.requirements, ...report.excluded].map(({ id }) => id),
    ...report.findings.flatMap(({ example, cases }) => [example, ...cases.slice(0, 20)]),
    ...(report.baseline?.entries.map(({ names }) => names) ?? []),
    ...report.undecided.flatMap(({ reason, units }) => [...(/^[A-Z_]+$/.test(reason) ? [reason] : []), ...units]),
    ...report.outOfPlan.flatMap(({ reason }) => (/^[A-Z_]+$/.test(reason) ? [reason] : [])),
    ...report.restsOnWord,
    ...new Set(report.cases.map(({ group }) => group)),
  ];
  expect(named.filter((id) => explain(id).length === 0)).toEqual([]);
  expect(named.length).toBeGreaterThan(200);
});
