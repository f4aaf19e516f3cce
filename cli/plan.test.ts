import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { serveHttp } from '../harness/testing/local-server.ts';
import { acceptsExpired, commandLine, without } from './testing/command-line.ts';

const cli = commandLine();

describe('plan', () => {
  test('takes a token with any sign for one token', async () => {
    const decided = async (token: string) => {
      const env = { ...(await cli.plain()), USER_TOKEN: token, CONFORMANCE_CLAIMS: 'user' };
      return JSON.parse((await cli.command(['plan', '--json'], env)).output).requirements;
    };
    expect(await decided('f3q8Zk1L;mN0pR5s')).toEqual(await decided('f3q8Zk1LxmN0pR5s'));
  });

  test('shows what a run would decide and which variable to add, sends nothing and writes nothing', async () => {
    let requests = 0;
    const server = await serveHttp((_, response) => {
      requests += 1;
      response.end();
    });
    const env = {
      ...without(await cli.plain(), 'USER_TOKEN_EXPIRED', 'USER_TOKEN_EXPIRED_UNSCOPED'),
      TARGET_BASE_URL: server.url,
      CONFORMANCE_CLAIMS: 'user',
    };
    const { code, output } = await cli.command(['plan', '--rate', '10'], env);
    await server.close();
    expect(output).toMatch(/\? \d+ of \d+ requirements can be decided with the variables that are set/);
    expect(output).toMatch(
      /add USER_TOKEN_EXPIRED\n +decides more on chat\/USER, search\/USER; completes 1 requirement: token\.expired/,
    );
    expect(output).toMatch(/duration +about .* at 10 requests a second/);
    expect(output).toMatch(/127\.0\.0\.1:\d+ +USER_TOKEN, /);
    expect([code, requests, readdirSync(cli.folder)]).toEqual([0, 0, []]);
  });

  test('names the host of the remote MCP server, and which tokens only that gets', async () => {
    const token = 'only-the-remote-mcp-server-gets-this-token';
    const env = { ...(await cli.plain()), MCP_URL: 'https://mcp.example/mcp', OAUTH_MCP_TOKEN: token };
    const { output } = await cli.command(['plan', '--json', '--claims', 'user oauth mcp'], env);
    const [api, mcp] = JSON.parse(output).hosts;
    expect(mcp).toMatchObject({
      host: 'mcp.example',
      variables: expect.arrayContaining(['OAUTH_MCP_TOKEN', 'USER_TOKEN']),
    });
    expect(api.variables).not.toContain('OAUTH_MCP_TOKEN');
    expect(output).not.toContain(token);
  });

  test('names only variables that the run sends: no token of a kind that is not claimed, and no marker', async () => {
    const env = { ...(await cli.plain()), CONFORMANCE_EXTRA_HEADERS: '{"X-Gateway":"open-sesame"}' };
    const hosts = async (...flags: readonly string[]) =>
      JSON.parse((await cli.command(['plan', '--json', '--claims', 'user', ...flags], env)).output).hosts[0].variables;
    const all: string[] = await hosts();
    expect(all.filter((name) => name.includes('_TOKEN') && !name.startsWith('USER_TOKEN'))).toEqual([]);
    const others = ['USER_TOKEN', 'USER_TOKEN_PINS', 'ACT_AS_EMAIL', 'USER_PRIVATE_QUERY', 'CONFORMANCE_EXTRA_HEADERS'];
    expect(all).toEqual(expect.arrayContaining(others));
    expect(all).not.toContain('USER_PRIVATE_MARKER');
    const few: string[] = await hosts('--only', 'search/USER/expired/**');
    expect(few).toEqual(expect.arrayContaining(['USER_TOKEN', 'USER_TOKEN_EXPIRED', 'CONFORMANCE_EXTRA_HEADERS']));
    expect(few).not.toContain('USER_TOKEN_PINS');
  });

  test('predicts the requests and cases of a run with the same flags', async () => {
    const env = { ...(await cli.plain()), CONFORMANCE_CLAIMS: 'user global' };
    const flags = ['--only', 'search/**', '--depth', 'core'];
    const planned = JSON.parse((await cli.command(['plan', '--json', ...flags], env)).output);
    expect((await cli.run(env, flags)).code).toBe(0);
    const { counts } = cli.report();
    expect(planned.cases).toBe(counts.planned);
    expect(planned.matrix.requests / counts.requests).toBeGreaterThan(0.9);
    expect(planned.matrix.requests / counts.requests).toBeLessThan(1.1);
    expect(planned).toMatchObject({ planVersion: 1, next: [], rate: null });
    expect(planned.narrowed).toBe('--only search/**');
  });

  test('predicts the cases of a run that deviates, which tells them from those that it sent beyond its plan', async () => {
    const env = { ...(await cli.plain(acceptsExpired)), CONFORMANCE_CLAIMS: 'user' };
    const flags = ['--depth', 'core'];
    const planned = JSON.parse((await cli.command(['plan', '--json', ...flags], env)).output);
    const { code, output } = await cli.run(env, flags);
    expect(code).toBe(1);
    const { counts, cases } = cli.report();
    expect(counts.planned).toBe(planned.cases);
    expect(counts.further).toBeGreaterThan(0);
    expect(cases.filter(({ sent }) => sent)).toHaveLength(counts.planned + counts.further);
    expect(output).toContain(`${counts.planned} planned, ${counts.further} more to find conditions, `);
  });

  test('shows the same counts as a run: cases, groups, checks, claimed requirements, and what it sees', async () => {
    const all = await cli.plain();
    const { TARGET_BASE_URL, USER_EMAIL, USER_TOKEN } = all;
    const lacking = without(all, 'USER_TOKEN_EXPIRED', 'USER_TOKEN_EXPIRED_UNSCOPED');
    for (const [flag, set] of [
      ['--intrusive', lacking],
      ['--no-intrusive', { TARGET_BASE_URL, USER_EMAIL, USER_TOKEN }],
    ] as const) {
      const env = { ...set, CONFORMANCE_CLAIMS: 'user' };
      const [plan, run] = [await cli.command(['plan', flag], env), await cli.run(env, [flag])];
      const [counts] = /\d+ cases in \d+ groups and \d+ checks at depth core/.exec(plan.output) ?? ['nothing'];
      expect(run.output).toContain(counts);
      const seen = plan.output.match(/\d+ % of faults .* \(of .*\)/g);
      expect(seen).toHaveLength(2);
      expect(run.output.match(/\d+ % of faults .* \(of .*\)/g)).toEqual(seen);
      const [, decidable, claimed] = /\? (\d+) of (\d+) requirements can be decided/.exec(plan.output) ?? [];
      expect(run.output).toMatch(new RegExp(`requirements +${decidable} of ${claimed} claimed are decided`));
    }
  });

  test('has no tick above a warning: a chat budget that is too small', async () => {
    const env = { ...(await cli.plain()), TARGET_BASE_URL: 'https://staging.example', CONFORMANCE_CLAIMS: 'user' };
    const enough = await cli.command(['plan'], env);
    expect(enough.output).toMatch(/^✔ \d+ of \d+ requirements can be decided/m);
    expect(enough.output).toMatch(/chats +\d+ accepted \(budget: \d+\)/);
    const few = await cli.command(['plan'], { ...env, CONFORMANCE_CHAT_BUDGET: '5' });
    expect(few.output).toMatch(/^! \d+ of \d+ requirements can be decided/m);
    expect(few.output).toMatch(/! The chat budget is too small.*CONFORMANCE_CHAT_BUDGET=\d+ is enough/);
    expect(few.output).not.toContain('✔');
  });
});
