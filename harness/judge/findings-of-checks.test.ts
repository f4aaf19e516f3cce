import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { causes as causesIn } from '../testing/findings.ts';
import { decision as decided } from '../testing/report.ts';
import { accepted, answer, rightAnswer, taking } from '../testing/small-world.ts';
import { withWarnings } from './findings.ts';

/** The findings of a run in which the matrix gets these answers and checks make these decisions. */
const causes = (respond: (values: Values) => ReturnType<typeof rightAnswer>, decisions: readonly Decision[]) =>
  causesIn(({ values }) => respond(values), { decisions });

const decision = (requirement: string, verdict: Decision['verdict']): Decision => ({
  ...decided(verdict),
  requirement,
});

/** A target that answers 403 to Basic, where 400 or 401 is admitted. */
const warning = (values: Values) => (values.authorization === 'basic' ? answer(403) : rightAnswer(values));

/** Two decisions by one wrong answer: advice, and that the reference service follows all advice. */
const advised = (requirement: string, broke = 7): Decision[] => {
  const advice: Decision = { ...decision(requirement, 'warn'), check: 'mcp', operation: 'mcp', broke };
  return [advice, { ...advice, requirement: 'reference.mcp', verdict: 'fail' }];
};

describe('a cause', () => {
  test('includes what checks found about the same requirement', () => {
    const decisions = [decision('token.expired', 'fail'), decision('token.expired', 'pass')];
    const accepting = taking(({ validity }) => validity === 'expired', { validity: 'valid' });
    expect(causes((values) => rightAnswer(accepting(values)), decisions)).toMatchObject([
      { template: 'token.expired', decisions: [decisions[0]], example: { verdict: 'fail' } },
    ]);
  });

  test('includes nothing that checks found about another requirement', () => {
    const decisions = [decision('user.isolation', 'fail')];
    expect(causes(warning, decisions)).toMatchObject([
      { template: 'user.isolation', verdict: 'fail', decisions },
      { template: 'authorization.malformed', verdict: 'warn', decisions: [], attribution: { basis: 'interpreted' } },
    ]);
  });

  test('only warns if the matrix and the check only warn', () => {
    const decisions = [decision('authorization.malformed', 'warn')];
    expect(causes(warning, decisions)).toMatchObject([{ verdict: 'warn', decisions }]);
  });

  test('that did not repeat in the matrix stays apart from what a check found about its requirement', () => {
    let sent = 0;
    const once = (values: Values) =>
      values.validity === 'expired' && values.kind === 'USER' && sent++ === 0 ? answer(403) : rightAnswer(values);
    const decisions = [decision('token.expired', 'fail')];
    expect(causes(once, decisions)).toMatchObject([
      { verdict: 'fail', requirements: ['token.expired'], decisions, cases: [], places: [], scattered: 0 },
      { verdict: 'inconclusive', requirements: ['token.expired'], decisions: [] },
    ]);
  });

  test('fails if a check fails, even if the matrix only warns', () => {
    const decisions = [decision('authorization.malformed', 'fail')];
    expect(causes(warning, [])).toMatchObject([{ template: 'authorization.malformed', verdict: 'warn' }]);
    expect(causes(warning, decisions)).toMatchObject([
      { template: 'authorization.malformed', verdict: 'fail', decisions, example: undefined },
    ]);
    const both = [...decisions, decision('authorization.malformed', 'warn')];
    expect(causes(warning, both)).toMatchObject([{ verdict: 'fail', decisions: both }]);
  });

  test('that fails only because of a check has cases that still only warn', () => {
    const [found] = causes(warning, [decision('authorization.malformed', 'fail')]);
    const failing = (found?.cases ?? []).map((one) => ({ ...one, verdict: 'fail' }) as const);
    expect(failing.length).toBeGreaterThan(0);
    expect(found && withWarnings(failing, [found]).map(({ verdict }) => verdict)).toEqual(failing.map(() => 'warn'));
  });

  test('takes what checks found of its requirement, warnings beside its failure too', () => {
    const decisions = [decision('authorization.malformed', 'fail'), decision('authorization.malformed', 'warn')];
    const both = ({ operation }: Values) => (operation === 'chat' ? accepted : answer(403));
    const mixed = (values: Values) => (values.authorization === 'basic' ? both(values) : rightAnswer(values));
    expect(causes(mixed, decisions)).toMatchObject([
      { verdict: 'fail', template: 'authorization.malformed', decisions },
    ]);
  });

  test.each(['search', 'chat'])(
    'takes what a check found to wrong acceptances before refusals (%s accepts)',
    (open) => {
      const wrong = ({ operation }: Values) => (operation === open ? accepted : answer(404));
      const mixed = (values: Values) => (values.validity === 'expired' ? wrong(values) : rightAnswer(values));
      const found = causes(mixed, [decision('token.expired', 'fail')]);
      expect(found.map(({ cases, decisions }) => [cases[0]?.miss?.wronglyAccepted, decisions.length])).toEqual([
        [true, 1],
        [false, 0],
      ]);
    },
  );

  test('shares what a check found with no other cause, even if it is a sibling of both', () => {
    const accepting = taking(({ validity }) => validity === 'expired' || validity === 'tampered', {
      validity: 'valid',
    });
    const found = causes((values) => rightAnswer(accepting(values)), [decision('mcp.token', 'fail')]);
    expect(found.map(({ template }) => template).sort()).toEqual(['token.expired', 'token.tampered']);
    expect(found.flatMap(({ decisions }) => decisions)).toHaveLength(1);
  });

  test('exists without cases if only checks found something', () => {
    const decisions = [
      decision('rfc.allow', 'warn'),
      decision('user.isolation', 'fail'),
      decision('rfc.challenge', 'pass'),
    ];
    expect(causes(rightAnswer, decisions)).toMatchObject([
      { id: 'F1', verdict: 'fail', requirements: ['user.isolation'], decisions: [decisions[1]] },
      { id: 'F2', verdict: 'warn', requirements: ['rfc.allow'], cases: [], example: undefined },
    ]);
  });

  test('is stated or interpreted like the requirement, which may depend on the kind of token', () => {
    const ofKind = (kind: string) => causes(rightAnswer, [{ ...decision('user.isolation', 'fail'), kind }])[0];
    expect(ofKind('USER')?.attribution).toEqual({ basis: 'stated' });
    expect(ofKind('GOOGLE')?.attribution).toMatchObject({
      basis: 'interpreted',
      reason: expect.stringMatching(/5\.2/),
    });
  });

  test('is interpreted only if both the matrix and the check rest on an interpretation', () => {
    const interpreted = { ...decision('authorization.malformed', 'warn'), interpreted: 'a recipe of this suite' };
    expect(causes(warning, [interpreted])).toMatchObject([
      { attribution: { basis: 'interpreted', reason: expect.stringMatching(/. a recipe of this suite$/) } },
    ]);
    const accepting = taking(({ validity }) => validity === 'expired', { validity: 'valid' });
    const ofExpired = { ...interpreted, requirement: 'token.expired' };
    expect(causes((values) => rightAnswer(accepting(values)), [ofExpired])).toMatchObject([
      { attribution: { basis: 'stated' } },
    ]);
  });

  test('of the matrix includes what checks found about a sibling, such as the remote MCP server', () => {
    const accepting = taking(({ validity }) => validity === 'expired', { validity: 'valid' });
    const decisions = [decision('mcp.token', 'fail'), decision('mcp.scope', 'fail')];
    expect(causes((values) => rightAnswer(accepting(values)), decisions)).toMatchObject([
      { template: 'token.expired', requirements: ['token.expired', 'mcp.token'], decisions: [decisions[0]] },
      { template: 'mcp.scope', requirements: ['mcp.scope'], decisions: [decisions[1]] },
    ]);
  });

  test('of the matrix includes what checks found about a sibling, whichever of the two names the other', () => {
    const accepting = (operation: string) =>
      taking((values) => values.operation === operation && values.scope === 'missing', { holding: 'all' });
    for (const [one, other] of [
      ['search', 'chat'],
      ['chat', 'search'],
    ] as const) {
      const decisions = [decision(`scope.${other}`, 'fail')];
      const found = causes((values) => rightAnswer(accepting(one)(values)), decisions);
      expect(found).toMatchObject([{ requirements: [`scope.${one}`, `scope.${other}`], decisions }]);
    }
  });

  test('covers both of two sibling requirements', () => {
    const decisions = [decision('act-as.effective', 'fail'), decision('user.isolation', 'fail')];
    expect(causes(rightAnswer, decisions)).toMatchObject([
      {
        id: 'F1',
        verdict: 'fail',
        template: 'act-as.effective',
        requirements: ['act-as.effective', 'user.isolation'],
        decisions,
      },
    ]);
    const mixed = [decision('act-as.effective', 'warn'), decision('user.isolation', 'fail')];
    expect(causes(rightAnswer, mixed)).toMatchObject([{ verdict: 'fail', decisions: mixed }]);
    expect(causes(rightAnswer, decisions.slice(0, 1))).toMatchObject([{ requirements: ['act-as.effective'] }]);
    const warnings = decisions.map((found) => ({ ...found, verdict: 'warn' as const }));
    expect(causes(rightAnswer, [...warnings, decision('act-as.effective', 'warn')])).toMatchObject([
      { verdict: 'warn', requirements: ['act-as.effective', 'user.isolation'] },
    ]);
  });

  test('of the matrix includes the advice that the same fault breaks on the remote MCP server, and only that', () => {
    const accepting = taking((values) => values.kind === 'GLOBAL' && values['act-as'] === 'absent', {
      'act-as': 'existing',
    });
    const [same, other] = [advised('mcp.act-as'), advised('mcp.status', 8)];
    expect(causes((values) => rightAnswer(accepting(values)), [...same, ...other])).toMatchObject([
      { requirements: ['act-as.missing', 'mcp.act-as', 'reference.mcp'], decisions: same },
      { requirements: ['mcp.status', 'reference.mcp'], decisions: other, verdict: 'fail' },
    ]);
  });

  test('includes what checks found about a sibling of a sibling', () => {
    const decisions = ['user.isolation', 'act-as.effective', 'mcp.isolation'].map((id) => decision(id, 'fail'));
    expect(causes(rightAnswer, decisions)).toMatchObject([{ id: 'F1', decisions }]);
    expect(causes(rightAnswer, decisions)).toHaveLength(1);
  });

  test('names each kind whose well-made request a check saw refused with the same answer', () => {
    const refused = [
      ['user.accepted', 'USER'],
      ['global.accepted', 'GLOBAL'],
      ['token.expired', 'OAUTH'],
    ].map(([requirement = '', kind = '']) => ({ ...decision(requirement, 'fail'), kind, got: 'refused with 401' }));
    expect(causes(rightAnswer, refused)).toMatchObject([
      { requirements: ['user.accepted', 'global.accepted'], decisions: refused },
    ]);
  });

  test('joins two requirements only if one check decided both by one answer', () => {
    const [advice, own] = advised('mcp.status');
    if (!advice || !own) throw new Error('There are two decisions.');
    const apart: readonly Partial<Decision>[] = [
      { check: 'mcp-tools' },
      { operation: 'any' },
      { kind: 'GLOBAL' },
      { broke: 8 },
      { detail: 'something else' },
    ];
    expect(causes(rightAnswer, [advice, own])).toHaveLength(1);
    const unknownAnswers = [advice, own].map(({ broke: _, ...rest }) => rest);
    expect(causes(rightAnswer, unknownAnswers)).toHaveLength(2);
    for (const other of apart)
      expect(causes(rightAnswer, [advice, { ...own, ...other }])).toMatchObject([
        { verdict: 'fail', requirements: ['reference.mcp'] },
        { verdict: 'warn', requirements: ['mcp.status'] },
      ]);
  });
});
