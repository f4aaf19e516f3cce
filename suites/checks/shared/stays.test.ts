import { describe, expect, test } from 'vitest';
import type { CheckAnswer, Judged } from '../../../harness/checks/check.ts';
import type { Judgement } from '../../../harness/judge/miss.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { answer, reset } from '../../../harness/testing/small-world.ts';
import { acceptance, engine } from '../../testing/engine.ts';
import { type Asked, stays } from './stays.ts';

const suspects = [{ requirement: 'token.expired', level: 'must' }];
const planned = (kind: string, changes = {}) =>
  ({
    id: 'search/one',
    values: { operation: 'search', kind: 'USER' },
    expectation: { kind, suspects, ...changes },
  }) as unknown as PlannedCase;

const got = (observation: CheckAnswer['observation'], accepted: boolean): CheckAnswer => ({
  ...{ observation, accepted, seq: 5, step: undefined, operation: undefined, text: '', headers: {} },
});
const miss = (changes: object = {}): Judged => ({
  answer: got(answer(403), false),
  judgement: {
    kind: 'miss',
    suspects,
    level: 'must',
    wanted: '401',
    got: '403',
    wronglyAccepted: false,
    ...changes,
  } as unknown as Judgement,
});
const right: Judged = { answer: got(answer(401), false), judgement: { kind: 'pass' } as unknown as Judgement };
const lost: Judged = { answer: got(reset, false), judgement: undefined };
const unread: Judged = { answer: got(answer(200), true), judgement: undefined };
const page = miss({ wronglyAccepted: true, got: '200' });
const wronglyAccepted: Judged = { ...page, answer: got(answer(200), true) };
const beside = got(answer(200), true);

/** What is decided of these answers, and how often was asked. */
async function decided(answers: readonly Judged[], changes: Partial<Asked> = {}) {
  let asked = 0;
  const ask = async () => answers[asked++] ?? answers.at(-1) ?? right;
  const { api } = engine(() => 'accepts');
  const found = await stays({
    api,
    planned: planned('refuse'),
    how: 'sent again',
    ask,
    beside: () => beside,
    ...changes,
  });
  return { found, asked };
}

describe('a case that is asked otherwise', () => {
  test('passes with the answer that it must get, beside an acceptance', async () => {
    const { found, asked } = await decided([right]);
    expect(found).toMatchObject([
      {
        ...{ requirement: 'token.expired', operation: 'search', kind: 'USER', verdict: 'pass' },
        ...{ acceptance: acceptance(5), detail: 'search/one sent again' },
      },
    ]);
    expect(asked).toBe(1);
    const alone = await decided([right], { beside: () => undefined });
    expect(alone.found).toMatchObject([{ verdict: 'inconclusive' }]);
  });

  test('fails with a wrong refusal that comes every time', async () => {
    const { found, asked } = await decided([miss()]);
    expect(found).toMatchObject([
      {
        ...{ requirement: 'token.expired', verdict: 'fail', wanted: '401', got: '403' },
        detail: 'search/one sent again: wanted 401, got 403',
      },
    ]);
    expect(asked).toBe(4);
  });

  test('fails at once with a wrong acceptance, also without an acceptance beside it', async () => {
    const { found, asked } = await decided([wronglyAccepted], { beside: () => undefined });
    expect(found).toMatchObject([{ verdict: 'fail', got: '200' }]);
    expect(asked).toBe(1);
  });

  test('fails with a page in place of a refusal only if it comes eight times', async () => {
    expect(await decided([page])).toMatchObject({ found: [{ verdict: 'fail', got: '200' }], asked: 8 });
    const once = await decided([page, page, right]);
    expect(once).toMatchObject({ found: [{ verdict: 'inconclusive' }], asked: 3 });
  });

  test.each<[string, Judged]>([
    ['is admitted with a warning', miss({ level: 'should' })],
    ['breaks advice', miss({ suspects: [{ requirement: 'rfc.allow', level: 'should' }] })],
  ])('only warns of what %s', async (_what, one) => {
    expect((await decided([one])).found).toMatchObject([{ verdict: 'warn' }]);
  });

  test('is about the requirement of the case if its answer suspects none, and else about none', async () => {
    const bare = { planned: planned('refuse', { suspects: [] }) };
    expect((await decided([miss({ suspects: [] })])).found).toMatchObject([
      { verdict: 'warn', requirement: 'token.expired' },
    ]);
    expect((await decided([right], bare)).found).toMatchObject([{ requirement: '' }]);
  });

  test('decides nothing by a wrong refusal that does not come again', async () => {
    expect((await decided([miss(), right])).found).toMatchObject([
      { verdict: 'inconclusive', detail: 'search/one sent again: wanted 401, got 403; it did not happen again' },
    ]);
  });

  test('asks again in another way, if there is one', async () => {
    let times = 0;
    const again = async () => {
      times += 1;
      return right;
    };
    expect((await decided([miss()], { again })).found).toMatchObject([{ verdict: 'inconclusive' }]);
    expect(times).toBe(1);
  });

  test('decides nothing of a refusal beside which nothing is accepted', async () => {
    const { found, asked } = await decided([miss()], { beside: () => undefined });
    expect(found).toMatchObject([
      { verdict: 'inconclusive', detail: expect.stringMatching(/^search\/one sent again; /) },
    ]);
    expect(asked).toBe(1);
    const acceptedCase = await decided([miss()], { planned: planned('accept'), beside: () => undefined });
    expect(acceptedCase.found).toMatchObject([{ verdict: 'fail' }]);
  });

  test('is left to the matrix if it is as wrong when it is asked plainly', async () => {
    expect((await decided([miss()], { plainly: async () => miss() })).found).toEqual([]);
    expect((await decided([miss()], { plainly: async () => right })).found).toMatchObject([{ verdict: 'fail' }]);
    expect((await decided([miss()], { plainly: async () => lost })).found).toMatchObject([{ verdict: 'fail' }]);
    const { api } = engine(() => 'accepts', { seen: () => got(answer(401), false) });
    const plainly = async () => wronglyAccepted;
    expect((await decided([wronglyAccepted], { plainly })).found).toEqual([]);
    expect((await decided([wronglyAccepted], { plainly, api })).found).toMatchObject([{ verdict: 'fail' }]);
  });

  test('decides nothing without an answer, or with one that was not read', async () => {
    expect((await decided([lost])).found).toMatchObject([
      { verdict: 'inconclusive', detail: expect.stringMatching(/^search\/one sent again: .*ECONNRESET/) },
    ]);
    expect((await decided([unread])).found).toMatchObject([
      { verdict: 'inconclusive', detail: 'search/one sent again: too little of the answer was read' },
    ]);
    // A check sends nothing where what it compares with is refused.
    const notSent: Judged = { answer: got(answer(403), false), judgement: undefined };
    expect((await decided([notSent])).found).toMatchObject([
      { verdict: 'inconclusive', detail: 'search/one sent again: the request that it is compared with got 403' },
    ]);
  });
});
