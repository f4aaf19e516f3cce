import { describe, expect, test } from 'vitest';
import { contract, planWith } from '../testing/small-world.ts';
import { narrow } from './narrow.ts';
import { type Narrowing, WHOLE } from './narrowing.ts';
import { nearestAcceptance } from './plan.ts';
import { refuseNarrowing } from './refuse-narrowing.ts';

const whole = planWith();
const checks = [
  { id: 'isolation', requirements: ['user.isolation', 'act-as.effective'] },
  { id: 'fuzz', requirements: ['token.unknown'] },
];
const narrowed = (narrowing: Partial<Narrowing>, plan = whole) =>
  narrow(contract, plan, checks, { ...WHOLE, ...narrowing });
const refused = (narrowing: Partial<Narrowing>, plan = whole, taken = checks) => {
  refuseNarrowing(contract, { plan, checks: taken, known: ['isolation', 'fuzz'] }, { ...WHOLE, ...narrowing });
  return 'not refused';
};
const idsIn = ({ plan }: { plan: typeof whole }) => plan.groups.flatMap(({ cases }) => cases.map(({ id }) => id));
const all = idsIn({ plan: whole });

describe('a narrowed run', () => {
  test('takes the cases that a glob matches, and the controls that they need', () => {
    const part = narrowed({ only: ['search/GLOBAL/expired/**'] });
    expect(idsIn(part)).toEqual(all.filter((id) => id.startsWith('search/GLOBAL/expired/')));
    expect(part.checks).toEqual([]);
    const controls = idsIn(part).map((id) => whole.cases.get(id)?.control ?? '');
    expect(controls.filter((id) => !part.plan.cases.has(id))).toEqual([]);
    expect(part.plan.cases.size).toBe(new Set([...idsIn(part), ...controls]).size);
  });

  test('takes any of several globs, less those that are excepted', () => {
    const part = narrowed({ only: ['chat/USER/**', 'isolation'], except: ['**/act-as:blank/**'] });
    expect(idsIn(part)).toEqual(all.filter((id) => id.startsWith('chat/USER/') && !id.includes('act-as:blank')));
    expect(part.checks.map(({ id }) => id)).toEqual(['isolation']);
  });

  test('takes the cases and checks that can decide a requirement', () => {
    const part = narrowed({ requirements: ['token.unknown'] });
    expect(idsIn(part).length).toBeGreaterThan(0);
    expect(idsIn(part).every((id) => id.includes('/unknown/') || id.includes('tampered'))).toBe(true);
    expect(part.checks.map(({ id }) => id)).toEqual(['fuzz']);
  });

  test('leaves out what cannot be tested as well, where nobody asked for it', () => {
    const lacking = planWith({ USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined });
    const untestable = (only: string) =>
      narrowed({ only: [only] }, lacking).plan.undecidable.filter(({ status }) => status === 'not-testable').length;
    expect([untestable('search/USER/expired/**') > 0, untestable('search/GLOBAL/**')]).toEqual([true, 0]);
  });

  test('asks nothing of a credential that no case of its own must accept', () => {
    const part = narrowed({ only: ['search/USER/valid/only:CHAT/**'] });
    expect([whole.provable.has('$USER_TOKEN_CHAT'), part.plan.provable.has('$USER_TOKEN_CHAT')]).toEqual([true, false]);
  });

  test('looks for the nearest acceptance of a case where the whole run does', () => {
    const part = narrowed({ only: ['search/USER/valid/all/act-as:absent/auth-type:absent'] });
    const [only] = part.plan.cases.values();
    if (!only) throw new Error('nothing is left');
    expect(nearestAcceptance(part.plan, only)?.id).toBe(nearestAcceptance(whole, only)?.id);
    expect(nearestAcceptance(part.plan, only)).toBeDefined();
  });

  test('can be asked for any requirement of the ledger that a case decides', () => {
    const decidable = contract.requirements.filter(({ id, excluded }) => {
      if (excluded !== undefined) return false;
      return idsIn(narrowed({ requirements: [id] })).length > 0;
    });
    // What is missing here is decided by hand-written checks only.
    const ids = decidable.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['search.response', 'response.content-type', 'chat.success']));
    expect(ids.length).toBeGreaterThan(30);
  });
});

describe('a narrowing is refused', () => {
  test.each<[string, Partial<Narrowing>, RegExp]>([
    ['with a glob that matches nothing', { only: ['search/USR/**'] }, /--only search\/USR\/\*\* .*did you mean USER\?/],
    [
      'with a misspelt check',
      { except: ['isolatoin'] },
      /--except isolatoin matches no case and no check.*isolation\?/,
    ],
    ['with a single star for several parts', { only: ['search/*'] }, /`\*\*` for any number/],
    ['with an unknown requirement', { requirements: ['token.expird'] }, /did you mean token\.expired\?/],
    ['with an excluded requirement', { requirements: ['families.mcp'] }, /families\.mcp is decided by no request: /],
    ['with globs that leave nothing', { only: ['fuzz'], except: ['f*'] }, /nothing is left to send.*--except f\*/],
    ['with more shards than groups', { only: ['fuzz'], shard: { index: 2, of: 2 } }, /take at most 1/],
  ])('%s', (_what, narrowing, message) => {
    expect(() => refused(narrowing)).toThrow(message);
  });

  test('naming the variable, where what is left needs one', () => {
    const lacking = planWith({ USER_TOKEN_EXPIRED: undefined });
    expect(() => refused({ only: ['search/USER/expired/all/**'] }, lacking)).toThrow(
      /leaves \d+ cases, and they need USER_TOKEN_EXPIRED$/,
    );
  });

  test('with the flag that would let an intrusive check in', () => {
    expect(() => refused({ only: ['fuzz'] }, whole, checks.slice(0, 1))).toThrow(/it needs --intrusive here/);
  });

  test('but not where everything matches something', () => {
    expect(refused({ only: ['search/**', 'fuzz'], except: ['*/unknown/**'] })).toBe('not refused');
    expect(refused({})).toBe('not refused');
  });
});
