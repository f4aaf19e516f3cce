import { describe, expect, test } from 'vitest';
import { textOfLack, unitOf, variableLack } from '../plan/case.ts';
import type { Decision } from '../record/exchange.ts';
import { decision } from '../testing/report.ts';
import { contract, plannedCase, planWith } from '../testing/small-world.ts';
import { type Decided, subjectsOf } from './baseline-subjects.ts';
import type { Finding } from './findings.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { RequirementVerdict } from './judge-requirements.ts';

const whole = planWith();
const lacking = planWith({ USER_TOKEN_EXPIRED: undefined });
const expired = plannedCase(whole, 'chat', 'USER', { validity: 'expired' });
const full = plannedCase(whole, 'search', 'USER');

/** What a baseline can list of a run in which nothing came but this. */
const subjects = (parts: Partial<Decided>) =>
  subjectsOf({ contract, plan: whole, verdicts: [], findings: [], decisions: [], requirements: [], ...parts });

const verdictOf = (verdict: CaseVerdict['verdict'], reason?: string): CaseVerdict => ({
  case: expired,
  verdict,
  sent: 1,
  satisfied: [],
  ...(reason !== undefined && { reason }),
});

describe('a case', () => {
  test.each<[CaseVerdict['verdict'], string]>([
    ['fail', 'fails'],
    ['warn', 'warns'],
    ['inconclusive', 'undecided'],
    ['pass', 'right'],
    ['observed', 'right'],
  ])('with the verdict %s %s', (verdict, state) => {
    expect(subjects({ verdicts: [verdictOf(verdict, 'why')] })).toMatchObject([
      { key: expired.id, names: [expired.id], unit: 'chat/USER', state, reason: 'why' },
    ]);
  });

  test('without a reason has an empty one', () => {
    expect(subjects({ verdicts: [verdictOf('pass')] })[0]?.reason).toBe('');
  });

  test('that nothing blames counts for each requirement that it can decide', () => {
    const [subject] = subjects({ verdicts: [verdictOf('pass')] });
    expect(subject?.requirements).toEqual(
      expect.arrayContaining(['token.expired', 'message.act-as-missing', 'message.invalid-identity']),
    );
  });

  const finding = (verdict: Finding['verdict']) =>
    ({ verdict, template: 'scope.{operation}', cases: [verdictOf('fail')], decisions: [] }) as unknown as Finding;

  test('that a finding blames counts for the requirement of this finding, in its operation', () => {
    for (const verdict of ['fail', 'warn'] as const)
      expect(subjects({ verdicts: [verdictOf('fail')], findings: [finding(verdict)] })[0]?.requirements).toEqual([
        'scope.chat',
      ]);
  });

  test('of an inconclusive finding is blamed for nothing', () => {
    const [subject] = subjects({ verdicts: [verdictOf('fail')], findings: [finding('inconclusive')] });
    expect(subject?.requirements.length).toBeGreaterThan(1);
    expect(subject?.requirements).not.toContain('scope.chat');
  });
});

describe('a case that cannot be tested', () => {
  const undecided = (requirement: string, unit: string): RequirementVerdict => ({
    requirement: contract.requirements.find(({ id }) => id === requirement) ?? expect.fail(),
    verdict: 'not-testable',
    undecided: [{ unit, lack: variableLack('USER_TOKEN_EXPIRED'), status: 'not-testable', accepted: false }],
    decidedCases: 0,
    units: new Map(),
  });
  const untestable = lacking.undecidable.filter(
    ({ status, lack }) => status === 'not-testable' && textOfLack(lack) === 'USER_TOKEN_EXPIRED',
  );

  test('counts for the requirements that stay undecided in its unit for the same reason', () => {
    expect(untestable.length).toBeGreaterThan(2);
    const requirements = [undecided('token.expired', 'search/USER')];
    const seen = subjects({ plan: lacking, requirements });
    for (const { case: found } of untestable) {
      const needed = unitOf(found.values) === 'search/USER';
      const subject = seen.find(({ key }) => key === found.id);
      expect(subject).toMatchObject({
        names: [found.id],
        unit: unitOf(found.values),
        reason: 'USER_TOKEN_EXPIRED',
        state: needed ? 'untestable' : 'not-needed',
      });
      expect(subject?.requirements).toContain('token.expired');
      if (needed) expect([...new Set(subject?.requirements)]).toEqual(['token.expired']);
    }
  });

  test('is not needed if its requirements are undecided for another reason', () => {
    const other = undecided('token.expired', 'search/USER');
    const lack = variableLack('USER_TOKEN');
    const requirements = [{ ...other, undecided: other.undecided.map((one) => ({ ...one, lack })) }];
    const states = subjects({ plan: lacking, requirements }).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['not-needed']));
  });

  test('is no subject if its kind is not claimed', () => {
    const skipped = lacking.undecidable.filter(({ status }) => status !== 'not-testable');
    const keys = new Set(subjects({ plan: lacking }).map(({ key }) => key));
    expect(skipped.filter(({ case: found }) => keys.has(found.id))).toEqual([]);
  });
});

describe('a decision of a check', () => {
  test.each<[Decision['verdict'], string]>([
    ['fail', 'fails'],
    ['not-testable', 'untestable'],
    ['pass', 'right'],
  ])('with the verdict %s is named by the check, with and without its unit, and %s', (verdict, state) => {
    const decided: Decision = { ...decision('fail'), verdict, detail: 'what came' };
    const { check, requirement, operation, kind } = decided;
    expect(subjects({ decisions: [decided] })).toEqual([
      {
        key: decided,
        names: [check, `${check}/${operation}/${kind}`],
        requirements: [requirement],
        unit: `${operation}/${kind}`,
        reason: 'what came',
        state,
      },
    ]);
  });

  test('comes after the cases', () => {
    const keys = subjects({ verdicts: [verdictOf('pass')], decisions: [decision('pass')] }).map(
      ({ key }) => typeof key,
    );
    expect(keys).toEqual(['string', 'object']);
  });
});

test('a case that passes may be one with the full token', () => {
  expect(subjects({ verdicts: [{ ...verdictOf('pass'), case: full }] })[0]?.requirements).toContain('user.accepted');
});
