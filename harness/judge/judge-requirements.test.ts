import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { lackInWords, textOfLack, variableLack } from '../plan/case.ts';
import type { Decision } from '../record/exchange.ts';
import {
  badGateway,
  chatWith202,
  decision,
  expired,
  failing,
  judgeRun,
  losing,
  misplacedMessage,
  type Run,
  requirement,
  withoutExpired,
} from '../testing/endings.ts';
import { answer, contract, planWith, rightAnswer } from '../testing/small-world.ts';
import type { RequirementVerdict } from './judge-requirements.ts';

const PASSED_AND_LOST = ['pass', 'observed', 'inconclusive'] as const;
const lostIf = (isLost: boolean) => (isLost ? badGateway : undefined);
const searchOnly = ({ kind, holding }: Values) => kind === 'USER' && holding === 'only:SEARCH';

describe('a requirement', () => {
  test('stays undecided if the target refuses a token every time that it must accept, whatever other tokens show', () => {
    const run: Run = { trusted: false, instead: (values) => (searchOnly(values) ? answer(401) : undefined) };
    const { ending, requirements } = judgeRun(run);
    expect(ending).toBe('inconclusive');
    const { verdict, undecided, decidedCases } = requirement(run, 'search.success');
    expect([verdict, decidedCases > 0]).toEqual(['inconclusive', true]);
    expect(undecided.map(({ unit, lack }) => [unit, textOfLack(lack)])).toEqual([
      ['search/USER', 'no request with $USER_TOKEN_SEARCH was accepted; check this token first'],
    ]);
    expect(requirements.some((found) => found.verdict === 'fail')).toBe(false);
    expect(judgeRun({ ...run, trusted: true }).ending).toBe('deviates');
  });

  test('is decided by other tokens if no answer shows whether the target accepts one', () => {
    const isProof = (values: Values) => searchOnly(values) && values.operation === 'search';
    const run: Run = { trusted: false, instead: (values) => (isProof(values) ? badGateway : undefined) };
    expect([requirement(run, 'scope.chat').verdict, requirement(run, 'search.success').verdict]).toEqual([
      'pass',
      'pass',
    ]);
  });

  test.each<[string, string, Run, RequirementVerdict['verdict']]>([
    ['passes if its cases pass', 'token.expired', {}, 'pass'],
    ['fails if a case fails', 'token.expired', { instead: failing }, 'fail'],
    [
      'warns if it is a recommendation and missed',
      'search.request',
      { instead: (v) => (v.body === 'valid' ? undefined : answer(500)) },
      'warn',
    ],
    ['is observed if the specification leaves it open', 'act-as.not-needed', {}, 'observed'],
    ['is not testable if one kind lacks a variable', 'token.expired', { plan: withoutExpired }, 'not-testable'],
    ['is inconclusive if its cases get no answer', 'token.foreign', { instead: losing }, 'inconclusive'],
    ['passes if its cases only miss another recommendation', 'chat.success', { instead: chatWith202 }, 'pass'],
    [
      'is inconclusive if all its cases of a kind fail because of another requirement',
      'token.expired',
      { instead: misplacedMessage },
      'inconclusive',
    ],
    [
      'is not applicable if its kinds are not claimed',
      'oauth.external',
      { plan: planWith({ CONFORMANCE_CLAIMS: 'user' }) },
      'not-applicable',
    ],
    [
      'is not applicable if only an optional token could show it, which is not set',
      'token.unexpired',
      { plan: planWith({ CONFORMANCE_CLAIMS: 'user', USER_TOKEN_FUTURE_EXPIRY: undefined }) },
      'not-applicable',
    ],
    ['passes if a check passes', 'user.isolation', { decisions: [decision('pass')] }, 'pass'],
    ['is observed if a check only observes', 'user.isolation', { decisions: [decision('observed')] }, 'observed'],
    ['fails if one of two checks fails', 'user.isolation', { decisions: [decision('pass'), decision('fail')] }, 'fail'],
    [
      'is inconclusive if a person did not find their own document, whatever another check passed',
      'user.isolation',
      { decisions: [decision('pass'), { ...decision('inconclusive', 'act-as.no-escalation'), unseen: true }] },
      'inconclusive',
    ],
    [
      'passes all the same if it is not grave',
      'search.page-size',
      { decisions: [decision('pass', 'search.page-size'), { ...decision('inconclusive'), unseen: true }] },
      'pass',
    ],
  ])('%s', (_what, id, run, verdict) => {
    expect(requirement(run, id).verdict).toBe(verdict);
  });

  test.each([
    [500, 403],
    [403, 500],
  ])('fails if one of its causes fails and another one only warns (%i, %i)', (onSearch, onChat) => {
    const instead = ({ authorization, operation }: Values) => {
      if (authorization === 'basic' && operation === 'search') return answer(onSearch);
      return authorization === 'no-scheme' && operation === 'chat' ? answer(onChat) : undefined;
    };
    expect(requirement({ instead }, 'authorization.malformed').verdict).toBe('fail');
  });

  test('that is not testable names the undecided units and the variable to set', () => {
    expect(requirement({ plan: withoutExpired }, 'token.expired').undecided).toEqual([
      { unit: 'search/USER', lack: variableLack('USER_TOKEN_EXPIRED'), status: 'not-testable', accepted: false },
      { unit: 'chat/USER', lack: variableLack('USER_TOKEN_EXPIRED'), status: 'not-testable', accepted: false },
    ]);
    const untestable = { ...decision('not-testable'), variable: 'USER_PRIVATE_MARKER' };
    expect(requirement({ decisions: [untestable] }, 'user.isolation').undecided).toEqual([
      { unit: 'search/USER', lack: variableLack('USER_PRIVATE_MARKER'), status: 'not-testable', accepted: false },
    ]);
  });

  test('names every missing variable of a unit by name, and then the first reason why an answer was lost', () => {
    const lacking = (detail: string) => decision('not-testable', 'user.isolation', detail);
    const lost = ['no answer', 'another reason'].map((detail) => decision('inconclusive', 'user.isolation', detail));
    const decisions = [lacking('B'), ...lost, lacking('C'), lacking('A')];
    const { verdict, undecided } = requirement({ decisions }, 'user.isolation');
    expect(verdict).toBe('inconclusive');
    expect(undecided.map(({ lack, status }) => [textOfLack(lack), status])).toEqual([
      ['A', 'not-testable'],
      ['B', 'not-testable'],
      ['C', 'not-testable'],
      ['no answer', 'inconclusive'],
    ]);
  });

  test('that another requirement masks lacks a variable first', () => {
    const decisions = [decision('not-testable', 'token.expired', 'USER_TOKEN_EXPIRED')];
    const { undecided } = requirement({ instead: misplacedMessage, decisions }, 'token.expired');
    expect(undecided.filter(({ unit }) => unit === 'search/USER')).toMatchObject([
      { lack: lackInWords('USER_TOKEN_EXPIRED'), status: 'not-testable' },
    ]);
    expect(undecided.filter(({ unit }) => unit === 'chat/USER')).toMatchObject([
      { lack: lackInWords('every case that could decide it fails because of another requirement') },
    ]);
  });

  test('that one check decides and a person leaves open lacks only what that person did not find', () => {
    const unseen = { ...decision('inconclusive', 'act-as.no-escalation', 'nothing found'), unseen: true as const };
    const decisions = [decision('pass'), decision('not-testable'), decision('inconclusive'), unseen];
    expect(requirement({ decisions }, 'user.isolation').undecided).toEqual([
      { unit: 'search/USER', lack: lackInWords('nothing found'), status: 'inconclusive', accepted: false },
    ]);
  });

  test.each<[string, readonly Decision['verdict'][], boolean]>([
    ['decided if a check passed', ['pass'], true],
    ['decided if a check observed', ['observed'], true],
    ['decided if one check passed, another observed, and a third one got no answer', PASSED_AND_LOST, true],
    ['undecided if no check got an answer', ['inconclusive'], false],
  ])('says which units are %s', (_what, verdicts, isDecided) => {
    const decisions = verdicts.map((verdict) => decision(verdict));
    const { units, undecided } = requirement({ decisions }, 'user.isolation');
    expect([...units]).toEqual([['search/USER', isDecided]]);
    expect(undecided).toHaveLength(isDecided ? 0 : 1);
  });

  test('whose case lacks a variable counts what its cases with two faults lost, unless the run stopped', () => {
    const run = { plan: planWith({ USER_TOKEN_EXPIRED: undefined }), instead: (v: Values) => lostIf(expired(v)) };
    expect(requirement(run, 'token.expired').verdict).toBe('inconclusive');
    expect(requirement({ ...run, stopped: 'interrupted' }, 'token.expired').verdict).toBe('not-testable');
  });

  test('that is inconclusive names the undecided unit and the reason', () => {
    const { undecided } = requirement({ instead: losing }, 'token.foreign');
    expect(undecided[0]).toMatchObject({
      unit: 'search/OAUTH',
      lack: lackInWords('status 503'),
      status: 'inconclusive',
    });
  });

  test('is decided by one case of a unit, even if the others get no answer', () => {
    const oneLost = (values: Values) => (expired(values) && values.holding === 'none' ? badGateway : undefined);
    expect(requirement({ instead: oneLost }, 'token.expired')).toMatchObject({ verdict: 'pass', undecided: [] });
  });

  test('is undecided if all cases of one claimed kind get no answer, even if other kinds pass', () => {
    const kindLost = (values: Values) => (expired(values) ? badGateway : undefined);
    const { verdict, undecided } = requirement({ instead: kindLost }, 'token.expired');
    expect([verdict, undecided.map(({ unit }) => unit)]).toEqual(['inconclusive', ['search/USER', 'chat/USER']]);
  });

  test('is not decided by a refusal that another fault of the same case may explain', () => {
    // The remaining cases have an expired token and an unknown person. 401 is right for both faults.
    const rest = (values: Values) =>
      values.kind === 'GLOBAL' && values.validity === 'expired' && values['act-as'] !== 'unknown'
        ? badGateway
        : undefined;
    expect(requirement({ instead: rest }, 'token.expired').verdict).toBe('inconclusive');
  });

  test('on a body is undecided if no body was read to its end', () => {
    const cut = (values: Values) =>
      values.operation === 'search' && rightAnswer(values).status === 200
        ? { ...rightAnswer(values), truncated: true as const }
        : undefined;
    const { verdict, undecided } = requirement({ instead: cut }, 'search.response');
    const words = 'the body is too long or too slow to be read to its end';
    expect([verdict, undecided[0]?.lack]).toEqual(['inconclusive', { kind: 'words', words }]);
    expect(requirement({ instead: cut }, 'search.success').verdict).toBe('pass');
  });

  test.each(['token.expried', 'families.mcp'])('cannot be decided if the ledger does not have it: %s', (stray) => {
    const decisions = [{ ...decision('fail'), requirement: stray }];
    expect(() => judgeRun({ decisions })).toThrow(`decides ${stray}, which the ledger does not have`);
  });

  test('that the ledger excludes is not judged', () => {
    const ids = judgeRun({}).requirements.map((judged) => judged.requirement.id);
    expect(ids).not.toContain('families.mcp');
    expect(ids).toHaveLength(contract.requirements.filter(({ excluded }) => excluded === undefined).length);
  });
});
