import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import { causes, expired } from '../testing/findings.ts';
import { decision as decided } from '../testing/report.ts';
import { answer, rightAnswer, taking } from '../testing/small-world.ts';
import { blamedIn } from './causes-of-checks.ts';

const decision = (requirement: string, verdict: Decision['verdict']): Decision => ({
  ...decided(verdict),
  requirement,
});
/** The findings about a target that answers as documented, and about one that accepts expired tokens. */
const right = (decisions: readonly Decision[]) => causes(({ values }) => rightAnswer(values), { decisions });
const takingExpired = taking(expired, { validity: 'valid' });
const accepting = (decisions: readonly Decision[]) =>
  causes(({ values }) => rightAnswer(takingExpired(values)), { decisions });

describe('the verdict of a cause on a requirement', () => {
  const blamed = (decisions: readonly Decision[]) => right(decisions).flatMap(blamedIn);

  test('is a warning if checks only warned about it while another requirement fails', () => {
    const advice = { ...decision('mcp.status', 'warn'), check: 'mcp', operation: 'mcp', broke: 7 };
    expect(blamed([advice, { ...advice, requirement: 'reference.mcp', verdict: 'fail' }])).toEqual([
      { requirement: 'mcp.status', verdict: 'warn' },
      { requirement: 'reference.mcp', verdict: 'fail' },
    ]);
  });

  test('is a failure if one check failed it and another one only warned', () => {
    const decisions = [decision('user.isolation', 'warn'), { ...decision('user.isolation', 'fail'), kind: 'GLOBAL' }];
    expect(blamed(decisions)).toEqual([{ requirement: 'user.isolation', verdict: 'fail' }]);
  });

  test('is the one of the matrix if cases failed it, whatever checks say', () => {
    const decisions = [decision('token.expired', 'warn'), decision('mcp.token', 'warn')];
    const found = accepting(decisions);
    expect(found.flatMap(blamedIn)).toEqual([
      { requirement: 'token.expired', verdict: 'fail' },
      { requirement: 'mcp.token', verdict: 'warn' },
    ]);
  });

  test('is that of the cause if what is wrong with the control of its cases is blamed', () => {
    const [cause] = accepting([]);
    if (!cause) throw new Error('There is a cause.');
    expect(blamedIn({ ...cause, requirements: ['global.accepted'] })).toEqual([
      { requirement: 'global.accepted', verdict: 'fail' },
    ]);
  });

  test('is undecided if nothing that failed was repeated', () => {
    let sent = 0;
    const once = ({ values }: PlannedCase) =>
      values.validity === 'expired' && values.kind === 'USER' && sent++ === 0 ? answer(403) : rightAnswer(values);
    expect(causes(once).flatMap(blamedIn)).toEqual([{ requirement: 'token.expired', verdict: 'inconclusive' }]);
  });
});
