import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isCommandLine } from '../record/journal.ts';
import { createRedactor, noRedactor } from '../record/redact.ts';
import { curlOf, shownLine } from './check-curl.ts';

const hasBash = spawnSync('bash', ['-c', 'exit 0']).status === 0;

/** What curl gets when a person pastes the line into an interactive bash, after another command; into sh without bash. */
function pasted(line: string): readonly string[] {
  const [shell, ...flags] = hasBash ? ['bash', '--norc', '--noprofile', '-i'] : ['sh'];
  const history = hasBash ? ['set -o history -o histexpand'] : [];
  const lines = [...history, 'curl() { printf "<%s>\\n" "$@"; }', ': the last command', line, ''];
  const { stdout } = spawnSync(shell, flags, { input: lines.join('\n'), encoding: 'utf8' });
  return [...stdout.matchAll(/<(.*)>/g)].map(([, argument = '']) => argument);
}

test.each(['/!!', '/a!b?c=!:0', '/[1-1000000]', '/{a,b}?c={d,e}', '/$HOME`id`"\\', '/!$(id)'])(
  'a line with the path %s, which a target chose, sends one request there and nothing else',
  (path) => {
    const request = { method: 'GET', path, headers: [['X-!!', '!$']] as const, body: '{"a":"!!"}' };
    const line = curlOf(request, {
      baseUrl: 'https://login.example',
      extraHeaders: [['X-!-2', '']],
      shown: [],
      redactor: noRedactor,
    });
    const sent = pasted(line);
    expect(sent).toContain(`https://login.example${path}`);
    expect(sent).toContain('X-!!: !$');
    expect(sent).toContain('{"a":"!!"}');
    expect(sent).toContain('X-!-2: <its value in CONFORMANCE_EXTRA_HEADERS>');
    expect(sent.includes('-g')).toBe(/[[{]/.test(path));
    expect(sent.join('\n')).not.toContain('the last command');
    // An interactive bash replaces a ! wherever it is, except between single quotes.
    expect(line.replace(/'[^']*'/g, '')).not.toContain('!');
  },
);

test.skipIf(!hasBash)('a line shows what cannot be seen, and bash sends its bytes in any locale', () => {
  const headers = ['a \t', 'b\xa0', 'c\xe2\x80\x8b'].map((value) => ['X-A', value] as const);
  const body = '\ufeff{"a":"\u3000é##[b]"}\r\n';
  const line = curlOf(
    { method: 'POST', path: '/a', headers, body },
    { extraHeaders: [], shown: [], redactor: noRedactor },
  );
  expect(line).toMatch(/^[ -~é]+$/);
  expect(isCommandLine(line)).toBe(true);
  const { stdout } = spawnSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`], { env: { LC_ALL: 'C' } });
  const sent = stdout.toString('latin1').split('\0');
  for (const [name, value] of headers) expect(sent).toContain(`${name}: ${value}`);
  expect(sent).toContain(Buffer.from(body).toString('latin1'));
});

test('a line for an address that a target chose is one of ours, unless it would run something', () => {
  const lineFor = (path: string) =>
    curlOf(
      { method: 'GET', path, headers: [], body: undefined },
      { baseUrl: 'https://[::1]:8', extraHeaders: [], shown: [], redactor: noRedactor },
    );
  expect(isCommandLine(lineFor('/!!/[1-9]?{a,b}'))).toBe(true);
  expect(isCommandLine(lineFor('/$(id)'))).toBe(false);
});

test('a line that shows a secret in pieces, in a header and in the body, is left out', () => {
  const redactor = createRedactor();
  redactor.add('USER_TOKEN', 'q7Zt41KpXw9mB2vLc8Rd');
  const headers = [['X-One', 'q7-Zt-41-Kp-X']] as const;
  const line = curlOf(
    { method: 'POST', path: '/a', headers, body: '9_m_B_2_v_L_c_8' },
    { extraHeaders: [], shown: [], redactor },
  );
  expect(line).toContain('<left out: it shows USER_TOKEN in another form>');
  expect(isCommandLine(line)).toBe(false);
});

test('a line that is too long to be shown whole is not shown', () => {
  const request = { method: 'POST', path: '/a', headers: [['X-Long', 'x-'.repeat(3_000)]] as const, body: undefined };
  expect(curlOf(request, { extraHeaders: [], shown: [], redactor: noRedactor })).toBe('');
  expect(shownLine(noRedactor, `curl ${'x-'.repeat(3_000)}`)).toBe('');
});
