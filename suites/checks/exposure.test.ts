import { describe, expect, test } from 'vitest';
import { exposure as deviants } from '../../fixtures/deviants/advice.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { runChecksOnPlain, tokens } from '../testing/one-check.ts';
import { caches } from './caches.ts';
import { exposure } from './exposure.ts';

const CLAIMS = { CONFORMANCE_CLAIMS: 'user global' };

async function decide(checks: Parameters<typeof runChecksOnPlain>[0], options: PlainOptions = {}) {
  const { decisions } = await runChecksOnPlain(checks, options, CLAIMS);
  return decisions
    .filter(({ check }) => check === exposure.id)
    .map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}

describe('the refusals of a run', () => {
  test('pass if none shows a private document that an accepted search found', async () => {
    expect(await decide([caches, exposure])).toEqual(['user.isolation: pass']);
  });

  test('fail if one shows it', async () => {
    for (const deviant of deviants)
      if (deviant.base === 'plain') {
        const found = await decide(
          [caches, exposure],
          deviant.replace(() => {}, tokens.env),
        );
        expect(new Set(found)).toEqual(new Set(['user.isolation: fail']));
      }
  });

  test('decide nothing if nothing was sent before', async () => {
    expect(await decide([exposure])).toEqual([]);
  });
});
