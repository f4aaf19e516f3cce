import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { at, client, signedIn } from '../service/testing/client.ts';
import { commandLine } from './testing/command-line.ts';

const run = promisify(execFile);
const cli = commandLine();

interface Served {
  /** What it printed until it was ready. */
  readonly output: string;
  /** What it has printed until now. */
  allOutput(): string;
  /** Its exit code; undefined while it runs. */
  readonly code: number | null | undefined;
  end(): Promise<number | null>;
}

/** Tries to start the service where something prevents it. */
const refused = (args: readonly string[], env: Record<string, string> = {}) =>
  cli.command(['serve', '--port', '0', ...args], env);

/** Starts the service and waits until it is ready, or has ended. */
async function serve(args: readonly string[], env: Record<string, string> = {}, uid?: number): Promise<Served> {
  const { child, ended } = cli.start(['serve', '--port', '0', ...args], env, uid);
  let output = '';
  let code: number | null | undefined;
  await new Promise<void>((ready) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Press Ctrl-C to stop it.')) ready();
      });
    child.once('close', (status) => {
      code = status;
      ready();
    });
  });
  const end = async () => {
    child.kill('SIGTERM');
    return (await ended).code;
  };
  onTestFinished(async () => void (await end()));
  return { output, allOutput: () => output, code, end };
}

/** The value of a row of the output. */
const row = ({ output }: Served, name: string) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1] ?? '';
const pasted = async (line: string) => (await run('sh', ['-c', line])).stdout;

test('keeps its data in a file: a token that a printed person creates gets 200 before and after a restart', async () => {
  const first = await serve([]);
  const file = cli.file('client-api.db');
  expect(first.output).toContain('with a new database: people and documents of Alder & Finch');
  expect(first.output).toContain(file);
  expect(first.output).toMatch(/grace@alder-finch\.example +super-admin/);
  const apiUrl = row(first, 'client API');
  expect(row(first, 'admin console')).toBe(`${apiUrl}/admin`);
  const grace = await signedIn({ apiUrl }, 'grace', '/admin', row(first, 'password'));
  const fields = { description: 'First try', permission: 'USER', userEmail: at('grace'), scopes: 'SEARCH', form: '1' };
  const { text } = await grace.post('/admin/tokens', fields);
  const line =
    /<code id="curl">([^<]+)/.exec(text)?.[1]?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)) ?? '';
  expect(await pasted(line)).toMatch(/^HTTP\/1\.1 200 [\s\S]*Travel policy/);
  expect(await first.end()).toBe(0);
  expect(existsSync(file)).toBe(true);

  const again = await serve([]);
  expect(again.output).not.toContain('with a new database');
  expect(again.output).toMatch(/grace@alder-finch\.example +super-admin/);
  const there = row(again, 'client API');
  expect(await pasted(line.replace(apiUrl, there))).toMatch(/^HTTP\/1\.1 200 /);
  // The new password ended the session.
  const returned = client({ apiUrl: there });
  for (const [name, value] of grace.cookies) returned.cookies.set(name, value);
  expect((await returned.once('/admin')).status).toBe(303);
  expect(row(again, 'password')).not.toBe(row(first, 'password'));
  const signedInAgain = await signedIn({ apiUrl: there }, 'grace', '/admin', row(again, 'password'));
  expect(signedInAgain.page.text).toContain('First try');
});

test('in memory keeps no data, reports that it is ready, logs its answers, and ends with exit 0 when it is stopped', async () => {
  const served = await serve([], { DATABASE_URL: ':memory:' });
  expect(served.output).toContain('in memory; lost when the service stops');
  expect(existsSync(cli.file('client-api.db'))).toBe(false);
  const apiUrl = row(served, 'client API');
  expect(await (await fetch(`${apiUrl}/ready`)).json()).toEqual({ status: 'ready' });
  const { status } = await fetch(`${apiUrl}/rest/api/v1/search`, { method: 'POST' });
  expect(status).toBe(401);
  expect(await served.end()).toBe(0);
  const lines = served
    .allOutput()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'refused', reason: 'no-token' },
    { msg: 'answered', status: 401 },
  ]);
});

test('writes every variable for a run to a file, and prints no token', async () => {
  const { output } = await serve(['--write-env', '.env']);
  const file = cli.file('.env');
  const tokens = [...readFileSync(file, 'utf8').matchAll(/^\w+_TOKEN\w*=(.*)$/gm)].map(([, token]) => token ?? '');
  expect(tokens.length).toBeGreaterThan(70);
  expect(tokens.filter((token) => output.includes(token))).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const line = output.split('\n').find((text) => text.includes('curl')) ?? '';
  expect(JSON.parse(await pasted(line))).toMatchObject({
    results: [{ title: 'About this service' }],
  });
  expect((await refused(['--write-env', '.env'])).output).toContain('never overwritten');
});

test('of a target names its console: a token that is created there gets 200 from the target', async () => {
  const served = await serve(['--write-env', '.env']);
  const [, site = ''] = /admin console +(\S+)\/admin/.exec(served.output) ?? [];
  const [, email = ''] = /(\S+@\S+) +super-admin/.exec(served.output) ?? [];
  const browser = client({ apiUrl: site });
  const form = await browser.get('/admin');
  const page = await browser.post(form.url.href, { email, password: row(served, 'password') });
  expect(page.text).toContain('Create');
  const fields = { description: 'First try', permission: 'USER', userEmail: email, scopes: 'SEARCH', form: '1' };
  const { text } = await browser.post('/admin/tokens', fields);
  const [, token = ''] = /Bearer ([\w-]+)/.exec(text) ?? [];
  const answer = await fetch(`${row(served, 'client API')}/rest/api/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"service"}',
  });
  expect(answer.status).toBe(200);
});

test('prints a line that tests the service with the written variables, in any folder', async () => {
  const { output } = await serve(['--write-env', 'other.env']);
  const line = output.split('\n').find((text) => text.trim().endsWith(' run)')) ?? '';
  const ended = await promisify(execFile)('sh', ['-c', line.replace(/ run\)$/, ' plan --no-intrusive)')], { cwd: '/' });
  expect(ended.stdout).toMatch(/✔ \d+ of \d+ requirements can be decided/);
});

test('refuses to write variables where no file can be made, before it starts', async () => {
  const { code, output } = await refused(['--write-env', 'missing/.env']);
  expect(code).toBe(2);
  expect(output).toContain('missing/.env cannot be written: its folder does not exist');
  writeFileSync(cli.file('file'), '');
  expect(await refused(['--write-env', 'file/.env'])).toMatchObject({ code: 2 });
});

test.each([
  ['an address that is not a database', () => 'postgres://somewhere', /wanted "file:<path>" or ":memory:"/],
  ['a missing folder', () => `file:${cli.file('none', 'x.db')}`, /check that its folder exists and is writable/],
  [
    'a file that is not a database',
    () => {
      writeFileSync(cli.file('x.db'), 'no database'.repeat(100));
      return `file:${cli.file('x.db')}`;
    },
    /names a file that is no database/,
  ],
])('ends with one line about %s', async (_name, url, message) => {
  const { output, code } = await refused([], { DATABASE_URL: url() });
  expect(output).toMatch(message);
  expect(output.trim().split('\n')).toHaveLength(2);
  expect(code).toBe(2);
});

test('encrypts its secrets with DATABASE_KEY, and ends with one line when the key is missing or wrong', async () => {
  const served = await serve([], { DATABASE_KEY: 'correct horse battery staple' });
  expect(served.output).toContain('its secrets encrypted');
  await served.end();
  for (const [env, said] of [
    [{}, 'The database is encrypted. Set DATABASE_KEY'],
    [{ DATABASE_KEY: 'another horse battery staple' }, 'DATABASE_KEY is not the key'],
  ] as const) {
    const { output, code } = await refused([], env);
    expect(output).toContain(said);
    expect(output.trim().split('\n')).toHaveLength(2);
    expect(code).toBe(2);
  }
  expect((await serve([], { DATABASE_KEY: 'correct horse battery staple' })).output).toContain(
    'Press Ctrl-C to stop it.',
  );
});

test('ends with one line about a read-only database', async () => {
  const file = cli.file('client-api.db');
  await (await serve([])).end();
  chmodSync(file, 0o444);
  chmodSync(cli.folder, 0o777);
  // Root can write to read-only files, so the service runs as the user nobody (65534) then.
  const { output, code } = await serve([], {}, process.getuid?.() === 0 ? 65_534 : undefined);
  expect(output).toContain('cannot open the database at DATABASE_URL (SQLITE_READONLY)');
  expect(output.trim().split('\n')).toHaveLength(2);
  expect(code).toBe(2);
});

test('ends with one line for each variable that is wrong or misspelt', async () => {
  const { output, code } = await refused([], { RATE_LIMIT: 'often', LOGLEVEL: 'info' });
  expect(output).toContain('RATE_LIMIT is "often", wanted a whole number');
  expect(output).toContain('the environment sets LOGLEVEL; did you mean LOG_LEVEL?');
  expect(output.trim().split('\n')).toHaveLength(3);
  expect(code).toBe(2);
});

test('ends with one line about identity providers that it cannot use', async () => {
  writeFileSync(cli.file('providers.yaml'), '- name: Okta');
  const { output, code } = await refused([], { IDENTITY_PROVIDERS: 'providers.yaml' });
  expect(output).toContain("IDENTITY_PROVIDERS: providers.yaml: /0 must have required property 'issuer'");
  expect(code).toBe(2);
});

test('ends with one line about a port that is taken, and leaves no database', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((ready) => taken.once('listening', ready));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const { output, code } = await refused(['--port', String(port)]);
  expect(output).toContain(`cannot listen on port ${port} (EADDRINUSE)`);
  expect(code).toBe(2);
  expect(readdirSync(cli.folder)).toEqual([]);
});
