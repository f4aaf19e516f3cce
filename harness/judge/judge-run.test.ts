import { describe, expect, test } from 'vitest';
import { expect as oracle } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Role } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { decision } from '../testing/report.ts';
import {
  accepted,
  answer,
  caseOf,
  casesAt,
  contract,
  exchangeOf,
  plannedCase,
  planWith,
  reset,
  rightAnswer,
  sendAll,
} from '../testing/small-world.ts';
import { judgeRun, type RunToJudge } from './judge-run.ts';

const plan = planWith();
const full = plannedCase(plan, 'search', 'USER');
const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });

const judge = (sent: readonly (readonly [PlannedCase, Observation])[], change: Partial<RunToJudge> = {}) =>
  judgeRun({
    contract,
    plan,
    exchanges: sent.map(([planned, seen], index) => exchangeOf(planned, seen, index + 1)),
    decisions: [],
    trusted: false,
    narrowed: false,
    ...change,
  });
const verdictOn = (planned: PlannedCase, ...[sent, change]: Parameters<typeof judge>) =>
  judge(sent, change).verdicts.find((found) => found.case.id === planned.id);

test('a run says why a case was not sent', () => {
  const unsent = new Map([[expired.id, 'the run stopped']]);
  expect(verdictOn(expired, [[full, accepted]], { unsent })).toMatchObject({ reason: 'the run stopped' });
  expect(verdictOn(expired, [[full, accepted]])).toMatchObject({ reason: 'not sent' });
});

test('a refusal of a lockout shows nothing to a check, neither a fault nor that there is none', () => {
  const lockedOut = { kind: 'failure', failure: 'locked-out', detail: 'locked out' } as const;
  const decisions = [{ ...decision('fail'), broke: 2 }];
  const blamedWith = (seen: Observation) =>
    judge(
      [
        [full, accepted],
        [full, seen],
      ],
      { decisions },
    ).findings.length;
  expect(blamedWith(lockedOut)).toBe(0);
  expect([accepted, reset].map(blamedWith)).toEqual([1, 1]);
  const passed = judge([[full, lockedOut]], { decisions: [{ ...decision('pass'), steps: [1] }] });
  const detail = 'saw the marker of another, while the target had locked the run out';
  expect(passed.decisions).toMatchObject([{ verdict: 'inconclusive', detail }]);
});

test('a run that stopped early, or was narrowed, does not conform', () => {
  const exchanges = sendAll(plan, ({ values }) => rightAnswer(values), 1);
  const conforming = judge([], { exchanges });
  expect(conforming).toMatchObject({ findings: [], stopped: undefined, exchanges });
  expect(judge([], { exchanges, stopped: 'interrupted' })).toMatchObject({
    ending: 'inconclusive',
    stopped: 'interrupted',
  });
  expect(judge([], { exchanges, narrowed: true }).ending).not.toBe(conforming.ending);
});

test('what checks decided is a finding of the run', () => {
  const decisions = [decision('fail')];
  expect(judge([[full, accepted]], { decisions })).toMatchObject({
    decisions,
    findings: [{ requirements: ['user.isolation'], decisions }],
    ending: 'deviates',
  });
});

describe('a token is known to work', () => {
  const signIn = answer(200, '<h1>Sign in</h1>', { 'content-type': 'text/html' });
  const refused = answer(401);
  const other = plannedCase(plan, 'search', 'GLOBAL');

  test('if the target accepted it', () => {
    expect(
      verdictOn(expired, [
        [expired, refused],
        [full, accepted],
      ])?.verdict,
    ).toBe('pass');
  });

  test('but not if it got a page that came and went, as from a gateway', () => {
    const sent = [
      [other, accepted],
      [expired, refused],
      [full, signIn],
      [full, refused],
    ] as const;
    expect(verdictOn(expired, sent)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/no request with \$USER_TOKEN was accepted/),
    });
  });

  test('if it was accepted in a check', () => {
    const ofCheck = { ...exchangeOf(full, accepted, 2, 'check'), case: 'isolation' };
    const exchanges = [exchangeOf(expired, refused, 1), ofCheck];
    expect(verdictOn(expired, [], { exchanges })?.verdict).toBe('pass');
  });
});

test('a case with two faults only warns if the fault that is blamed only misses a recommendation', () => {
  const body = plannedCase(plan, 'search', 'USER', { body: 'missing-field' });
  const { id, values } = caseOf('search', 'USER', { body: 'missing-field', validity: 'expired' });
  const both: PlannedCase = { ...expired, id, values, expectation: oracle(contract, values) };
  const larger = { ...plan, cases: new Map([...plan.cases, [id, both]]) };
  const failed = answer(500);
  const sent = [
    [full, accepted],
    [body, failed],
    [body, failed],
    [both, failed],
    [both, failed],
  ] as const;
  expect(verdictOn(both, sent, { plan: larger })).toMatchObject({ verdict: 'warn', miss: { level: 'must' } });
});

describe('a case that the plan leaves out', () => {
  const further = casesAt('full').find(
    ({ id, values }) =>
      !plan.cases.has(id) && values.kind === 'USER' && values.validity === 'expired' && plan.find(id) !== undefined,
  );
  const planned = plan.find(further?.id ?? '') ?? expired;
  const sentAs = (role: Role) =>
    judge([], { exchanges: [exchangeOf(full, accepted, 1), exchangeOf(planned, accepted, 2, role)] });

  test('is judged if the search for a condition sent it', () => {
    expect(plan.cases.has(planned.id)).toBe(false);
    expect(sentAs('cell').verdicts.find((found) => found.case.id === planned.id)?.verdict).toBe('fail');
    expect(sentAs('cell').plan.cases.has(planned.id)).toBe(true);
  });

  test('is not judged if it was sent as a control only', () => {
    expect(sentAs('control').verdicts.find((found) => found.case.id === planned.id)).toBeUndefined();
  });
});

describe('a list that every search leaves out', () => {
  const whole = planWith();
  const [first] = [...whole.cases.values()].filter(({ expectation }) => expectation.kind === 'accept');
  const without = answer(200, '{"trackingToken":"t","requestId":"r"}');
  const runWith = (showing: string | undefined) => {
    const exchanges = sendAll(whole, ({ id, values, expectation }) =>
      values.operation === 'search' && expectation.kind !== 'refuse' && id !== showing ? without : rightAnswer(values),
    );
    const judged = judgeRun({ contract, plan: whole, exchanges, decisions: [], trusted: true, narrowed: false });
    const response = judged.requirements.find(({ requirement }) => requirement.id === 'search.response');
    return { ending: judged.ending, verdict: response?.verdict, lacks: response?.undecided.map(({ lack }) => lack) };
  };

  test('stays undecided if no answer of the run shows it', () => {
    const { ending, verdict, lacks } = runWith(undefined);
    expect([ending, verdict]).toEqual(['inconclusive', 'inconclusive']);
    expect(JSON.stringify(lacks)).toMatch(/no answer of this run showed results/);
  });

  test('is a warning if another answer shows it', () => {
    expect(runWith(first?.id)).toEqual({ ending: 'conforms', verdict: 'warn', lacks: [] });
  });
});
