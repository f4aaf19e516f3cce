import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Asked, STEPS, type Steps, startTickets } from '../suites/testing/tickets-server.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

const KEYS = `
name: keys
credential: { query: key }
operations: { list: { request: GET /api/me } }
kinds: { KEY: { made: "Settings, Keys", never: { expired: a key has no date } } }
`;

/** A server that takes expired tokens, and its variables. */
async function startFaulty() {
  const { env, close } = await startTickets({ expired: () => undefined });
  onTestFinished(close);
  return { ...env, CONFORMANCE_CONTRACT: 'tickets.yaml' };
}

/** The server without any step for some requests. */
const except = (isLifted: (asked: Asked) => boolean, names = Object.keys(STEPS) as (keyof Steps)[]) =>
  Object.fromEntries(names.map((name) => [name, (asked: Asked) => (isLifted(asked) ? undefined : STEPS[name](asked))]));
const ACTING: (keyof Steps)[] = ['switching', 'unknown', 'loses'];
const lifted = except(({ headers }) => headers['x-real-ip'] === '127.0.0.1');
const misspelt = except(({ names }) => !names.includes('X-Switch-User'), ACTING);
const unread = except(() => true, ACTING);

describe('with a contract of your own', () => {
  beforeEach(() => {
    for (const name of ['tickets.yaml', 'tickets.openapi.yaml'])
      cpSync(join('fixtures', 'contracts', name), cli.file(name));
    writeFileSync(cli.file('keys.yaml'), KEYS);
  });

  test.each<readonly [fault: string, blamed: RegExp, how: Parameters<typeof startTickets>]>([
    [
      'a header that lifts every refusal',
      /^F1 fail (?=.*token\.expired)(?=.*scope\.list)(?=.*act-as\.rights)/m,
      [lifted],
    ],
    ['another status for what nobody issued', /^F1 fail token\.unknown.* token\.tampered/m, [{}, undefined, 403]],
    ['a name that is read in one letter case only', /^F1 fail headers\.case/m, [misspelt]],
    ['a name that nothing reads', /^F1 fail act-as\.unknown/m, [unread, ({ token }) => token.owner]],
  ])('%s is one cause', async (_fault, blamed, how) => {
    const { env, close } = await startTickets(...how);
    onTestFinished(close);
    const { output, code } = await cli.command(['run'], { ...env, CONFORMANCE_CONTRACT: 'tickets.yaml' });
    expect(output).toMatch(/^One cause$/m);
    expect(output).toMatch(blamed);
    expect(code).toBe(1);
  });

  test('a header that lets a kind reach what it may not is found', async () => {
    const reached = `
name: reached
credential: "Authorization: Bearer {token}"
operations: { me: { request: GET /api/me }, list: { request: GET /api/projects/demo/tickets, by: ADMIN } }
kinds:
  PERSONAL: { made: "Your profile, Access tokens" }
  ADMIN: { made: "Administration, Service tokens" }
`;
    writeFileSync(cli.file('reached.yaml'), reached);
    const scopes = ({ token, path, headers }: Asked) =>
      token.kind === 'PERSONAL' && path.endsWith('/tickets') && headers['x-real-ip'] !== '127.0.0.1' ? 403 : undefined;
    const { env, close } = await startTickets({ ...unread, scopes });
    onTestFinished(close);
    const { output } = await cli.command(['run'], { ...env, CONFORMANCE_CONTRACT: 'reached.yaml' });
    expect(output).toMatch(/^One cause\nF1 fail reach\.list/m);
  });

  test('every command reads the report of a run, and speaks of that contract', async () => {
    const env = await startFaulty();
    const expectOf = async (args: readonly string[], code: number, ...texts: readonly (string | RegExp)[]) => {
      const ended = await cli.command(args, env);
      for (const text of texts) expect(ended.output).toMatch(text);
      expect(ended.output).not.toMatch(/client API|X-Service|configuration error/);
      expect(ended.code, ended.output).toBe(code);
    };
    await expectOf(
      ['run', '--no-intrusive', '--write-baseline', 'known.yaml'],
      1,
      /One cause\nF1 fail token\.expired/,
      /deviates from tickets \(own contract [0-9a-f]{16}\)/,
      /known\.yaml/,
    );
    await expectOf(['explain', 'F1'], 0, /token\.expired/, /PERSONAL_TOKEN_EXPIRED/);
    await expectOf(['explain', 'token.expired'], 0, /after its expiry/);
    await expectOf(['explain', 'kind'], 0, /a kind of token: PERSONAL, ADMIN/);
    await expectOf(['explain', 'PERSONAL'], 0, /Your profile, Access tokens/);
    await expectOf(['explain', 'operation'], 0, /an endpoint of the API: me, list, find/);
    await expectOf(['explain', cli.report().findings[0]?.example ?? ''], 0, /Recorded: \d+ requests/);
    await expectOf(['replay', 'F1'], 1, /me\/PERSONAL\/expired\S*: wanted 401/);
    await expectOf(['report'], 1, /deviates from tickets/);
    const ofOurs = { ...env, CONFORMANCE_CONTRACT: undefined };
    const replayed = await cli.command(['replay', 'F1'], ofOurs);
    expect(replayed.output).toMatch(/F1 was found under own contract tickets, .*; name that contract with --contract/);
    expect(replayed.code).toBe(2);
    expect((await cli.command(['report'], ofOurs)).output).toContain('name the contract of that run with --contract');
    for (const at of [1, 2]) {
      const shard = ['--shard', `${at}/2`, '--run', 'shards', '--report-dir', `shard-${at}`];
      expect((await cli.run(env, shard)).output).toContain('tickets (own contract');
    }
    await expectOf(['merge', 'shard-1', 'shard-2', '--report-dir', 'merged'], 1, /deviates from tickets/);
    await expectOf(['run', '--no-intrusive', '--baseline', 'known.yaml'], 0, /conforms/);
    await expectOf(['compare', 'conformance-report', 'conformance-report'], 0);
    await expectOf(['statement'], 0, /statement\.html/);
    await expectOf(['verify', 'conformance-report'], 0, /holds/);
    const statement = cli.text('conformance-report', 'statement.html');
    expect(statement).toContain('tickets');
    expect(statement).not.toMatch(/client API/i);
  });

  test('a contract without people, scopes and headers is read back, too', async () => {
    const { env, close } = await startTickets();
    onTestFinished(close);
    const variables = {
      TARGET_BASE_URL: env.TARGET_BASE_URL,
      KEY_TOKEN: 'a-token-of-nobody',
      CONFORMANCE_CONTRACT: 'keys.yaml',
    };
    await cli.run(variables);
    const { code, output } = await cli.command(['report'], variables);
    expect(output).toMatch(/keys \(own contract/);
    expect(output).not.toContain('configuration error');
    expect(code).toBe(3);
  });

  test.each(['plan', 'run'])(
    '%s without a target names what is missing, and never tests the reference service',
    async (name) => {
      const env = { CONFORMANCE_CONTRACT: 'keys.yaml' };
      const { code, output } = await cli.command([name], env);
      expect(output).toMatch(/TARGET_BASE_URL is missing: set it to the implementation to test$/m);
      expect(code).toBe(2);
      const windows = await cli.command([name], { CONFORMANCE_CONTRACT: 'keys.yaml\r' });
      expect(windows.output).toMatch(/CONFORMANCE_CONTRACT: wanted a value, .*Windows line ends/);
      const embedded = await cli.command([name, '--embedded'], env);
      expect(embedded.output).toContain('keeps the client API, and not keys');
      expect(embedded.code).toBe(2);
    },
  );
});
