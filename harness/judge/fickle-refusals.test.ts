import { describe, expect, test } from 'vitest';
import { decision } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';
import { explained, fickleRefusals } from './fickle-refusals.ts';
import type { CaseVerdict } from './judge-cases.ts';

/** What is known of a case. By default a well-made request with a USER token that got 403 at times. */
interface Known extends Partial<Pick<CaseVerdict, 'verdict'>> {
  readonly kind?: string;
  readonly expected?: 'accept' | 'refuse';
  readonly deviations?: number;
  readonly got?: string;
  readonly status?: number;
  readonly wronglyAccepted?: boolean;
  readonly isSteady?: boolean;
}
const verdictOf = (known: Known = {}): CaseVerdict => {
  const { kind = 'USER', expected = 'accept', deviations = 0, got = '403 "Busy"', status = 403 } = known;
  const found = {
    case: { values: { kind }, expectation: { kind: expected }, deviations },
    verdict: known.verdict ?? 'fail',
    observation: answer(status),
    miss: { got, wronglyAccepted: known.wronglyAccepted ?? false },
    ...(!known.isSteady && { comesAndGoes: true }),
  };
  return found as unknown as CaseVerdict;
};
const other: Known = { expected: 'refuse', deviations: 1, isSteady: true };
const wellMade = verdictOf();

describe('a case that got what a well-made request gets at times', () => {
  test('belongs to that request', () => {
    expect(fickleRefusals([wellMade]).of(verdictOf(other))).toBe(wellMade);
  });

  test.each<[string, Known]>([
    ['is of another kind', { kind: 'GLOBAL' }],
    ['got another answer', { got: '403 "No"' }],
    ['was wrongly accepted', { wronglyAccepted: true }],
  ])('does not, if it %s', (_what, own) => {
    expect(fickleRefusals([wellMade]).of(verdictOf({ ...other, ...own }))).toBeUndefined();
  });

  test.each<[string, Known]>([
    ['got that each time', { isSteady: true }],
    ['must be refused', { expected: 'refuse' }],
    ['is not the plainest', { deviations: 1 }],
  ])('does not, if the other request %s', (_what, own) => {
    expect(fickleRefusals([verdictOf(own)]).of(verdictOf(other))).toBeUndefined();
  });

  test('does not, if it has no miss', () => {
    const { miss: _miss, ...passed } = verdictOf(other);
    expect(fickleRefusals([wellMade]).of(passed)).toBeUndefined();
  });

  test('belongs to a request that got it by chance only if it got it by chance itself', () => {
    const byChance = verdictOf({ verdict: 'inconclusive' });
    const fickle = fickleRefusals([byChance]);
    expect(fickle.of(verdictOf(other))).toBeUndefined();
    expect(fickle.of(verdictOf({ ...other, verdict: 'inconclusive' }))).toBe(byChance);
  });
});

describe('a decision of a check on what a well-made request gets at times', () => {
  const fickle = fickleRefusals([wellMade]);
  const blaming = (got: string) => ({ ...decision('fail'), kind: 'USER', got });

  test.each(['refused with 403', '403 "Busy"'])('belongs to that request: %s', (got) => {
    expect(fickle.ofDecision(blaming(got))).toBe(wellMade);
  });

  test.each([
    ['blames another answer', blaming('refused with 500')],
    ['is about another kind', { ...blaming('refused with 403'), kind: 'GLOBAL' }],
    ['only warns', { ...blaming('refused with 403'), verdict: 'warn' as const }],
    ['names no answer', { ...decision('fail'), kind: 'USER' }],
  ])('does not, if it %s', (_what, found) => {
    expect(fickle.ofDecision(found)).toBeUndefined();
  });
});

describe('a decision on what only a check shows of a well-made request', () => {
  const rules = { acceptances: [{ requirement: 'user.accepted' }] } as never;
  const blaming = (requirement: string, got: string, check = 'sequences') => ({
    ...decision('fail'),
    ...{ check, requirement, got },
  });
  const first = blaming('user.accepted', '403 "No"');
  const decided = (other: ReturnType<typeof blaming>) =>
    explained({ rules }, fickleRefusals([]), [], [other, first])[0]?.subject;

  test('is about the requirement of that, if the same check got the same answer', () => {
    expect(decided(blaming('token.expired', '403 "No"'))).toBe('user.accepted');
  });

  test.each([
    ['another answer', blaming('token.expired', '500')],
    ['it in another check', blaming('token.expired', '403 "No"', 'repetition')],
  ])('is about its own, if it got %s', (_what, other) => {
    expect(decided(other)).toBe('token.expired');
  });
});
