import { expect, test } from 'vitest';
import { createOneTimeSecrets } from './one-time-secrets.ts';

test('a secret can be taken once, with its key', () => {
  const secrets = createOneTimeSecrets(() => 0);
  secrets.put('ann token-1', 'swordfish');
  expect(secrets.take('eve token-1')).toBeUndefined();
  expect(secrets.take('ann token-1')).toBe('swordfish');
  expect(secrets.take('ann token-1')).toBeUndefined();
});

test('a secret expires after ten minutes', () => {
  let now = 0;
  const secrets = createOneTimeSecrets(() => now);
  secrets.put('ann token-1', 'swordfish');
  now = 10 * 60 * 1000;
  expect(secrets.take('ann token-1')).toBeUndefined();
});
