import { describe, expect, test } from 'vitest';
import type { Decision } from '../record/exchange.ts';
import { decision } from '../testing/report.ts';
import { contract } from '../testing/small-world.ts';
import type { Cause } from './causes.ts';
import { attributionOfDecision, blamedIn, withDecisions } from './causes-of-checks.ts';

/** A contract with two requirements of one sentence, two that repeat it for other parts of a target, and one beside them. */
const ledger = {
  ...contract,
  requirements: ['one', 'two', 'other', 'elsewhere', 'farther'].map((id) => ({
    ...{ id, level: 'must' as const, source: 'spec' as const, sections: [], text: '' },
    siblings: { one: ['two'], two: ['one'], elsewhere: ['one'], farther: ['elsewhere'] }[id] ?? [],
  })),
};

interface Known extends Partial<Pick<Cause, 'verdict'>> {
  readonly requirement?: string;
  readonly wronglyAccepted?: readonly boolean[];
}
const planned = { case: { values: { kind: 'USER' } } };
const causeOf = ({ requirement = 'two', verdict = 'fail', wronglyAccepted = [false] }: Known): Cause => ({
  ...{ verdict, template: requirement, requirements: [requirement], attribution: { basis: 'stated' } },
  ...{ places: [], scattered: 0, decisions: [], example: undefined },
  cases: [
    planned,
    ...wronglyAccepted.map((accepted) => ({ ...planned, miss: { wronglyAccepted: accepted, suspects: [] } })),
  ] as unknown as Cause['cases'],
});
const found = { ...decision('fail'), requirement: 'one' };
const withFound = (causes: readonly Cause[], decisions: readonly Decision[]) => {
  const explained = decisions.map((one) => ({ decision: one, subject: one.requirement }));
  return withDecisions(ledger as never, causes, explained);
};

describe('what a check found belongs', () => {
  test.each<[string, Known, Known]>([
    ['to the cause with its verdict', { verdict: 'fail' }, { verdict: 'warn', wronglyAccepted: [true] }],
    ['to that with a wrong acceptance', { wronglyAccepted: [false, true] }, { wronglyAccepted: [false] }],
    [
      'to that of its requirement, before all others',
      { requirement: 'one', verdict: 'warn' },
      { verdict: 'fail', wronglyAccepted: [true] },
    ],
    ['to that of a sibling, before that of another requirement', {}, { requirement: 'other', wronglyAccepted: [true] }],
    ['to one that is decided', { verdict: 'warn' }, { verdict: 'inconclusive', requirement: 'one' }],
  ])('%s, whichever comes first', (_what, own, other) => {
    for (const flipped of [false, true]) {
      const [mine, others] = [causeOf(own), causeOf(other)];
      const all = withFound(flipped ? [others, mine] : [mine, others], [found]);
      expect(all.map(({ decisions }) => decisions.length)).toEqual(flipped ? [0, 1] : [1, 0]);
    }
  });

  test('to one cause with what siblings of siblings found, without a cause of the matrix', () => {
    const all = ['farther', 'other', 'one', 'elsewhere'].map((requirement) => ({
      ...found,
      requirement,
      operation: requirement,
    }));
    const causes = withFound([], all).map(({ requirements }) => requirements);
    expect(causes).toEqual([['other'], ['farther', 'one', 'elsewhere']]);
  });

  test('to one cause with what the same influence made wrong, whatever it broke', () => {
    const by = (influence: string, requirement: string) => ({ ...found, influence, requirement });
    const all = [by('header X-User', 'other'), by('header X-Role', 'farther'), by('header X-User', 'two')];
    expect(withFound([], all).map(({ requirements }) => requirements)).toEqual([['farther'], ['other', 'two']]);
  });

  test('to a cause of its own, if the ledger does not know its requirement', () => {
    const unknown = { ...found, requirement: 'gone' };
    expect(withFound([causeOf({})], [unknown])).toMatchObject([
      { decisions: [] },
      { template: 'gone', requirements: ['gone'], decisions: [unknown], cases: [] },
    ]);
  });
});

test('a requirement of which checks only warn is a warning of a failing cause, unless a case suspects it', () => {
  const warned = { ...found, requirement: 'two', verdict: 'warn' as const };
  const both = { ...causeOf({ requirement: 'one' }), requirements: ['one', 'two'], decisions: [found, warned] };
  const verdicts = (cause: Cause) => blamedIn(cause).map(({ verdict }) => verdict);
  expect(verdicts({ ...both, cases: [{}] as unknown as Cause['cases'] })).toEqual(['fail', 'warn']);
  const suspects = ['one', 'two'].map((requirement) => ({ requirement }));
  expect(verdicts({ ...both, cases: [{ miss: { suspects } }] as unknown as Cause['cases'] })).toEqual(['fail', 'fail']);
});

test('a decision that rests on an interpretation says which', () => {
  expect(attributionOfDecision(contract, { ...found, interpreted: 'a recipe' })).toEqual({
    basis: 'interpreted',
    reason: 'a recipe',
  });
});
