import { describe, expect, test } from 'vitest';
import { readAdministrationAnswer } from './administration.ts';

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

  test.each(['', 'a secret in plain text', '[]', 'null', '{"ok": "yes"}', '{"secret": "f3q8Zk1LmN0p"}', DEEP])(
    '%.60j is not an answer, and the error does not show it',
    (output) => {
      const answer = readAdministrationAnswer(output);
      expect(answer).toMatchObject({ kind: 'failed' });
      expect(JSON.stringify(answer)).not.toMatch(/f3q8|plain text/);
    },
  );
});
