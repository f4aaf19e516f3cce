import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { raw, secretOfPriya, send, statuses } from '../testing/attacker.ts';
import { at, demoService, password } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let genuine: string;
let secret: string;
const path = '/rest/api/v1/search';

beforeAll(async () => {
  service = await demoService();
  const app = await stockClient(service.apiUrl);
  genuine = (await app.signIn({ email: at('priya'), password }, 'SEARCH')).accessToken;
  secret = await secretOfPriya(service);
});
afterAll(() => service?.close());

describe('a token in another place than the header (RFC 6750 2, RFC 9700 4.3.2)', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[string, () => Promise<{ status: number }>]>([
    [
      'the address',
      () =>
        send(`${service.apiUrl}${path}?access_token=${genuine}`, {
          method: 'POST',
          headers: json,
          body: '{"query":"a"}',
        }),
    ],
    [
      'the body',
      () =>
        send(service.apiUrl + path, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ query: 'a', access_token: genuine }),
        }),
    ],
    [
      'a cookie',
      () =>
        send(service.apiUrl + path, {
          method: 'POST',
          headers: { ...json, cookie: `access_token=${genuine}; Authorization=Bearer ${genuine}` },
          body: '{"query":"a"}',
        }),
    ],
    [
      'Basic',
      () =>
        send(service.apiUrl + path, {
          method: 'POST',
          headers: { ...json, authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}` },
          body: '{"query":"a"}',
        }),
    ],
    [
      'another scheme',
      () =>
        send(service.apiUrl + path, {
          method: 'POST',
          headers: { ...json, authorization: `DPoP ${genuine}` },
          body: '{"query":"a"}',
        }),
    ],
    [
      'another header',
      () =>
        send(service.apiUrl + path, {
          method: 'POST',
          headers: { ...json, 'x-api-key': secret, 'proxy-authorization': `Bearer ${secret}` },
          body: '{"query":"a"}',
        }),
    ],
  ])('in %s is not read', async (_where, ask) => {
    expect((await ask()).status).toBe(401);
  });

  test.each([
    ['two lines', (token: string) => `Authorization: Bearer ${token}\r\nAuthorization: Bearer x\r\n`],
    [
      'two lines, the second one good',
      (token: string) => `Authorization: Bearer x\r\nAuthorization: Bearer ${token}\r\n`,
    ],
    ['two tokens', (token: string) => `Authorization: Bearer ${token}, Bearer ${token}\r\n`],
    ['a quoted token', (token: string) => `Authorization: Bearer "${token}"\r\n`],
    ['a tab', (token: string) => `Authorization: Bearer\t${token}\r\n`],
    ['no space', (token: string) => `Authorization: Bearer${token}\r\n`],
    ['a folded line', (token: string) => `Authorization: Bearer\r\n ${token}\r\n`],
    ['an underscore in another name', (token: string) => `Authorization_: Bearer ${token}\r\n`],
    ['a space before the colon', (token: string) => `Authorization : Bearer ${token}\r\n`],
  ])('in %s is refused', async (_how, lines) => {
    const body = '{"query":"a"}';
    const answer = await raw(
      service.apiUrl,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n${lines(secret)}\r\n${body}`,
    );
    const [status] = statuses(answer);
    expect([400, 401]).toContain(status);
  });
});
