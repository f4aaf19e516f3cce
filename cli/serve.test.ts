import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

const main = resolve('dist/cli/main.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Served {
  readonly output: string;
  /** Undefined while it runs. */
  readonly code: number | null | undefined;
  end(): Promise<number | null>;
}

/** Starts the service and waits until it is ready, or has ended. */
async function serve(args: readonly string[], env: Record<string, string> = {}): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
  });
  let output = '';
  let code: number | null | undefined;
  const ended = new Promise<number | null>((done) => child.once('close', done));
  await new Promise<void>((ready) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C ends it.')) ready();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', (status) => {
      code = status;
      ready();
    });
  });
  const end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  onTestFinished(async () => void (await end()));
  return { output, code, end };
}

test('keeps its data in a file, says where, and brings its people once', async () => {
  const first = await serve([]);
  const file = join(folder, 'client-api.db');
  expect(first.output).toContain('new, with the people and documents of Alder & Finch');
  expect(first.output).toContain(file);
  expect(first.output).toMatch(/grace@alder-finch\.example +super-admin/);
  expect(await first.end()).toBe(0);
  expect(existsSync(file)).toBe(true);
  const again = await serve([]);
  expect(again.output).not.toContain('new, with');
  expect(again.output).toMatch(/grace@alder-finch\.example +super-admin/);
});

test('keeps nothing when DATABASE_URL says so', async () => {
  const { output } = await serve([], { DATABASE_URL: ':memory:' });
  expect(output).toContain('in memory, gone at the end');
  expect(existsSync(join(folder, 'client-api.db'))).toBe(false);
});

test('writes every variable for a run, and prints none of the tokens', async () => {
  const { output } = await serve(['--write-env', '.env']);
  const file = join(folder, '.env');
  const tokens = [...readFileSync(file, 'utf8').matchAll(/^\w+_TOKEN\w*=(.*)$/gm)].map(([, token]) => token ?? '');
  expect(tokens.length).toBeGreaterThan(70);
  expect(tokens.filter((token) => output.includes(token))).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const pasted = output.split('\n').find((line) => line.includes('curl')) ?? '';
  expect(JSON.parse(execFileSync('sh', ['-c', pasted], { encoding: 'utf8' }))).toMatchObject({
    results: [{ title: 'About this service' }],
  });
  expect((await serve(['--write-env', '.env'])).output).toContain('never overwritten');
});

test.each([
  ['an address that is no database', () => 'postgres://somewhere', /wanted "file:<path>" or ":memory:"/],
  ['a folder that is not there', () => `file:${join(folder, 'none', 'x.db')}`, /is its folder there, and writable/],
  [
    'a file that is no database',
    () => {
      writeFileSync(join(folder, 'x.db'), 'no database'.repeat(100));
      return `file:${join(folder, 'x.db')}`;
    },
    /cannot open the database/,
  ],
])('ends with one line about %s', async (_name, url, said) => {
  const { output, code } = await serve([], { DATABASE_URL: url() });
  expect(output).toMatch(said);
  expect(output.trim().split('\n')).toHaveLength(2);
  expect(code).toBe(2);
});

test('ends with one line about a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((ready) => taken.once('listening', ready));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const { output, code } = await serve(['--port', String(port)]);
  expect(output).toContain(`cannot listen on port ${port} (EADDRINUSE)`);
  expect(code).toBe(2);
});
