import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { causes } from '../testing/findings.ts';
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

  const wrong = ['tampered', 'expired', 'only:SEARCH'] as const;
  const wronglyAccepted = (what: (typeof wrong)[number]) => {
    const change = what === 'only:SEARCH' ? { holding: what } : { validity: what };
    const planned = plannedCase(plan, what === 'only:SEARCH' ? 'chat' : 'search', 'USER', change);
    return decide([...several(planned, accepted, accepted), acceptedControl], true);
  };

  test('is not given for a full token that was accepted', () => {
    const working = decide(several(full, accepted));
    const tampered = wronglyAccepted('tampered');
    expect(findingsOf(contract, [tampered], [], false)[0]?.caveat).toMatch(/^all cases use \$USER_TOKEN: check that/);
    expect(findingsOf(contract, [tampered, working], [], false)[0]).not.toHaveProperty('caveat');
    const refused = decide(several(full, answer(401)));
    expect(findingsOf(contract, [tampered, refused], [], false)[0]).toHaveProperty('caveat');
  });

  test('is given for a token with one scope that was accepted where it holds the scope: it may hold others', () => {
    const working = decide(several(plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' }), accepted));
    const [found] = findingsOf(contract, [wronglyAccepted('only:SEARCH'), working], [], false);
    expect(found?.caveat).toContain('$USER_TOKEN_SEARCH');
  });
});
