import { describe, expect, test } from 'vitest';
import type { Decision } from '../record/exchange.ts';
import { named } from '../testing/findings.ts';
import { accepted, answer, contract, plannedCase } from '../testing/small-world.ts';
import { decide, plan, several } from '../testing/verdicts.ts';
import { OTHER_REQUESTS } from './alike-causes.ts';
import { judgeBaseline } from './baseline.ts';
import { findingsOf } from './findings.ts';

const kept = answer(403, 'Refused a moment ago');
const search = (kind: string, changes: Record<string, string>, ...answers: ReturnType<typeof answer>[]) =>
  decide(several(plannedCase(plan, 'search', kind, changes), ...answers), true);
const expired = search('USER', { validity: 'expired' }, kept, kept);
const scopeOrder: Decision = {
  type: 'decision',
  ...{ check: 'scope-order', requirement: 'scope.sole', operation: 'search', kind: 'USER', verdict: 'fail' },
  ...{ detail: 'a token with more scopes is refused', steps: [1], broke: 1, got: 'refused with 403' },
};

test('an answer comes and goes if a request got it and also what it wanted', () => {
  expect(search('USER', {}, kept, kept, kept, accepted).comesAndGoes).toBe(true);
  expect(search('USER', {}, kept, kept, kept, kept)).not.toHaveProperty('comesAndGoes');
  expect(search('USER', {}, accepted)).not.toHaveProperty('comesAndGoes');
});

test('what a well-made request gets at times is one cause with every other request that gets it', () => {
  const wellMade = search('USER', {}, kept, kept, kept, accepted);
  const found = findingsOf(contract, [wellMade, expired], [scopeOrder], true);
  expect(found.map(({ requirements, cases, decisions }) => [requirements, cases.length, decisions.length])).toEqual([
    [['user.accepted'], 2, 1],
  ]);
});

test('a baseline that lists this cause lists what its checks decided', () => {
  const verdicts = [search('USER', {}, kept, kept, kept, accepted)];
  const decisions = [scopeOrder];
  const findings = findingsOf(contract, verdicts, decisions, true);
  expect(findings).toMatchObject([{ requirements: ['user.accepted'] }]);
  const reviewed = { reason: 'known', review: '2099-01-01' };
  const baseline = { deviations: [{ requirement: 'user.accepted', ...reviewed }], gaps: [], today: '2026-11-26' };
  const judged = judgeBaseline({ contract, plan, verdicts, findings, decisions, requirements: [], baseline });
  expect(judged).toMatchObject({ deviates: false, entries: [{ covers: 2 }] });
  expect(findings[0]?.decisions.every((one) => judged.listed.has(one))).toBe(true);
});

test('a request of another kind, and one beside a well-made request that is accepted, have causes of their own', () => {
  expect(named(findingsOf(contract, [search('USER', {}, accepted), expired], [], true))).toEqual(['token.expired']);
  const ofGlobal = search('GLOBAL', {}, kept, kept, kept, accepted);
  expect(findingsOf(contract, [ofGlobal, expired], [scopeOrder], true)).toHaveLength(3);
});

test('what a well-made request gets by chance is no reason for what another request gets each time', () => {
  const once = search('USER', {}, kept, accepted, accepted, accepted);
  expect(once.verdict).toBe('inconclusive');
  expect(named(findingsOf(contract, [once, expired], [], true))).toEqual(['token.expired', 'user.accepted']);
});

test('one answer that comes to requests of several kinds by chance is one cause, and another answer another', () => {
  const once = (seen: ReturnType<typeof answer>, kind: string) => search(kind, {}, seen, accepted, accepted, accepted);
  const [user, okta] = [once(kept, 'USER'), once(kept, 'OKTA')];
  expect(findingsOf(contract, [user, okta], [], true)).toMatchObject([
    { verdict: 'inconclusive', requirements: ['user.accepted', 'oauth.external'], cases: { length: 2 } },
  ]);
  expect(findingsOf(contract, [user, once(answer(500), 'OKTA')], [], true)).toHaveLength(2);
});

describe('what a check blames on other requests', () => {
  const unauthorized = answer(401);
  const scoped = search('USER', { holding: 'none' }, accepted, accepted, answer(403));
  const tampered = search('USER', { validity: 'tampered' }, accepted, unauthorized, unauthorized);
  const always = search('USER', { validity: 'expired' }, accepted, accepted);
  const seen: Decision = {
    ...{ ...scopeOrder, check: 'every-time', requirement: 'token.tampered' },
    influence: OTHER_REQUESTS,
  };
  const shown = (decisions: readonly Decision[]) =>
    findingsOf(contract, [scoped, tampered, always], decisions, true)
      .map(({ requirements }) => requirements.join(' '))
      .sort();

  test('is one cause with all that comes and goes, and not with what comes each time', () => {
    expect(shown([seen])).toEqual(['scope.search token.tampered', 'token.expired']);
    const [, cause] = findingsOf(contract, [scoped, tampered, always], [seen], true);
    expect(cause).toMatchObject({ verdict: 'fail', places: [], scattered: 2, decisions: [seen] });
  });

  test('is one cause too where the matrix only warns', () => {
    const basic = search('USER', { authorization: 'basic' }, answer(403), answer(403));
    const malformed = { ...seen, requirement: 'authorization.malformed' };
    const refused = { ...seen, check: 'turns', requirement: 'user.accepted' };
    const found = findingsOf(contract, [basic], [malformed, refused], true);
    expect(found).toMatchObject([{ verdict: 'fail', requirements: ['authorization.malformed', 'user.accepted'] }]);
  });

  test('has causes of its own while no check saw that', () => {
    const { influence: _, ...unseen } = seen;
    expect(shown([unseen])).toEqual(['scope.search', 'token.expired', 'token.tampered']);
  });
});
