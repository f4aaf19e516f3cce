import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { answer, contract, planWith, rightAnswer, sendAll, taking } from '../testing/small-world.ts';
import { findingsOf } from './findings.ts';
import { gather, judgeCases } from './judge-cases.ts';

const plan = planWith();

/** What is found when the matrix gets these answers and hand-written checks decided that. */
function causes(respond: (values: Values) => ReturnType<typeof rightAnswer>, decisions: readonly Decision[]) {
  const evidence = gather(sendAll(plan, ({ values }) => respond(values), 2));
  const verdicts = judgeCases({ contract, plan, trusted: true }, plan.cases.values(), evidence);
  return findingsOf(contract, verdicts, decisions, true);
}

const decision = (requirement: string, verdict: Decision['verdict']): Decision => ({
  type: 'decision',
  check: 'sequences',
  requirement,
  operation: 'search',
  kind: 'USER',
  verdict,
  detail: 'what came',
});

describe('a cause', () => {
  test('takes in what hand-written checks found of the same requirement', () => {
    const decisions = [decision('token.expired', 'fail'), decision('token.expired', 'pass')];
    const accepting = taking(({ validity }) => validity === 'expired', { validity: 'valid' });
    expect(causes((values) => rightAnswer(accepting(values)), decisions)).toMatchObject([
      { template: 'token.expired', decisions: [decisions[0]] },
    ]);
  });

  test('is as grave as what a check found, where the matrix only warns', () => {
    const mild = (values: Values) => (values.authorization === 'basic' ? answer(403) : rightAnswer(values));
    const decisions = [decision('authorization.malformed', 'fail')];
    expect(causes(mild, [])).toMatchObject([{ template: 'authorization.malformed', verdict: 'warn' }]);
    expect(causes(mild, decisions)).toMatchObject([
      { template: 'authorization.malformed', verdict: 'fail', decisions },
    ]);
  });

  test('is made of what only hand-written checks found', () => {
    const decisions = [
      decision('rfc.allow', 'warn'),
      decision('user.isolation', 'fail'),
      decision('rfc.challenge', 'pass'),
    ];
    expect(causes(rightAnswer, decisions)).toMatchObject([
      { id: 'F1', verdict: 'warn', requirements: ['rfc.allow'], cases: [], example: undefined },
      { id: 'F2', verdict: 'fail', requirements: ['user.isolation'], decisions: [decisions[1]] },
    ]);
  });

  test('is one for requirements that say the same of different tokens', () => {
    const decisions = [decision('act-as.effective', 'fail'), decision('user.isolation', 'fail')];
    expect(causes(rightAnswer, decisions)).toMatchObject([
      { id: 'F1', verdict: 'fail', requirements: ['act-as.effective', 'user.isolation'], decisions },
    ]);
    expect(causes(rightAnswer, decisions.slice(0, 1))).toMatchObject([{ requirements: ['act-as.effective'] }]);
  });
});
