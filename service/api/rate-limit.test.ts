import { describe, expect, test } from 'vitest';
import { bearer, chatPath, searchPath, start, testApp } from '../testing/app.ts';
import { createRateLimit } from './rate-limit.ts';

async function limited(requestsPerMinute: number) {
  const clock = { now: start };
  const now = () => clock.now;
  const app = await testApp({ now, rateLimit: createRateLimit({ requestsPerMinute, now }) });
  const ask = (token: string, path = searchPath) => app.send(path, bearer(token));
  return { ...app, clock, ask };
}

describe('a token that is used too often in one minute', () => {
  test('gets 429 with Retry-After on every operation, and is served after that wait', async () => {
    const { clock, secret, ask } = await limited(2);
    const token = await secret();
    expect([(await ask(token)).status, (await ask(token, chatPath)).status]).toEqual([200, 200]);
    clock.now += 12_500;
    const refused = await ask(token);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '48' } });
    expect(refused.headers).not.toHaveProperty('www-authenticate');
    clock.now += 48_000;
    expect(await ask(token)).toMatchObject({ status: 200 });
  });

  test('does not limit another token of the same person', async () => {
    const { secret, ask } = await limited(1);
    const [one, other] = [await secret(), await secret()];
    expect([(await ask(one)).status, (await ask(one)).status, (await ask(other)).status]).toEqual([200, 429, 200]);
  });

  test('gets 429 also when it lacks the scope', async () => {
    const { secret, ask } = await limited(1);
    const token = await secret({ scopes: ['PINS'] });
    expect([(await ask(token)).status, (await ask(token)).status]).toEqual([403, 429]);
  });

  test('gets 401 each time when it is not genuine', async () => {
    const { ask } = await limited(1);
    expect([(await ask('unknown-token')).status, (await ask('unknown-token')).status]).toEqual([401, 401]);
  });
});

describe('the count', () => {
  test('starts again with every minute, and when the clock is set back', () => {
    let now = start;
    const count = createRateLimit({ requestsPerMinute: 1, now: () => now });
    expect([count('a'), count('a')]).toEqual([undefined, 60]);
    now = start - 1;
    expect(count('a')).toBeUndefined();
    now = start + 59_998;
    expect(count('a')).toBe(1);
    now = start + 59_999;
    expect(count('a')).toBeUndefined();
  });

  test('does not include refused requests', () => {
    let now = start;
    const count = createRateLimit({ requestsPerMinute: 1, now: () => now });
    count('a');
    for (let second = 1; second < 60; second += 1) {
      now = start + second * 1000;
      expect(count('a')).toBe(60 - second);
    }
    now = start + 60_000;
    expect(count('a')).toBeUndefined();
  });
});

test('without a limit a token can be used any number of times', async () => {
  const { secret, send } = await testApp();
  const token = bearer(await secret());
  for (let time = 0; time < 100; time += 1) expect(await send(searchPath, token)).toMatchObject({ status: 200 });
});
