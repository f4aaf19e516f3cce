import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveSocket } from '../harness/testing/local-server.ts';
import { commandLine, tokens } from './testing/command-line.ts';

const cli = commandLine();

/** The variables of a target for which one token is set, and a command makes the others. */
async function minting(TOKEN_COMMAND: string) {
  const { TARGET_BASE_URL, USER_TOKEN } = await cli.plain();
  return { TARGET_BASE_URL, USER_TOKEN, TOKEN_COMMAND, CONFORMANCE_CLAIMS: 'user' };
}

describe('TOKEN_COMMAND', () => {
  /** A command that returns tokens of the plain target, and says `unsupported` for those that it does not have. */
  function command(): string {
    const table = Object.fromEntries(Object.entries(tokens.env).filter(([name]) => name.includes('_TOKEN')));
    return cli.tokenCommand(`const table = ${JSON.stringify(table)};
if (process.env.USER_TOKEN) process.exit(9);
const suffix = { valid: scopes.length === 1 ? (table[kind + '_TOKEN_' + scopes[0]] ? '_' + scopes[0] : '_UNSCOPED') : scopes.length === 19 ? '' : '?', expired: scopes.length === 19 ? '_EXPIRED' : '?', 'future-expiry': '_FUTURE_EXPIRY' }[validity] ?? '?';
const token = table[kind + '_TOKEN' + suffix];
console.log(JSON.stringify(token ? { token } : { unsupported: 'no such token here' }));`);
  }

  test('mints the tokens that no variable supplies, sees no secret, and reports what it cannot make', async () => {
    const { TARGET_BASE_URL, USER_TOKEN, ACT_AS_EMAIL, USER_EMAIL, ...rest } = await cli.plain();
    const markers = Object.fromEntries(Object.entries(rest).filter(([name]) => name.includes('_PRIVATE_')));
    const { code, output } = await cli.run({
      TARGET_BASE_URL,
      USER_TOKEN,
      ACT_AS_EMAIL,
      USER_EMAIL,
      ...markers,
      TOKEN_COMMAND: command(),
      CONFORMANCE_CLAIMS: 'user global',
    });
    expect(output).toContain('conforms: user global (claims as CONFORMANCE_CLAIMS states)');
    expect(output).toContain('TOKEN_COMMAND: no such token here');
    expect(code).toBe(0);
  });

  test('that returns the same token for every request ends a run that has no other', async () => {
    const { TARGET_BASE_URL, USER_TOKEN, USER_EMAIL } = await cli.plain();
    const { code, output } = await cli.run({
      TARGET_BASE_URL,
      USER_EMAIL,
      SAME: USER_TOKEN,
      TOKEN_COMMAND: `node -p 'JSON.stringify({token: process.env.SAME})'`,
      CONFORMANCE_CLAIMS: 'user',
    });
    expect(output).toContain('TOKEN_COMMAND gave the same token for USER expired all and USER future-expiry all and ');
    expect(code).toBe(2);
  });

  test('may write a byte order mark first, as programs of Windows do', async () => {
    const command =
      cli.tokenCommand(`const answer = String(scopes) === 'SEARCH' ? { token: '${tokens.env['USER_TOKEN_SEARCH']}' } : { unsupported: 'not here' };
process.stdout.write('\\uFEFF' + JSON.stringify(answer) + '\\r\\n');`);
    const { code, output } = await cli.run(await minting(command), ['--only', 'search/USER/valid/only:SEARCH/**']);
    expect(output).toContain('nothing deviates');
    expect(code).toBe(0);
  });

  test('that fails leaves requirements not testable, and its output is not shown', async () => {
    const { code, output } = await cli.run(await minting('echo top-secret-token-material; exit 3'));
    expect(output).toContain('TOKEN_COMMAND exited with code 3');
    expect(output).not.toContain('top-secret');
    expect(code).toBe(4);
  });

  test.each([
    ['exit 3', '6 × TOKEN_COMMAND exited with code 3'],
    [`node -p 'JSON.stringify({unsupported: "not here"})'`, '6 × not here'],
  ])('that makes no token ends a run that has no other, before anything is sent: %s', async (line, reasons) => {
    const { TARGET_BASE_URL } = await cli.plain();
    const { code, output } = await cli.run({ TARGET_BASE_URL, TOKEN_COMMAND: line, CONFORMANCE_CLAIMS: 'user' });
    expect(output).toContain(
      `TOKEN_COMMAND made none of 6 tokens, and no variable supplies one: ${reasons}. Run it by hand`,
    );
    expect(code).toBe(2);
  });

  test('can name a person, a variable and a token in its reason, and they are masked in every output', async () => {
    const { TARGET_BASE_URL, USER_TOKEN, USER_EMAIL = '' } = await cli.plain();
    const minted = 'k9QwErTy7UiOp3AsDf5G';
    const TOKEN_COMMAND =
      cli.tokenCommand(`const reason = 'asked for ' + email.toUpperCase() + ' with ${USER_TOKEN} and ${minted} ' + '.'.repeat(100) + email;
console.log(JSON.stringify(validity === 'expired' && scopes.length === 19 ? { token: '${minted}' } : { unsupported: reason }));`);
    const env = { TARGET_BASE_URL, USER_TOKEN, USER_EMAIL, TOKEN_COMMAND, CONFORMANCE_CLAIMS: 'user' };
    const { output } = await cli.run(env, ['--depth', 'core']);
    const folder = cli.file('conformance-report');
    const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const text = [output, ...written].join('\n').toLowerCase();
    expect(output).toContain('asked for <USER_EMAIL> with <USER_TOKEN> and <TOKEN_COMMAND USER expired all> ...');
    for (const secret of [USER_EMAIL, `${USER_TOKEN}`, minted]) expect(text).not.toContain(secret.toLowerCase());
    expect(text).not.toContain(`.${USER_EMAIL.split('@')[0]}`);
  });

  test('that says that its token has expired decides nothing, and the target is not blamed', async () => {
    const answer = { token: 'k9QwErTy7UiOp3AsDf5G', expiresAt: '2026-01-01T00:00:00+01:00' };
    const command = cli.tokenCommand(`console.log('${JSON.stringify(answer)}')`);
    const { output } = await cli.run(await minting(command), ['--only', 'search/USER/valid/only:SEARCH/**']);
    expect(output).toContain('the token from TOKEN_COMMAND expired at 2025-12-31T23:00:00Z; get a new one');
    expect(output).not.toContain('F1 ');
  });

  test('whose tokens expire during the run leaves the rest undecided, and the target is not blamed', async () => {
    const { TARGET_BASE_URL, USER_TOKEN_SEARCH } = await cli.plain();
    // The clocks of two machines differ, so that the run begins with a token that has just expired.
    const answer = { token: 'k9QwErTy7UiOp3AsDf5G', expiresAt: new Date(Date.now() - 1000).toISOString() };
    writeFileSync(cli.file('answer'), JSON.stringify(answer));
    const TOKEN_COMMAND = cli.tokenCommand(`const has = validity === 'valid' && scopes.length === 19;
console.log(has ? readFileSync('answer', 'utf8') : '{"unsupported": "not here"}');`);
    const env = { TARGET_BASE_URL, USER_TOKEN_SEARCH, TOKEN_COMMAND, CONFORMANCE_CLAIMS: 'user' };
    const { code, output } = await cli.run(env, ['--only', 'search/USER/valid/all/**', '--only', 'nothing-found']);
    expect(output).toContain(
      'after a token had expired during the run, and decide nothing: use tokens that live longer',
    );
    expect(output).toContain('401 to TOKEN_COMMAND USER valid all, which expired at ');
    // Of the check too.
    expect(output).toContain('during the run, where a search for a made-up word');
    expect(output).not.toContain('F1 ');
    expect(code).toBe(3);
  });

  test.each([
    ['a case', 'search/USER/expired/all/act-as:absent/auth-type:absent', ['expired 19', 'valid 19']],
    ['a case without a token', 'search/none/act-as:absent/auth-type:absent', ['valid 19']],
    ['a tampered token', 'chat/USER/tampered/all/act-as:absent/auth-type:absent', ['valid 19']],
  ])('is asked only for the tokens that a replay of %s can use', async (_what, id, asked) => {
    const { TARGET_BASE_URL, ...rest } = await cli.plain();
    const table = Object.fromEntries(['', '_EXPIRED'].map((suffix) => [suffix, rest[`USER_TOKEN${suffix}`]]));
    const TOKEN_COMMAND = cli.tokenCommand(`appendFileSync('asked', validity + ' ' + scopes.length + '\\n');
const token = ${JSON.stringify(table)}[validity === 'expired' ? '_EXPIRED' : ''];
console.log(JSON.stringify({ token }));`);
    const env = { TARGET_BASE_URL, TOKEN_COMMAND, CONFORMANCE_CLAIMS: 'user global' };
    const { code, output } = await cli.command(['replay', id], env);
    expect(output).toContain('does not fail');
    expect(cli.text('asked').trim().split('\n').sort()).toEqual(asked);
    expect(code).toBe(0);
  });

  test('that hangs is stopped by Ctrl-C, before anything is sent', async () => {
    let connected: (socket: Socket) => void = () => undefined;
    const connection = new Promise<Socket>((resolve) => (connected = resolve));
    const { url, close } = await serveSocket((socket) => connected(socket.resume()));
    const program = `require('node:net').connect(${new URL(url).port}, '127.0.0.1')`;
    const { child, ended } = cli.start(['run'], await minting(`"${process.execPath}" -e "${program}"; echo done`));
    const gone = once(await connection, 'close');
    child.kill('SIGINT');
    await Promise.all([gone, ended]);
    expect(child.signalCode).toBe('SIGINT');
    await close();
  });
});

test.each([
  'not JSON f3q8Zk1LmN0pR5sTuV7w',
  '[]',
  '{"token": 7}',
  '',
  '{"token": ""}',
  '{"token": "f3q8Zk1LmN0pR5sTuV7w", "expiresAt": 1798761599}',
  '{"token": "f3q8Zk1LmN0pR5sTuV7w", "expiresAt": "tomorrow"}',
])('a TOKEN_COMMAND that writes %j ends the run with exit 2, and its output is not shown', async (written) => {
  const command = cli.tokenCommand(`process.stdout.write(${JSON.stringify(written)})`);
  const { code, output } = await cli.run(await minting(command));
  expect(output).toMatch(/^configuration error\n {2}TOKEN_COMMAND: line 1 of its output for USER [^\n]+\n$/);
  expect(output).not.toContain('f3q8');
  expect(code).toBe(2);
});
