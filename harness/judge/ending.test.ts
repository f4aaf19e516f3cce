import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { expect as expectation } from '../plan/expectation.ts';
import { lackInWords, variableLack } from '../plan/lack.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { answer, contract, messageText, planWith, rightAnswer, sendAll, settingsWith } from '../testing/small-world.ts';
import { EXIT_CODES, endingLine, type RunVerdict, runVerdictOf } from './ending.ts';
import { findingsOf } from './findings.ts';
import { gather, judgeCases } from './judge-cases.ts';
import type { RequirementVerdict } from './judge-requirements.ts';

const complete = planWith();
const withoutExpired = planWith({ USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined });
const badGateway = answer(503);

interface Run {
  readonly plan?: Plan;
  /** The answer where it is not the right one. */
  readonly instead?: (values: Values) => Observation | undefined;
  readonly decisions?: readonly Decision[];
  readonly narrowed?: boolean;
  readonly stopped?: string;
}

function judgeRun(run: Run): RunVerdict {
  const { plan = complete, instead = () => undefined, decisions = [], narrowed = false, stopped } = run;
  const exchanges = sendAll(plan, ({ values }) => instead(values) ?? rightAnswer(values));
  const verdicts = judgeCases({ contract, plan, trusted: true }, plan.cases.values(), gather(exchanges));
  const findings = findingsOf(contract, verdicts, decisions, true);
  return runVerdictOf({ contract, plan, verdicts, findings, decisions, narrowed, stopped });
}

function requirement(run: Run, id: string): RequirementVerdict {
  const found = judgeRun(run).requirements.find((judged) => judged.requirement.id === id);
  if (!found) throw new Error(`no requirement ${id}`);
  return found;
}

const decision = (verdict: Decision['verdict'], id = 'user.isolation', detail = 'USER_PRIVATE_MARKER'): Decision => ({
  type: 'decision',
  check: 'isolation',
  requirement: id,
  operation: 'search',
  kind: 'USER',
  verdict,
  detail,
});

const expired = ({ validity, kind }: Values) => validity === 'expired' && kind === 'USER';
const failing = (values: Values) => (expired(values) ? answer(404) : undefined);
const isOpen = (values: Values) => expectation(contract, values).silent.length > 0;
/** Another 2xx than the documented one, which is only recommended. */
const sparing = (values: Values) =>
  values.operation === 'chat' && expectation(contract, values).kind === 'accept'
    ? answer(202, '', {}, 'chat')
    : undefined;
/** Refused with the right status and a message that does not belong there. */
const strayed = (values: Values) =>
  expired(values) ? answer(401, JSON.stringify({ error: messageText('invalid-identity') })) : undefined;
const losing = (values: Values) => (values.validity === 'foreign' ? badGateway : undefined);

describe('a run ends', () => {
  test.each<[string, Run, RunVerdict['ending']]>([
    ['conforming, when everything claimed is decided and passes', {}, 'conforms'],
    [
      'conforming, when only what is recommended is missed',
      { instead: (v) => (v.body === 'valid' ? undefined : answer(500)) },
      'conforms',
    ],
    ['partial, when it was narrowed and nothing deviates', { narrowed: true }, 'partial'],
    ['deviating, when a case fails', { instead: failing }, 'deviates'],
    ['deviating, when a hand-written check fails', { decisions: [decision('fail')] }, 'deviates'],
    ['conforming, when a hand-written check warns', { decisions: [decision('warn', 'rfc.allow')] }, 'conforms'],
    ['inconclusive, when a requirement was lost to the network', { instead: losing }, 'inconclusive'],
    ['inconclusive, when nothing was answered at all', { instead: () => badGateway }, 'inconclusive'],
    [
      'inconclusive, when what is left open was lost to the network',
      { instead: (v) => (isOpen(v) ? badGateway : undefined) },
      'inconclusive',
    ],
    [
      'inconclusive, when of one unit some was lost and some lacks a variable',
      { plan: planWith({ USER_TOKEN_EXPIRED: undefined }), instead: (v) => (expired(v) ? badGateway : undefined) },
      'inconclusive',
    ],
    ['inconclusive, when it was cut short', { stopped: 'interrupted' }, 'inconclusive'],
    ['deviating, when it was cut short after a case failed', { stopped: 'interrupted', instead: failing }, 'deviates'],
    ['inconclusive, when a check decided nothing', { decisions: [decision('inconclusive')] }, 'inconclusive'],
    ['incomplete, when a variable is missing', { plan: withoutExpired }, 'incomplete'],
    ['incomplete, when a check lacks a variable', { decisions: [decision('not-testable')] }, 'incomplete'],
  ])('%s', (_when, run, ending) => {
    expect(judgeRun(run).ending).toBe(ending);
  });

  test.each<[string, Run, RunVerdict['ending']]>([
    ['deviating before inconclusive', { instead: (v) => failing(v) ?? losing(v) }, 'deviates'],
    [
      'deviating before incomplete',
      { plan: withoutExpired, instead: (v) => (v.holding === 'none' ? answer(404) : undefined) },
      'deviates',
    ],
    ['deviating before partial', { narrowed: true, instead: failing }, 'deviates'],
    ['inconclusive before incomplete', { plan: withoutExpired, instead: losing }, 'inconclusive'],
    ['inconclusive before partial', { narrowed: true, instead: losing }, 'inconclusive'],
    ['partial before incomplete', { narrowed: true, plan: withoutExpired }, 'partial'],
  ])('%s', (_what, run, ending) => {
    expect(judgeRun(run).ending).toBe(ending);
  });

  test('with the exit code of its ending', () => {
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
  ])('in a line that names the claims: %j', (changes, line) => {
    expect(endingLine(judgeRun({}), settingsWith(changes).claims)).toBe(line);
  });
});

describe('a requirement', () => {
  test.each<[string, string, Run, RequirementVerdict['verdict']]>([
    ['that every case decided passes', 'token.expired', {}, 'pass'],
    ['that a case fails is failed', 'token.expired', { instead: failing }, 'fail'],
    [
      'that is recommended and missed warns',
      'search.request',
      { instead: (v) => (v.body === 'valid' ? undefined : answer(500)) },
      'warn',
    ],
    ['that is left open is observed', 'act-as.not-needed', {}, 'observed'],
    ['that lacks a variable for one kind is not testable', 'token.expired', { plan: withoutExpired }, 'not-testable'],
    ['that was lost is inconclusive', 'token.foreign', { instead: losing }, 'inconclusive'],
    ['whose every case misses what is recommended beside it passes', 'chat.success', { instead: sparing }, 'pass'],
    [
      'whose every case of a kind fails for another is inconclusive',
      'token.expired',
      { instead: strayed },
      'inconclusive',
    ],
    [
      'of kinds that are not claimed is not applicable',
      'oauth.external',
      { plan: planWith({ CONFORMANCE_CLAIMS: 'user' }) },
      'not-applicable',
    ],
    ['that a check passed passes', 'user.isolation', { decisions: [decision('pass')] }, 'pass'],
    ['that a check failed is failed', 'user.isolation', { decisions: [decision('pass'), decision('fail')] }, 'fail'],
  ])('%s', (_what, id, run, verdict) => {
    expect(requirement(run, id).verdict).toBe(verdict);
  });

  test('names the unit that no case decided, and the variable to set', () => {
    expect(requirement({ plan: withoutExpired }, 'token.expired').undecided).toEqual([
      { unit: 'search/USER', lack: variableLack('USER_TOKEN_EXPIRED'), status: 'not-testable', accepted: false },
      { unit: 'chat/USER', lack: variableLack('USER_TOKEN_EXPIRED'), status: 'not-testable', accepted: false },
    ]);
    const untestable = { ...decision('not-testable'), variable: 'USER_PRIVATE_MARKER' };
    expect(requirement({ decisions: [untestable] }, 'user.isolation').undecided).toEqual([
      { unit: 'search/USER', lack: variableLack('USER_PRIVATE_MARKER'), status: 'not-testable', accepted: false },
    ]);
  });

  test('names the unit that was lost, and why', () => {
    const { undecided } = requirement({ instead: losing }, 'token.foreign');
    expect(undecided[0]).toMatchObject({
      unit: 'search/OAUTH',
      lack: lackInWords('status 503'),
      status: 'inconclusive',
    });
  });

  test('is decided by any case of a unit: the others may be lost', () => {
    const oneLost = (values: Values) => (expired(values) && values.holding === 'none' ? badGateway : undefined);
    expect(requirement({ instead: oneLost }, 'token.expired')).toMatchObject({ verdict: 'pass', undecided: [] });
  });

  test('is undecided where one claimed kind lost all its cases, whatever the others show', () => {
    const kindLost = (values: Values) => (expired(values) ? badGateway : undefined);
    const { verdict, undecided } = requirement({ instead: kindLost }, 'token.expired');
    expect([verdict, undecided.map(({ unit }) => unit)]).toEqual(['inconclusive', ['search/USER', 'chat/USER']]);
  });

  test('is not decided by a refusal that another fault of the same case may have caused', () => {
    // All that is left answers 401 to an expired token beside an unknown person, which 401 would answer as well.
    const rest = (values: Values) =>
      values.kind === 'GLOBAL' && values.validity === 'expired' && values['act-as'] !== 'unknown'
        ? badGateway
        : undefined;
    expect(requirement({ instead: rest }, 'token.expired').verdict).toBe('inconclusive');
  });

  test('on a body is undecided where no body was read to its end', () => {
    const cut = (values: Values) =>
      values.operation === 'search' && rightAnswer(values).status === 200
        ? { ...rightAnswer(values), truncated: true as const }
        : undefined;
    const { verdict, undecided } = requirement({ instead: cut }, 'search.response');
    const words = 'the body of no answer was read to its end';
    expect([verdict, undecided[0]?.lack]).toEqual(['inconclusive', { kind: 'words', words }]);
    expect(requirement({ instead: cut }, 'search.success').verdict).toBe('pass');
  });

  test('that the ledger excludes is not judged', () => {
    const ids = judgeRun({}).requirements.map((judged) => judged.requirement.id);
    expect(ids).not.toContain('families.mcp');
    expect(ids).toHaveLength(contract.requirements.filter(({ excluded }) => excluded === undefined).length);
  });
});
