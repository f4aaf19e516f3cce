import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain-answers.ts';
import { replaceCheck } from '../fixtures/plain-checks.ts';
import { mintPlainTokens } from '../fixtures/plain-mint.ts';
import { plainOperations } from '../fixtures/plain-request.ts';
import { type PlainOptions, type PlainTarget, startPlainTarget } from '../fixtures/plain-target.ts';
import { readJournal } from '../harness/journal.ts';
import { loadContract } from '../harness/load-contract.ts';
import { replay } from '../harness/replay.ts';

const main = resolve('dist/cli/main.js');
const tokens = mintPlainTokens(plainOperations);
const targets: PlainTarget[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => Promise.all(targets.map((target) => target.close())));

async function plain(options: PlainOptions = {}): Promise<Record<string, string>> {
  const target = await startPlainTarget({ tokens, ...options });
  targets.push(target);
  return target.env;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function start(
  env: Record<string, string | undefined>,
  args: readonly string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [main, 'run', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, output }))) };
}
const run = (env: Record<string, string | undefined>, args: readonly string[] = []) => start(env, args).ended;
const without = (env: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/** Waits until the run's journal holds so many lines; a count, not a time, since machines differ. */
async function journalHolds(lines: number): Promise<string> {
  const file = join(folder, 'conformance-report', 'journal.ndjson');
  while (!existsSync(file) || readFileSync(file, 'utf8').split('\n').length < lines)
    await new Promise((done) => setTimeout(done, 20));
  return file;
}

describe('a run against a base URL', () => {
  test('conforms with exit 0 against another implementation, and names what it claims', async () => {
    const { code, output } = await run(await plain());
    expect(output).toContain('conforms: user global oauth google azure okta onelogin scopes');
    expect(code).toBe(0);
  });

  test('reads its variables from .env', async () => {
    const env = await plain();
    writeFileSync(
      join(folder, '.env'),
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const { code, output } = await run({});
    expect(output).toContain('(.env)');
    expect(code).toBe(0);
  });

  test('is incomplete with exit 4 when a claimed kind lacks a token, and names the variable', async () => {
    const env = without(await plain(), 'USER_TOKEN_EXPIRED');
    const { code, output } = await run({ ...env, CONFORMANCE_CLAIMS: 'user global scopes' });
    expect(output).toMatch(/set USER_TOKEN_EXPIRED +to decide token\.expired/);
    expect(code).toBe(4);
  });

  test.each([
    ['a misspelt token variable', { USER_TOKN_SEARCH: 'x' }, [], 'USER_TOKEN_SEARCH'],
    ['an unknown depth', {}, ['--depth', 'cor'], 'did you mean core?'],
    ['an empty TARGET_BASE_URL', { TARGET_BASE_URL: '' }, [], 'TARGET_BASE_URL'],
    ['an unknown flag', {}, ['--dept', 'core'], 'Did you mean --depth?'],
  ])('ends with exit 2 for %s, with the likely meant name', async (_what, wrong, args, meant) => {
    const { code, output } = await run({ ...(await plain()), ...wrong }, args);
    expect(output).toContain(meant);
    expect(code).toBe(2);
  });

  test('ends at once with exit 3 when nobody listens', async () => {
    const { code, output } = await run({ ...tokens.env, TARGET_BASE_URL: 'http://127.0.0.1:9' });
    expect(output).toContain('nobody listens at http://127.0.0.1:9');
    expect(code).toBe(3);
  });

  test('deviates with exit 1, one cause and a curl line that shows it again', async () => {
    const broken = replaceCheck('token.expired', (request, original) =>
      request.record?.kind === 'USER' ? undefined : original(request),
    );
    const env = await plain({ checks: broken });
    const { code, output } = await run(env);
    expect(code).toBe(1);
    expect(output).toContain('One cause');
    expect(output).toMatch(/F1 fail token\.expired \(spec 3 and 7; stated\)/);
    const curl = /again +(curl .*)/.exec(output)?.[1] ?? '';
    const shown = await new Promise<string>((done) => {
      const shell = spawn('bash', ['-c', curl], { env: { PATH: process.env.PATH, ...env } });
      let text = '';
      shell.stdout.on('data', (chunk) => (text += chunk));
      shell.once('close', () => done(text));
    });
    expect(shown).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('TOKEN_COMMAND', () => {
  /** A command that answers from the minted tokens, and not for what they lack. */
  function command(): string {
    const table = Object.fromEntries(Object.entries(tokens.env).filter(([name]) => name.includes('_TOKEN')));
    writeFileSync(
      join(folder, 'mint.mjs'),
      `import { readFileSync } from 'node:fs';
const table = ${JSON.stringify(table)};
const { kind, scopes, validity } = JSON.parse(readFileSync(0, 'utf8'));
if (process.env.USER_TOKEN) process.exit(9);
const suffix = { valid: scopes.length === 1 ? (table[kind + '_TOKEN_' + scopes[0]] ? '_' + scopes[0] : '_UNSCOPED') : scopes.length === 19 ? '' : '?', expired: scopes.length === 19 ? '_EXPIRED' : '?', 'future-expiry': '_FUTURE_EXPIRY' }[validity] ?? '?';
const token = table[kind + '_TOKEN' + suffix];
console.log(JSON.stringify(token ? { token } : { unsupported: 'no such token here' }));
`,
    );
    return `${process.execPath} mint.mjs`;
  }

  test('mints what the variables lack, sees none of the secrets, and says what it cannot make', async () => {
    const { TARGET_BASE_URL, USER_TOKEN, ACT_AS_EMAIL, USER_EMAIL, ...rest } = await plain();
    const markers = Object.fromEntries(Object.entries(rest).filter(([name]) => name.includes('_PRIVATE_')));
    const { code, output } = await run({
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

  test('that fails leaves what is claimed not testable, and shows nothing that it printed', async () => {
    const { TARGET_BASE_URL, USER_TOKEN } = await plain();
    const { code, output } = await run({
      TARGET_BASE_URL,
      USER_TOKEN,
      TOKEN_COMMAND: 'echo top-secret-token-material; exit 3',
      CONFORMANCE_CLAIMS: 'user',
    });
    expect(output).toContain('TOKEN_COMMAND ended with code 3');
    expect(output).not.toContain('top-secret');
    expect(code).toBe(4);
  });
});

describe('a target in trouble', () => {
  test('that stops in the middle of a run leaves it inconclusive with exit 3, and nothing undecided counted', async () => {
    let answered = 0;
    const target = await startPlainTarget({
      tokens,
      send: (reply, response) => {
        answered += 1;
        if (answered === 150) void target.close();
        send(reply, response);
      },
    });
    const { code, output } = await run(target.env, ['--claims', 'user global']);
    expect(output).toContain('stopped: the target gave no answer');
    expect(output).toMatch(/[1-9]\d* inconclusive/);
    expect(output).not.toMatch(/\d fail/);
    expect(code).toBe(3);
  });

  test('that answers 429 now and then is waited out', async () => {
    let count = 0;
    const env = await plain({
      send: (reply, response) => {
        count += 1;
        if (count % 90 !== 0) return send(reply, response);
        send({ status: 429, headers: { 'Retry-After': '0' }, body: '' }, response);
      },
    });
    const { code, output } = await run(env);
    expect(output).toContain('conforms');
    expect(code).toBe(0);
  });

  test('that answers 502 to one cell only, every time, is judged', async () => {
    const env = await plain({
      checks: replaceCheck('act-as.missing', (request, original) =>
        original(request) && request.operation?.scope === 'SEARCH'
          ? { status: 502, message: 'Bad gateway' }
          : original(request),
      ),
    });
    const { code, output } = await run(env, ['--claims', 'user global']);
    expect(output).toMatch(/F1 fail act-as\./);
    expect(code).toBe(1);
  });
});

describe('what a run leaves behind', () => {
  test('holds no secret, nor 12 characters of one', async () => {
    const env = await plain({
      render: ({ status, message = '' }, request) => ({
        status,
        headers: { 'Content-Type': 'text/plain', 'WWW-Authenticate': `Bearer token="${request.token}"` },
        body: `${message}\n${JSON.stringify(request.rawHeaders)}`,
      }),
    });
    const { output } = await run(env, ['--depth', 'core']);
    const written = readdirSync(join(folder, 'conformance-report')).map((file) =>
      readFileSync(join(folder, 'conformance-report', file), 'utf8'),
    );
    const secrets = Object.entries(env).filter(([name]) => name.includes('_TOKEN') || name.includes('_PRIVATE_'));
    const text = [output, ...written].join('\n');
    const shared = new Set(Array.from({ length: text.length }, (_, index) => text.slice(index, index + 12)));
    const leaked = secrets.filter(([, secret]) => {
      const runs = Array.from({ length: Math.max(1, secret.length - 11) }, (_, index) =>
        secret.slice(index, index + 12),
      );
      return runs.some((run) => shared.has(run));
    });
    expect(leaked.map(([name]) => name)).toEqual([]);
    expect(written.join('').length).toBeGreaterThan(10_000);
  });

  test('after kill -9 judges to what was decided until then', async () => {
    const env = await plain();
    const { child, ended } = start(env, ['--depth', 'full', '--rate', '400']);
    const file = await journalHolds(200);
    child.kill('SIGKILL');
    await ended;
    const { conclusion, ended: wroteItsEnd } = replay(await loadContract(), readJournal(file));
    const count = (verdict: string) => conclusion.verdicts.filter((found) => found.verdict === verdict).length;
    expect(wroteItsEnd).toBe(false);
    expect(conclusion.ending).toBe('inconclusive');
    expect(count('fail')).toBe(0);
    expect(count('pass')).toBeGreaterThan(50);
    expect(count('inconclusive')).toBeGreaterThan(1000);
  });

  test('after Ctrl-C is a report, with exit 130', async () => {
    const env = await plain();
    const { child, ended } = start(env, ['--depth', 'full', '--rate', '300']);
    await journalHolds(100);
    child.kill('SIGINT');
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).toContain('stopped: interrupted');
    expect(JSON.parse(readFileSync(join(folder, 'conformance-report', 'report.json'), 'utf8')).ending).toBe(
      'inconclusive',
    );
  });
});
