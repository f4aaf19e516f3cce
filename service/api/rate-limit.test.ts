import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Claims, IssuerClient } from '../issuers/issuer-client.ts';
import { startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { bearer, chatPath, searchPath, start, testApp } from '../testing/app.ts';
import { stockClient } from '../testing/stock-client.ts';
import type { OAuthCredential } from './credential.ts';
import { createRateLimit, identityOf } from './rate-limit.ts';

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

describe('the identity of an OAuth token', () => {
  const issuer = Object.assign({}, { issuer: 'https://login.example' }) as IssuerClient;
  const identity = (claims: Claims, from = issuer) =>
    identityOf({
      family: 'external',
      issuer: from,
      claims,
      scopes: [],
      expiresAt: 0,
      notBefore: null,
    } as OAuthCredential);

  test('is its issuer and its jti', () => {
    expect(identity({ jti: 'a', sub: 'ann' })).toBe(identity({ jti: 'a', sub: 'ann', exp: 5 }));
    expect(identity({ jti: 'a' })).not.toBe(identity({ jti: 'b' }));
    expect(identity({ jti: 'a' })).not.toBe(identity({ jti: 'a' }, { ...issuer, issuer: 'https://other.example' }));
  });

  test('is what it says where it has no jti, without what changes with each answer', () => {
    expect(identity({ sub: 'ann', exp: 5, expires_in: '10' })).toBe(identity({ sub: 'ann', exp: 5, expires_in: '9' }));
    expect(identity({ sub: 'ann', exp: 5 })).not.toBe(identity({ sub: 'ann', exp: 6 }));
  });
});

test('the 32 spellings of one ECDSA token count together', async () => {
  const service = await startService({ passwordCost: cheapPasswordCost, requestsPerMinute: 2 });
  onTestFinished(service.close);
  await service.context.store.people.add({ email: 'ann@example.com', name: 'Ann', role: 'user', password: 'x' });
  const stock = await stockClient(service.apiUrl);
  const { accessToken } = await stock.signIn({ email: 'ann@example.com', password: 'x' }, 'SEARCH');
  const statuses = [];
  for (const spelling of spellingsOf(accessToken)) {
    const { statusCode, body } = await request(service.apiUrl + searchPath, {
      method: 'POST',
      headers: [...bearer(spelling), 'content-type', 'application/json'],
      body: '{"query":"a"}',
    });
    await body.dump();
    statuses.push(statusCode);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(new Set(statuses.slice(2))).toEqual(new Set([429]));
});

/** The order of the group of P-256. With (r, s) is also (r, n - s) a signature of the same text. */
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

function spellingsOf(token: string): string[] {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const mirrored = Buffer.concat([bytes.subarray(0, 32), Buffer.from((n - s).toString(16).padStart(64, '0'), 'hex')]);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // The last four bits of the last character are padding.
  const paddings = (text: string) => {
    const last = alphabet.indexOf(text.at(-1) ?? '') & 0b110000;
    return Array.from({ length: 16 }, (_, bits) => text.slice(0, -1) + alphabet[last | bits]);
  };
  return [bytes, mirrored]
    .flatMap((one) => paddings(one.toString('base64url')))
    .map((one) => `${header}.${payload}.${one}`);
}
