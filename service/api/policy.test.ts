import { describe, expect, test } from 'vitest';
import { Refusal } from '../terms/refusal.ts';
import { bearer, chatPath, searchPath, testApp } from '../testing/app.ts';
import { policy } from './policy.ts';

describe('the policy', () => {
  test('decides which of two faults is reported, by the order of its stages', async () => {
    const late = await testApp();
    const token = bearer(await late.secret({ permission: 'GLOBAL', scopes: ['PINS'] }));
    expect(await late.send(searchPath, token)).toMatchObject({ status: 400 });

    const early = await testApp({
      steps: { ...policy, order: ['authenticate', 'requireScope', 'validateBody', 'identify', 'checkExpiry'] },
    });
    const other = bearer(await early.secret({ permission: 'GLOBAL', scopes: ['PINS'] }));
    expect(await early.send(searchPath, other)).toMatchObject({ status: 403 });
  });

  test('lets exactly one step be replaced', async () => {
    const { secret, send } = await testApp({
      steps: {
        ...policy,
        requireScope: (call, credential) => {
          if (call.operation.id === 'search') throw new Refusal('insufficient-scope', { status: 404 });
          policy.requireScope(call, credential);
        },
      },
    });
    const token = bearer(await secret());
    expect(await send(searchPath, token)).toMatchObject({ status: 404 });
    expect(await send(chatPath, token)).toMatchObject({ status: 200 });
  });

  test('refuses an order that leaves a stage out', async () => {
    await expect(testApp({ steps: { ...policy, order: ['authenticate'] } })).rejects.toThrow(/order must name each/);
  });

  test('answers 500 without details when a step breaks', async () => {
    const { secret, send } = await testApp({
      steps: {
        ...policy,
        search: async () => {
          throw new Error('the password is swordfish');
        },
      },
    });
    const answer = await send(searchPath, bearer(await secret()));
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('swordfish');
  });
});
