import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { raw, statuses } from '../testing/attacker.ts';
import { demoService } from '../testing/client.ts';

let service: RunningService;
beforeAll(async () => {
  service = await demoService();
});
afterAll(() => service?.close());

describe('a path that is written in another way opens nothing (ASVS 4.1.1, 12.3)', () => {
  const ask = (line: string) => raw(service.apiUrl, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

  test.each([
    '//admin',
    '/admin/',
    '/ADMIN',
    '/admin%2faudit',
    '/admin/..;/admin/audit',
    '/admin/%2e%2e/admin/people',
    '/admin;x=1',
    '/./admin/audit',
    '/admin/audit%00',
    '/admin/audit/',
    '/admin\\audit',
    '/admin/signed-out/../audit',
    '/admin/console.css/../audit',
    '/health/../admin/audit',
    '/admin/audit.css',
    '/admin/audit?x=/admin/signed-out',
    'http://evil.example/admin/audit',
    '*',
  ])('%s', async (path) => {
    const answer = await ask(`GET ${path}`);
    for (const status of statuses(answer)) expect([303, 400, 404]).toContain(status);
    expect(answer).not.toMatch(/signed in<|Audit trail<\/h1>|location: *(?:http:)?\/\/evil/i);
  });

  test.each([
    '/rest/api/v1/search/',
    '//rest/api/v1/search',
    '/rest/api/v1/%73earch',
    '/REST/api/v1/search',
    '/rest/api/v1/search;x',
    '/rest/api/v1/x/../search',
    '/rest/api/v1/search%00',
    '/rest/api/v1/search?access_token=x',
    'http://evil.example/rest/api/v1/search',
  ])('%s without a token', async (path) => {
    for (const method of ['POST', 'GET', 'PUT', 'post'])
      for (const status of statuses(await ask(`${method} ${path}`))) expect([400, 401, 404, 405]).toContain(status);
  });
});
