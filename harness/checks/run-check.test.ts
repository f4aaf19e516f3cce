import { describe, expect, test } from 'vitest';
import { OTHER_REQUESTS } from '../judge/alike-causes.ts';
import { createRedactor } from '../record/redact.ts';
import { answer, contract, settingsWith } from '../testing/small-world.ts';
import { type Answered, acceptanceFrom } from './acceptance.ts';
import { type Check, type CheckResult, checksFor } from './check.ts';
import type { ConnectedApi } from './check-api.ts';
import { runCheck } from './run-check.ts';

const unit = { operation: 'search', kind: 'USER' };
const line = 'curl -sS -i "$TARGET_BASE_URL/two"';
const step = { shows: 'the token is refused', wanted: 'refused' } as const;
const noLine = () => 'curl -sS -i <left out: it shows USER_TOKEN in another form>';
const accepted: Answered = {
  ...{ observation: answer(200), seq: 1, operation: undefined, accepted: true, command: noLine },
};
const wrong: Answered = { ...accepted, seq: 3, step, command: () => line };
const unsent: Answered = { observation: answer(200), seq: undefined, operation: undefined, accepted: false };
const json: Answered = { ...accepted, observation: answer(200, '{}') };
const acceptance = await acceptanceFrom(json, async () => true);
if (!acceptance) throw new Error('this answer is an acceptance');
const found: readonly CheckResult[] = [
  { ...unit, requirement: 'one', verdict: 'pass', acceptance, detail: 'right', steps: [accepted, unsent] },
  { ...unit, requirement: 'two', verdict: 'fail', broke: wrong, detail: 'got s3cret', steps: [accepted, wrong] },
];

/** A contract whose author left one requirement open. */
const left = {
  id: 'three',
  requirement: 'three',
  when: {},
  basis: 'interpreted',
  silent: 'it does as it likes',
  never: ['5xx'],
};
const opened = {
  ...contract,
  rules: { ...contract.rules, refusals: [left] },
  requirements: [{ id: 'three', level: 'must', source: 'contract', text: 'Refused.' }],
};

/** Runs a check of two requirements. The gate may be closed, or the check may close it. */
async function decide(
  run: Check['run'],
  gate: { closed: string | undefined } = { closed: undefined },
  lockout = { times: 0 },
  asksFor = (_requirement: string) => true,
) {
  const redactor = createRedactor();
  redactor.add('USER_TOKEN', 's3cret');
  const state = { closes: 0 };
  const close = async () => {
    state.closes += 1;
  };
  const connect = () => ({ close, triesInPart: () => false, contract: opened }) as unknown as ConnectedApi;
  const head = { id: 'own', title: 'a check', requirements: ['one', 'two'], interpreted: 'a recipe' };
  const check: Check = { ...head, intrusive: false, run };
  const decisions = await runCheck({ gate, redactor, connect, lockout, asksFor }, check);
  return { ...state, decisions, verdicts: decisions.map(({ requirement, verdict }) => `${requirement} ${verdict}`) };
}

describe('a check', () => {
  test('decides what it finds, redacted, and closes its connection', async () => {
    const { decisions, closes } = await decide(async () => found);
    expect(decisions).toEqual([
      {
        ...{ type: 'decision', check: 'own', ...unit, requirement: 'one', verdict: 'pass', detail: 'right' },
        ...{ steps: [1], acceptance: 1, interpreted: 'a recipe' },
      },
      {
        ...{ type: 'decision', check: 'own', ...unit, requirement: 'two', verdict: 'fail', detail: 'got <USER_TOKEN>' },
        ...{
          interpreted: 'a recipe',
          steps: [1, 3],
          broke: 3,
          wanted: 'the token is refused',
          got: 'accepted with 200',
          curl: line,
          commands: { 3: line },
        },
      },
    ]);
    expect(closes).toBe(1);
  });

  test('rests on the answer that it blames, also if it does not list it', async () => {
    const { decisions } = await decide(async () => [{ ...found[1], steps: [accepted] } as CheckResult]);
    expect(decisions).toMatchObject([{ steps: [1, 3], broke: 3, commands: { 3: line } }]);
  });

  test('sends a wrong acceptance again, and blames other requests for one that does not come again', async () => {
    const [, failed] = found;
    const sentAgain = async (answered: Answered) => {
      const broke = { ...wrong, again: async () => answered };
      return (await decide(async () => [{ ...failed, broke } as CheckResult])).decisions;
    };
    const [same] = await sentAgain(wrong);
    expect(same).toMatchObject({ verdict: 'fail', detail: 'got <USER_TOKEN>' });
    expect(same).not.toHaveProperty('influence');
    expect(await sentAgain({ ...wrong, observation: answer(401), accepted: false })).toMatchObject([
      {
        ...{ verdict: 'fail', broke: 3, influence: OTHER_REQUESTS },
        detail: 'got <USER_TOKEN>; sent again, it was refused',
      },
    ]);
  });

  test('writes no command line of what is right', async () => {
    const { decisions } = await decide(async () => [{ ...found[0], steps: [wrong] } as CheckResult]);
    expect(decisions).toMatchObject([{ verdict: 'pass', steps: [3] }]);
    expect(decisions[0]).not.toHaveProperty('commands');
  });

  test('decides only what the run asks for', async () => {
    const only = (requirement: string) => requirement === 'two';
    expect((await decide(async () => found, undefined, undefined, only)).verdicts).toEqual(['two fail']);
    const closed = await decide(async () => found, { closed: 'interrupted' }, undefined, only);
    expect(closed.verdicts).toEqual(['two inconclusive']);
  });

  test('blames nothing that the author of the contract left open', async () => {
    const { decisions } = await decide(async () => [
      { ...unit, requirement: 'three', verdict: 'fail', broke: wrong, detail: 'got in', steps: [wrong] },
    ]);
    expect(decisions).toMatchObject([
      { verdict: 'observed', detail: 'got in; the contract leaves it open: it does as it likes' },
    ]);
  });

  test('leaves its requirements undecided if the run was stopped before it starts', async () => {
    const { decisions, verdicts } = await decide(async () => found, { closed: 'interrupted' });
    expect(verdicts).toEqual(['one inconclusive', 'two inconclusive']);
    expect(decisions[0]?.detail).toBe('not run: interrupted');
  });

  test('keeps only its failures if the run is stopped before it ends', async () => {
    const gate: { closed: string | undefined } = { closed: undefined };
    const { verdicts } = await decide(async () => {
      gate.closed = 'the target gave no answer';
      return found;
    }, gate);
    expect(verdicts).toEqual(['two fail', 'one inconclusive', 'two inconclusive']);
  });

  test('leaves its requirements undecided if it throws, does not end the run, and quotes nothing', async () => {
    const decoded = () => JSON.parse('decoded from a token');
    const { decisions, verdicts, closes } = await decide(async () => decoded());
    expect(verdicts).toEqual(['one inconclusive', 'two inconclusive']);
    expect(decisions[0]?.detail).toMatch(/^the check threw an error: SyntaxError at (?!.*decoded)/);
    expect(closes).toBe(1);
  });
});

test('a check runs again after the first lockout of the run, whose refusals it may have counted', async () => {
  const lockout = { times: 0 };
  let runs = 0;
  const run = async () => {
    runs += 1;
    lockout.times += 1;
    return found;
  };
  await decide(run, { closed: undefined }, lockout);
  expect(runs).toBe(2);
  await decide(run, { closed: undefined }, lockout);
  expect(runs).toBe(3);
});

const check = (id: string, requirements: readonly string[], more: Partial<Check> = {}): Check => ({
  id,
  title: id,
  requirements,
  intrusive: false,
  run: async () => [],
  ...more,
});
const always = check('always', ['user.accepted']);
const claimed = check('claimed', ['administration.fixed', 'reference.kept'], { capability: 'administration' });

describe('the checks of a run', () => {
  test('leave out checks of a capability that is not claimed', () => {
    const settings = settingsWith({ CONFORMANCE_CLAIMS: 'user' });
    expect(checksFor(contract, settings, [always, claimed])).toEqual([always]);
  });

  test('test only requirements of the specification on another target', () => {
    const settings = settingsWith({ CONFORMANCE_CLAIMS: 'user administration' });
    const [, found] = checksFor(contract, settings, [always, claimed]);
    expect(found?.requirements).toEqual(['administration.fixed']);
  });

  test('also test decisions of the reference service on the reference service', () => {
    const settings = { ...settingsWith({ CONFORMANCE_CLAIMS: 'user administration' }), trusted: true };
    expect(checksFor(contract, settings, [always, claimed])).toEqual([always, claimed]);
  });
});
