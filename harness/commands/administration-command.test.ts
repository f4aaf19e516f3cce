import { afterEach, describe, expect, test, vi } from 'vitest';
import { catalogue } from '../testing/small-world.ts';
import { administerByCommand } from './administration-command.ts';

/** A command that is this program, on one line. */
function administerBy(program: string) {
  const value = `${JSON.stringify(process.execPath)} -e ${JSON.stringify(program)}`;
  const administer = administerByCommand({
    catalogue,
    variables: new Map([['ADMINISTRATION_COMMAND', { value, origin: 'environment' }]]),
  });
  return administer?.({ action: 'create', actor: 'admin', token: { description: 'a test' } });
}

describe('ADMINISTRATION_COMMAND', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('is nobody to ask where it is not set', () => {
    expect(administerByCommand({ catalogue, variables: new Map() })).toBeUndefined();
  });

  test('reads one request, and its answer is taken', async () => {
    const program = `process.stdin.on('data', (asked) => console.log('{"ok":true,"page":' + asked + '}'))`;
    const request = { version: 1, action: 'create', actor: 'admin', token: { description: 'a test' } };
    expect(await administerBy(program)).toMatchObject({
      kind: 'done',
      shown: JSON.stringify({ ok: true, page: request }),
    });
  });

  test('sees no variable of the suite', async () => {
    vi.stubEnv('USER_TOKEN', 'f3q8Zk1LmN0p');
    vi.stubEnv('HOME_OF_TESTS', 'here');
    const program = `console.log(JSON.stringify({ unsupported: String(process.env.USER_TOKEN) + process.env.HOME_OF_TESTS }))`;
    expect(await administerBy(program)).toEqual({ kind: 'unsupported', why: 'undefinedhere' });
  });

  test('that ends badly says nothing of the target', async () => {
    expect(await administerBy('process.exit(3)')).toEqual({
      kind: 'failed',
      why: 'ADMINISTRATION_COMMAND ended with code 3',
    });
  });
});
