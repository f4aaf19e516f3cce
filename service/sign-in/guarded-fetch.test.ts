import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

test.each([
  ['http://client.example/client.json', /is not https/],
  ['https://client.example:8443/client.json', /is not https on its own port/],
  ['https://127.0.0.1/client.json', /is not a public address/],
  ['https://10.0.0.1/client.json', /is not a public address/],
  ['https://169.254.169.254/latest', /is not a public address/],
  ['https://[::1]/client.json', /is not a public address/],
  ['https://[::ffff:127.0.0.1]/client.json', /is not a public address/],
  ['https://[fd00::1]/client.json', /is not a public address/],
  ['https://2130706433/client.json', /is not a public address/],
])('%s is not fetched', async (url, problem) => {
  await expect(createGuardedFetch()(new URL(url))).rejects.toThrow(problem);
});

test.each([
  ['this machine', ['127.0.0.1']],
  ['a private network', ['192.168.0.1']],
  ['a public and a private address', ['192.0.2.1', '10.0.0.1']],
])('a name that leads to %s is not fetched', async (_what, addresses) => {
  const fetch = createGuardedFetch((_host, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    ),
  );
  const failure = await fetch(new URL('https://client.example/client.json')).catch((error: unknown) => error);
  expect(String(Object(failure).cause)).toContain('not public');
});
