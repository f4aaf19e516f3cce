import { afterEach, describe, expect, test, vi } from 'vitest';
import { catalogue } from '../testing/small-world.ts';
import { administerByCommand, readAdministrationAnswer } from './administration.ts';

const DEEP = `{"ok": true, "page": ${'['.repeat(30_000)}${']'.repeat(30_000)}}`;

describe('the output of ADMINISTRATION_COMMAND', () => {
  test('can be a token with its secret, and further fields', () => {
    const answer = {
      ok: true,
      secret: 'f3q8Zk1LmN0p',
      token: { id: '7', scopes: ['A', 5], expires: null },
      page: 'words',
    };
    expect(readAdministrationAnswer(JSON.stringify(answer))).toEqual({
      kind: 'done',
      secret: 'f3q8Zk1LmN0p',
      token: { id: '7', scopes: ['A'] },
      tokens: [],
      shown: JSON.stringify(answer),
    });
  });

  test('can be a list of tokens', () => {
    const { tokens } = Object(readAdministrationAnswer('{"ok": true, "tokens": [{"id": "7", "revoked": true}, 5]}'));
    expect(tokens).toEqual([{ id: '7', revoked: true }, {}]);
  });

  test.each([
    ['{"ok": false, "problems": ["No scope.", "No user."]}', { kind: 'refused', why: 'No scope.; No user.' }],
    ['{"ok": false}', { kind: 'refused', why: 'no reason given' }],
    ['{"unsupported": "nothing is revoked here"}', { kind: 'unsupported', why: 'nothing is revoked here' }],
  ])('%s is read as %j', (output, answer) => {
    expect(readAdministrationAnswer(output)).toEqual(answer);
  });

  test.each(['', 'a secret in plain text', '[]', 'null', '{"ok": "yes"}', '{"secret": "f3q8Zk1LmN0p"}'])(
    '%.60j is not an answer, and the error does not show it',
    (output) => {
      const answer = readAdministrationAnswer(output);
      expect(answer).toMatchObject({ kind: 'failed' });
      expect(JSON.stringify(answer)).not.toMatch(/f3q8|plain text/);
    },
  );

  test('may be nested so deeply that only some versions of Node can write it again', () => {
    expect(['done', 'failed']).toContain(readAdministrationAnswer(DEEP).kind);
  });
});

/** Runs a program as ADMINISTRATION_COMMAND, which must be one line. */
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

  test('is not used if it is not set', () => {
    expect(administerByCommand({ catalogue, variables: new Map() })).toBeUndefined();
  });

  test('reads one request and writes one answer', async () => {
    const program = `process.stdin.on('data', (asked) => console.log('{"ok":true,"page":' + asked + '}'))`;
    const request = { version: 1, action: 'create', actor: 'admin', token: { description: 'a test' } };
    expect(await administerBy(program)).toMatchObject({
      kind: 'done',
      shown: JSON.stringify({ ok: true, page: request }),
    });
  });

  test('runs without the variables of the suite', async () => {
    vi.stubEnv('USER_TOKEN', 'f3q8Zk1LmN0p');
    vi.stubEnv('HOME_OF_TESTS', 'here');
    const program = `console.log(JSON.stringify({ unsupported: String(process.env.USER_TOKEN) + process.env.HOME_OF_TESTS }))`;
    expect(await administerBy(program)).toEqual({ kind: 'unsupported', why: 'undefinedhere' });
  });

  test('fails if it exits with an error', async () => {
    expect(await administerBy('process.exit(3)')).toEqual({
      kind: 'failed',
      why: 'ADMINISTRATION_COMMAND exited with code 3',
    });
  });
});
