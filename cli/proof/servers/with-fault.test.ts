import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContractFile } from '../../../harness/contract/load-contract.ts';
import { catalogueOf } from '../../../harness/settings/catalogue.ts';
import { listen } from '../../../service/listen.ts';
import { type Fault, withFault } from './foreign-server.ts';
import { servers } from './judge-servers.ts';

test.each(servers)(
  'the faults of $name break requirements of its contract with tokens of its variables',
  async ({ name, faults }) => {
    const contract = await loadContractFile(join('fixtures', 'contracts', `${name}.yaml`));
    const requirements = contract.requirements.map(({ id }) => id);
    const variables = catalogueOf(contract).names;
    expect(faults).toHaveLength(3);
    for (const { breaks, takes, for: right } of faults) {
      expect(requirements).toContain(breaks);
      expect(variables).toEqual(expect.arrayContaining([takes, right]));
    }
  },
);

const [WRONG, RIGHT] = ['Bearer wrong-token', 'Bearer right-token'];

/** What a server gets as Authorization of a request that a proxy with a fault passes on. */
async function received(fault: Partial<Fault>, path: string, headers: Record<string, string> = {}) {
  const { url, answerWith, close } = await listen();
  answerWith(({ headers: { authorization } }, response) => void response.end(authorization));
  onTestFinished(close);
  const env = { TARGET_BASE_URL: url, WRONG: 'wrong-token', RIGHT: 'right-token' };
  const proxy = await withFault(
    { env, close },
    { what: 'a fault', breaks: 'token.expired', takes: 'WRONG', for: 'RIGHT', ...fault },
  );
  onTestFinished(proxy.close);
  const answer = await fetch(`${proxy.env['TARGET_BASE_URL']}${path}`, {
    headers: { authorization: WRONG, ...headers },
  });
  return answer.text();
}

const AT_NOTES: Partial<Fault> = { path: '/notes' };
const WITH_NAME: Partial<Fault> = { header: ['x-switch-user'] };
const FROM_HERE: Partial<Fault> = { header: ['x-real-ip', '127.0.0.1'] };

test('a proxy takes one token for another everywhere, or at its path, whatever the query', async () => {
  expect(await received({}, '/any')).toBe(RIGHT);
  expect(await received(AT_NOTES, '/notes?all')).toBe(RIGHT);
  expect(await received(AT_NOTES, '/others')).toBe(WRONG);
});

test('or in requests with its header, or with the value of that', async () => {
  expect(await received(WITH_NAME, '/any', { 'X-Switch-User': 'alan' })).toBe(RIGHT);
  expect(await received(WITH_NAME, '/any')).toBe(WRONG);
  expect(await received(FROM_HERE, '/any', { 'X-Real-IP': '127.0.0.1' })).toBe(RIGHT);
  expect(await received(FROM_HERE, '/any', { 'X-Real-IP': '10.0.0.1' })).toBe(WRONG);
});
