import { existsSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answering } from '../fixtures/deviants/build.ts';
import { send } from '../fixtures/plain/answers.ts';
import type { PlainRequest } from '../fixtures/plain/request.ts';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { commandLine, tokens } from './testing/command-line.ts';

const cli = commandLine();

describe('a target in trouble', () => {
  test('that stops in the middle of a run leaves the run inconclusive with exit 3, without any failure', async () => {
    let answered = 0;
    const target = await startPlainTarget({
      tokens,
      send: (reply, response) => {
        answered += 1;
        if (answered === 150) void target.close();
        send(reply, response);
      },
    });
    const { code, output } = await cli.run(target.env, ['--claims', 'user global']);
    expect(output).toContain('stopped: the target gave no answer');
    expect(output).toMatch(/[1-9]\d* inconclusive/);
    expect(output).not.toMatch(/\d fail/);
    expect(code).toBe(3);
  });

  test('that sometimes answers 429 is waited for', async () => {
    let count = 0;
    const env = await cli.plain({
      send: (reply, response) => {
        count += 1;
        if (count % 90 !== 0) return send(reply, response);
        send({ status: 429, headers: { 'Retry-After': '0' }, body: '' }, response);
      },
    });
    const { code, output } = await cli.run(env, ['--claims', 'user']);
    expect(output).toContain('conforms');
    expect(code).toBe(0);
  });

  test('that answers 502 under one condition, every time, is judged', async () => {
    const isSearch = ({ operation }: PlainRequest) => operation?.scope === 'SEARCH';
    const broken = answering('act-as.missing', { status: 502, message: 'Bad gateway' }, isSearch);
    const env = await cli.plain(broken(() => {}));
    const { code, output } = await cli.run(env, ['--claims', 'global', '--only', 'search/**']);
    expect(output).toMatch(/F1 fail act-as\./);
    expect(code).toBe(1);
  });
});

test.runIf(existsSync('/proc/self'))(
  'a report folder that nobody can make ends the run with exit 2 and one line',
  async () => {
    const { code, output } = await cli.command(['run', '--report-dir', '/proc/none/report'], await cli.plain());
    expect(output).toMatch(
      /^configuration error\n {2}cannot write \/proc\/none\/report\/\S+ \(no such file or folder, ENOENT\); name another folder with .*--report-dir\n$/,
    );
    expect(code).toBe(2);
  },
);

/** What a run says that could not write its report. */
const NO_ROOM =
  /^cannot write\n.*report\.html \(.*, EFBIG\): once it can be written, write it again from the journal: npx --no -- client-api-conformance report conformance-report$/m;

describe('a full disk', () => {
  /** A limit on the size of a file, in blocks of 512 bytes, does what a full disk does. */
  const runWithin = (blocks: number, env: Record<string, string>, ...flags: readonly string[]) =>
    cli.limited(`ulimit -f ${Math.round(blocks)}`, ['run', '--claims', 'user', ...flags], env);
  const blocksOf = (file: string) => statSync(cli.file('conformance-report', file)).size / 512;

  test('ends a run, which prints what was decided until then', async () => {
    const { code, output } = await runWithin(8, await cli.plain());
    expect(output).toMatch(/stopped: cannot write .*journal\.ndjson any more \(.*, EFBIG\)/);
    expect(output).toMatch(NO_ROOM);
    expect(output).not.toContain('configuration error');
    expect(output).not.toContain('    at ');
    expect(code).toBe(2);
  });

  test('that has no room for the report does not prevent the summary on the terminal', async () => {
    const env = await cli.plain();
    // The page has a least size. The journal of a few cases is smaller.
    const few = ['--only', 'search/USER/**'];
    await cli.run(env, ['--claims', 'user', ...few]);
    const between = (blocksOf('journal.ndjson') + blocksOf('report.html')) / 2;
    const { code, output } = await runWithin(between, env, ...few);
    expect(output).toMatch(/cases +\d+ planned/);
    // The run ends with another code than its report would say.
    expect(output).toContain('partial: nothing deviates\n');
    expect(output).not.toContain('exit code');
    expect(output).toMatch(NO_ROOM);
    expect(output).not.toContain('configuration error');
    expect(code).toBe(2);
    // What was cut would look like the report of another program.
    expect((await cli.run(env, ['--claims', 'user', ...few])).code).toBe(0);
  });

  test('leaves no part of a file that a command would not overwrite, and is no defect', async () => {
    const env = await cli.plain();
    await cli.run(env, ['--claims', 'user', '--only', 'search/USER/**']);
    for (const line of ['init', 'serve --write-env .env --port 0', 'statement']) {
      const { code, output } = await cli.limited('ulimit -f 1', line.split(' '), {});
      expect(output).toMatch(/^(?:configuration error|cannot write)\n.*(?:\.env|statement\.html) \(.*, EFBIG\)/);
      expect(code).toBe(2);
    }
    expect(readdirSync(cli.folder)).toEqual(['conformance-report']);
    expect(readdirSync(cli.file('conformance-report')).filter((name) => /new$|statement/.test(name))).toEqual([]);
  });
});

describe('the output of a run', () => {
  test('contains no secret, and no 12 characters of one', async () => {
    const env = await cli.plain({
      render: ({ status, message = '' }, request) => ({
        status,
        headers: {
          'Content-Type': 'text/plain',
          'WWW-Authenticate': `Bearer token="${request.token}"`,
          Location: `/sign-in?token=${request.token}`,
          Server: `gateway of ${request.token}`,
        },
        body: `${message}\n${JSON.stringify(request.rawHeaders)}`,
      }),
    });
    // One kind of each family: what writes a token does not know its kind.
    const run = await cli.run(env, ['--depth', 'core', '--claims', 'user global oauth google']);
    // What is wrong with this target shows its answers once more.
    const again = await cli.command(['replay', 'F1'], env);
    const output = [run, again, await cli.command(['explain', 'F1'])].map((ended) => ended.output).join('\n');
    expect(output).toMatch(/Location: \/sign-in\?token=<\w+_TOKEN/);
    const written = readdirSync(cli.file('conformance-report')).map((file) => cli.text('conformance-report', file));
    const secrets = Object.entries(env).filter(([name]) => name.includes('_TOKEN') || name.includes('_PRIVATE_'));
    const text = [output, ...written].join('\n');
    const partsOf = (whole: string) =>
      Array.from({ length: Math.max(1, whole.length - 11) }, (_, index) => whole.slice(index, index + 12));
    const parts = new Map(secrets.flatMap(([name, secret]) => partsOf(secret).map((part) => [part, name] as const)));
    const leaked = new Set<string>();
    for (let at = 0; at + 12 <= text.length; at += 1) {
      const name = parts.get(text.slice(at, at + 12));
      if (name !== undefined) leaked.add(name);
    }
    expect([...leaked]).toEqual([]);
    expect(written.join('').length).toBeGreaterThan(10_000);
  });

  test.each([
    ['Ctrl-C', 'SIGINT'],
    ['a closed terminal', 'SIGHUP'],
  ] as const)('includes a report after %s, also a second one, with exit 130', async (_what, signal) => {
    const env = await cli.plain();
    const { child, ended } = cli.start(['run', '--rate', '300'], env);
    await cli.journalHolds(100);
    child.kill(signal);
    // npm hands the signal on to a child that got it already, and people press Ctrl-C twice.
    await new Promise((done) => setTimeout(done, 20));
    child.kill(signal);
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).toContain('stopped: interrupted');
    expect(cli.report().ending).toBe('inconclusive');
  });
});
