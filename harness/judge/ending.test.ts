import { describe, expect, test } from 'vitest';
import { INTERRUPTED } from '../record/exchange.ts';
import {
  badGateway,
  decision,
  expired,
  failing,
  isOpen,
  judgeRun,
  LISTED,
  losing,
  type Run,
  requirement,
  withoutExpired,
} from '../testing/endings.ts';
import { answer, contract, planWith, settingsWith } from '../testing/small-world.ts';
import type { Baseline } from './baseline.ts';
import { EXIT_CODES, endingLine, exitCodeOf, type RunVerdict } from './ending.ts';

/** A baseline that lists two requirements as gaps. */
const LISTED_GAPS: Baseline = {
  deviations: [],
  gaps: ['token.expired', 'token.foreign'].map((listed) => ({
    requirement: listed,
    reason: 'no such token yet',
    review: '2030-01-01',
  })),
  today: LISTED.today,
};

describe('a run', () => {
  test.each<[string, Run, RunVerdict['ending']]>([
    ['conforms if everything claimed is decided and passes', {}, 'conforms'],
    [
      'conforms if it only misses a recommendation',
      { instead: (v) => (v.body === 'valid' ? undefined : answer(500)) },
      'conforms',
    ],
    ['is partial if it is narrowed and nothing deviates', { narrowed: true }, 'partial'],
    ['deviates if a case fails', { instead: failing }, 'deviates'],
    ['deviates if a check fails', { decisions: [decision('fail')] }, 'deviates'],
    ['conforms if a check warns', { decisions: [decision('warn', 'rfc.allow')] }, 'conforms'],
    ['is inconclusive if all cases of a requirement get no answer', { instead: losing }, 'inconclusive'],
    ['is inconclusive if no case gets an answer', { instead: () => badGateway }, 'inconclusive'],
    [
      'conforms if only what the specification leaves open gets no answer, because that obliges nobody',
      { instead: (v) => (isOpen(v) ? badGateway : undefined) },
      'conforms',
    ],
    [
      'is inconclusive if some cases of a unit get no answer and the others lack a variable',
      { plan: planWith({ USER_TOKEN_EXPIRED: undefined }), instead: (v) => (expired(v) ? badGateway : undefined) },
      'inconclusive',
    ],
    ['is inconclusive if it stopped early', { stopped: 'interrupted' }, 'inconclusive'],
    ['deviates if it stopped early after a case failed', { stopped: 'interrupted', instead: failing }, 'deviates'],
    ['is inconclusive if a check decides nothing', { decisions: [decision('inconclusive')] }, 'inconclusive'],
    [
      'conforms if a check decides nothing about advice, or lacks a variable for it',
      { decisions: [decision('inconclusive', 'rfc.allow'), decision('not-testable', 'search.request')] },
      'conforms',
    ],
    ['is incomplete if a variable is missing', { plan: withoutExpired }, 'incomplete'],
    [
      'conforms, with exceptions, if the baseline lists all that fails',
      { instead: failing, baseline: LISTED },
      'conforms-except',
    ],
    ['conforms if nothing that the baseline lists occurs', { baseline: LISTED }, 'conforms'],
    [
      'conforms, with exceptions, if the baseline lists what lacks a variable',
      { plan: withoutExpired, baseline: LISTED_GAPS },
      'conforms-except',
    ],
    [
      'is inconclusive if a requirement gets no answer, although the baseline lists that it lacks variables',
      { instead: losing, baseline: LISTED_GAPS },
      'inconclusive',
    ],
    ['is incomplete if a check lacks a variable', { decisions: [decision('not-testable')] }, 'incomplete'],
  ])('%s', (_what, run, ending) => {
    expect(judgeRun(run).ending).toBe(ending);
  });

  test.each<[string, Run, RunVerdict['ending']]>([
    ['deviates, even if it is also inconclusive', { instead: (v) => failing(v) ?? losing(v) }, 'deviates'],
    [
      'deviates, even if it is also incomplete',
      { plan: withoutExpired, instead: (v) => (v.holding === 'none' ? answer(404) : undefined) },
      'deviates',
    ],
    ['deviates, even if it is narrowed', { narrowed: true, instead: failing }, 'deviates'],
    ['is inconclusive, even if it is also incomplete', { plan: withoutExpired, instead: losing }, 'inconclusive'],
    ['is inconclusive, even if it is narrowed', { narrowed: true, instead: losing }, 'inconclusive'],
    ['is partial if it is narrowed and variables are missing', { narrowed: true, plan: withoutExpired }, 'partial'],
    [
      'is incomplete if it is narrowed and decides nothing because variables are missing',
      { narrowed: true, plan: { ...withoutExpired, cases: new Map() } },
      'incomplete',
    ],
  ])('%s', (_what, run, ending) => {
    expect(judgeRun(run).ending).toBe(ending);
  });

  test('accepts what the baseline lists as a gap where a variable is missing, and not where no answer came', () => {
    const acceptedIn = (run: Run, id: string) => requirement(run, id).undecided.map(({ accepted }) => accepted);
    expect(acceptedIn({ plan: withoutExpired, baseline: LISTED_GAPS }, 'token.expired')).toEqual([true, true]);
    expect(new Set(acceptedIn({ instead: losing, baseline: LISTED_GAPS }, 'token.foreign'))).toEqual(new Set([false]));
  });

  test('that was interrupted has an exit code of its own, whatever it decided', () => {
    expect(exitCodeOf({ ending: 'deviates', stopped: INTERRUPTED })).toBe(130);
    expect(exitCodeOf({ ending: 'deviates', stopped: 'the budget is spent' })).toBe(1);
    expect(exitCodeOf({ ending: 'incomplete', stopped: undefined })).toBe(4);
  });

  test('has the exit code of its ending', () => {
    expect(EXIT_CODES).toEqual({
      conforms: 0,
      'conforms-except': 0,
      partial: 0,
      deviates: 1,
      inconclusive: 3,
      incomplete: 4,
    });
  });

  test.each([
    [
      {},
      'conforms: user global oauth google azure okta onelogin scopes (claims inferred from the variables that are set)',
    ],
    [{ CONFORMANCE_CLAIMS: 'okta' }, 'conforms: okta (claims as CONFORMANCE_CLAIMS states)'],
  ])('that conforms ends with a line that names the claims: %j', (changes, line) => {
    expect(endingLine(judgeRun({}), settingsWith(changes).claims, contract)).toBe(line);
  });

  test('under a contract of somebody else never conforms to the client API', () => {
    const line = endingLine(judgeRun({}), settingsWith().claims, { ...contract, name: 'acme', digest: '4f1c' });
    expect(line).toMatch(/^conforms to acme \(own contract 4f1c\): user global/);
    const deviating = endingLine(judgeRun({ instead: failing }), settingsWith().claims, { ...contract, name: 'acme' });
    expect(deviating).toBe(`deviates from acme (own contract ${contract.digest})`);
  });

  test('that conforms except for what is listed ends with a line that counts it', () => {
    const line = endingLine(judgeRun({ instead: failing, baseline: LISTED }), settingsWith().claims, contract);
    expect(line).toMatch(/^conforms except 1 listed: user global .* \(claims inferred/);
  });

  test.each<[string, Run, string]>([
    ['deviates', { instead: failing }, 'deviates'],
    ['loses one requirement', { instead: losing }, 'inconclusive: 1 claimed requirement is undecided'],
    [
      'loses one requirement and lacks a variable for another',
      { plan: withoutExpired, instead: losing },
      'inconclusive: 2 claimed requirements are undecided',
    ],
    [
      'loses one requirement and lacks a variable as listed',
      { plan: withoutExpired, instead: losing, baseline: LISTED_GAPS },
      'inconclusive: 1 claimed requirement is undecided',
    ],
    [
      'loses two requirements',
      { instead: (v) => losing(v) ?? (expired(v) ? badGateway : undefined) },
      'inconclusive: 2 claimed requirements are undecided',
    ],
    ['stopped early', { stopped: 'interrupted' }, 'inconclusive: the run stopped early'],
    ['is incomplete', { plan: withoutExpired }, 'incomplete: 1 claimed requirement needs more variables'],
    [
      'lacks variables for two requirements',
      { decisions: [decision('not-testable'), decision('not-testable', 'search.page-size')] },
      'incomplete: 2 claimed requirements need more variables',
    ],
    [
      'lacks variables for a requirement and for advice',
      { decisions: [decision('not-testable'), decision('not-testable', 'rfc.allow')] },
      'incomplete: 2 claimed requirements need more variables, 1 of them advice',
    ],
    [
      'loses a requirement and advice',
      { decisions: [decision('inconclusive'), decision('inconclusive', 'rfc.allow')] },
      'inconclusive: 2 claimed requirements are undecided, 1 of them advice',
    ],
    ['is partial', { narrowed: true, plan: withoutExpired }, 'partial: nothing deviates'],
    [
      'is partial and deviates as listed',
      { narrowed: true, instead: failing, baseline: LISTED },
      'partial: nothing deviates except 1 listed',
    ],
    [
      'deviates from more than is listed',
      { instead: (v) => failing(v) ?? (v.kind === 'unknown' ? answer(404) : undefined), baseline: LISTED },
      'deviates, beyond 1 listed',
    ],
  ])('that %s ends with a line that says so', (_what, run, line) => {
    expect(endingLine(judgeRun(run), settingsWith().claims, contract)).toBe(line);
  });
});
