import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { cheapPasswordCost, hashPassword, passwordMatches } from '../store/password-hash.ts';
import { createGuardedFetch, namesFrom } from './guarded-fetch.ts';

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

/** A name server that never answers. */
async function silentServer() {
  const server = createSocket('udp4');
  onTestFinished(() => void server.close());
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const questions = { count: 0 };
  server.on('message', () => {
    questions.count += 1;
  });
  return { address: `127.0.0.1:${server.address().port}`, questions };
}

test('names that nobody answers for keep no password waiting, and are given up', async () => {
  const { address, questions } = await silentServer();
  const fetch = createGuardedFetch(namesFrom([address]));
  const hash = await hashPassword('correct horse', cheapPasswordCost);
  let given = 0;
  const asked = Array.from({ length: 8 }, (_, index) =>
    fetch(new URL(`https://a${index}.example/id`)).catch(() => {
      given += 1;
    }),
  );
  // A look-up of the system would take a thread of the pool that passwords are checked in.
  expect(await passwordMatches('correct horse', hash)).toBe(true);
  expect(given).toBe(0);
  await Promise.all(asked);
  expect(given).toBe(8);
  expect(questions.count).toBeGreaterThanOrEqual(8);
});
