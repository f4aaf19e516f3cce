import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';

describe('health and readiness', () => {
  test('need no token', async () => {
    const { send } = await testApp();
    expect(await send('/health', [], undefined, 'GET')).toMatchObject({ status: 200, json: { status: 'live' } });
    expect(await send('/ready', [], undefined, 'GET')).toMatchObject({
      status: 200,
      json: { status: 'ready' },
      headers: { 'cache-control': 'no-store' },
    });
  });

  test('differ when the database does not respond', async () => {
    const { store, send } = await testApp();
    store.close();
    expect(await send('/health', [], undefined, 'GET')).toMatchObject({ status: 200 });
    const answer = await send('/ready', [], undefined, 'GET');
    expect(answer).toMatchObject({ status: 503, json: { status: 'not ready' } });
  });
});
