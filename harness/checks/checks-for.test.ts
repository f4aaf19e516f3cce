import { describe, expect, test } from 'vitest';
import { contract, settingsWith } from '../testing/small-world.ts';
import { type Check, checksFor } from './check.ts';

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
