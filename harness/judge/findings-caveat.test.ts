import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { causes } from '../testing/findings.ts';
import { decision, reportOf } from '../testing/report.ts';
import { accepted, answer, contract, plannedCase, rightAnswer } from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, several } from '../testing/verdicts.ts';
import { findingsOf } from './findings.ts';

describe('a caveat about the only credential', () => {
  const wrongFor = (where: (planned: PlannedCase) => boolean) =>
    causes((planned) => (where(planned) ? answer(404) : rightAnswer(planned.values)), { trusted: false });

  test('is not given where no credential was sent, or one that the suite made up', () => {
    for (const kind of ['none', 'unknown']) {
      const [found] = wrongFor(({ values }) => values.kind === kind);
      expect(found?.cases.length).toBeGreaterThan(0);
      expect(found).not.toHaveProperty('caveat');
    }
  });

  test('is given for a token that was never accepted', () => {
    const expired = ({ values: { kind, validity, holding } }: PlannedCase) =>
      kind === 'USER' && validity === 'expired' && holding === 'all';
    const [found] = wrongFor(expired);
    expect(found?.caveat).toContain('$USER_TOKEN_EXPIRED');
  });

  test('is not given if the cases use two tokens', () => {
    const tampered = ({ values }: PlannedCase) => values.kind === 'USER' && values.validity === 'tampered';
    const [found] = wrongFor(tampered);
    expect(new Set(found?.cases.map((one) => one.case.credential?.variable)).size).toBe(2);
    expect(found).not.toHaveProperty('caveat');
  });

  test('is about the person if nothing that acts as them is accepted', () => {
    const acting = ({ values: { kind, 'act-as': named } }: PlannedCase) => kind === 'GLOBAL' && named === 'existing';
    const [found] = wrongFor((planned) => acting(planned) && rightAnswer(planned.values).status === 200);
    expect(found?.caveat).toBe(
      'nothing that acts as $ACT_AS_EMAIL was accepted: check that the target knows this person',
    );
    const [one] = wrongFor((planned) => acting(planned) && planned.values.holding.startsWith('only:'));
    expect(one?.caveat ?? '').not.toContain('ACT_AS');
  });

  const wrong = ['tampered', 'expired', 'only:SEARCH'] as const;
  const wronglyAccepted = (what: (typeof wrong)[number]) => {
    const change = what === 'only:SEARCH' ? { holding: what } : { validity: what };
    const planned = plannedCase(plan, what === 'only:SEARCH' ? 'chat' : 'search', 'USER', change);
    return decide([...several(planned, accepted, accepted), acceptedControl], true);
  };

  test('is given for a full token that was accepted before all that refuse it, and not since', () => {
    const known = decide(several(full, accepted));
    const missed = plannedCase(plan, 'search', 'USER', { 'header-case': 'lower' });
    const refused = decide([...several(missed, answer(401), answer(401)), acceptedControl], true);
    const at = (seq: number) =>
      findingsOf(
        contract,
        [
          { ...known, seq: 5 },
          { ...refused, seq },
        ],
        [],
        false,
      )[0]?.caveat;
    expect(at(6)).toMatch(/^\$USER_TOKEN was accepted before, and never again: check that it did not end/);
    expect(at(4)).toBeUndefined();
  });

  test('is given for a full token that an operation refuses which accepts another one of its kind', () => {
    const known = decide(several(full, accepted));
    const atChat = (changes: object, ...answers: Parameters<typeof several>[1][]) =>
      decide([...several(plannedCase(plan, 'chat', 'USER', changes), ...answers), acceptedControl], true);
    const refused = atChat({}, answer(403), answer(403));
    const sole = atChat({ holding: 'only:CHAT' }, answer(200));
    const caveatOf = (...verdicts: readonly ReturnType<typeof decide>[]) =>
      findingsOf(contract, verdicts, [], false)[0]?.caveat;
    expect(caveatOf(known, refused, sole)).toMatch(
      /^\$USER_TOKEN is refused where another token of its kind is accepted/,
    );
    expect(caveatOf(known, refused)).toBeUndefined();
  });

  test('is not given for a full token that was accepted', () => {
    const working = decide(several(full, accepted));
    const tampered = wronglyAccepted('tampered');
    expect(findingsOf(contract, [tampered], [], false)[0]?.caveat).toMatch(/^all cases use \$USER_TOKEN: check that/);
    expect(findingsOf(contract, [tampered, working], [], false)[0]).not.toHaveProperty('caveat');
    const refused = decide(several(full, answer(401)));
    expect(findingsOf(contract, [tampered, refused], [], false)[0]).toHaveProperty('caveat');
    const actsAs = decide(several(plannedCase(plan, 'search', 'USER', { 'act-as': 'existing' }), accepted));
    expect(findingsOf(contract, [tampered, actsAs], [], false)[0]).toHaveProperty('caveat');
  });

  test('is given for a full token that is accepted without the header that its kind needs', () => {
    const asUser = ({ values, credential }: PlannedCase) => {
      const isUsers = credential?.variable === 'GLOBAL_TOKEN' && values.authorization === 'bearer';
      return isUsers && values['act-as'] === 'absent' && values.validity === 'valid' ? accepted : rightAnswer(values);
    };
    const [found] = causes(asUser, { trusted: false });
    expect([found?.requirements, found?.caveat]).toEqual([['act-as.missing'], expect.stringMatching('GLOBAL_TOKEN: ')]);
  });

  test('is given for a token with one scope that was accepted where it holds the scope: it may hold others', () => {
    const working = decide(several(plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' }), accepted));
    const [found] = findingsOf(contract, [wronglyAccepted('only:SEARCH'), working], [], false);
    expect(found?.caveat).toContain('$USER_TOKEN_SEARCH');
  });
});

test('a leak comes before a wrong acceptance, that before a wrong status, and warnings come last', async () => {
  const { findings } = await reportOf({
    instead: ({ kind, validity }) => {
      if (validity !== 'expired') return undefined;
      return kind === 'USER' ? answer(404) : kind === 'GOOGLE' ? accepted : undefined;
    },
    decisions: [
      { ...decision('warn'), requirement: 'rfc.allow' },
      { ...decision('fail'), requirement: 'search.page-size' },
      { ...decision('fail'), requirement: 'act-as.effective', kind: 'GLOBAL' },
    ],
  });
  const shown = findings.map(({ id, verdict, requirements }) => `${id} ${verdict} ${requirements.join(' ')}`);
  expect(shown[0]).toBe('F1 fail act-as.effective');
  expect(shown[1]).toBe('F2 fail token.expired');
  expect(findings[1]?.got).toMatch(/^200/);
  expect(shown.at(-1)).toMatch(/ warn rfc\.allow$/);
  expect(shown.map((line) => line.split(' ')[0])).toEqual(findings.map((_, index) => `F${index + 1}`));
});

const search = (kind: string, changes: Record<string, string>, seen = answer(404)) =>
  decide([...several(plannedCase(plan, 'search', kind, changes), seen, seen), acceptedControl], true);

test('a cause with a wrong acceptance comes before one with more cases that were refused with a wrong status', () => {
  const refused = ['GLOBAL', 'OKTA', 'USER'].map((kind) => search(kind, { holding: 'none' }));
  for (const refusedToo of [[], [search('OKTA', { validity: 'expired' })]]) {
    const verdicts = [...refused, ...refusedToo, search('USER', { validity: 'expired' }, accepted)];
    const found = findingsOf(contract, verdicts, [], true);
    expect(found.map(({ template, cases }) => [template, cases.length])).toEqual([
      ['token.expired', 1],
      ['scope.{operation}', 3],
      ...refusedToo.map(() => ['token.expired', 1]),
    ]);
  }
});

test('a cause is a leak if one of its requirements is about the data of another person', () => {
  const decisions = ['search.page-size', 'scope.search', 'scope.chat'].map((requirement) => ({
    ...decision('fail'),
    requirement,
  }));
  const requirements = contract.requirements.map((one) =>
    one.id === 'scope.chat' ? { ...one, grave: true as const } : one,
  );
  const first = (rules: typeof contract) => findingsOf(rules, [], decisions, true)[0]?.requirements;
  expect(first(contract)).toEqual(['search.page-size']);
  expect(first({ ...contract, requirements })).toEqual(['scope.search', 'scope.chat']);
});
