import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { serveHttp } from '../harness/testing/local-server.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const CLAIMS = ['--claims', 'user', '--only', 'search/USER/**'];
const KEPT = ['journal.ndjson', 'report.html', 'report.json'];
const inFolder = (name: string) => cli.file('conformance-report', name);
const contents = () => KEPT.map((name) => readFileSync(inFolder(name), 'utf8'));

describe('the report of an earlier run', () => {
  test('stays when the target is down, and the next run is compared with it', async () => {
    const env = await cli.plain();
    await cli.run(env, CLAIMS);
    const before = contents();
    const down = await cli.run({ ...env, TARGET_BASE_URL: 'http://127.0.0.1:9' }, CLAIMS);
    expect(down.code).toBe(3);
    expect(down.output).toContain('is still that of the run before: this run decided nothing');
    expect(contents()).toEqual(before);
    expect(readFileSync(inFolder('junit.xml'), 'utf8')).toContain('type="inconclusive"');
    const up = await cli.run(env, CLAIMS);
    expect(up.output).toContain('Since the run of');
    expect(up.output).not.toContain('new  ');
    expect(existsSync(inFolder('journal.earlier.ndjson'))).toBe(false);
  });

  test('stays when the address is wrong', async () => {
    const env = await cli.plain();
    await cli.run(env, CLAIMS);
    const before = contents();
    const { code } = await cli.run({ ...env, TARGET_BASE_URL: `${env['TARGET_BASE_URL']}/typo` }, CLAIMS);
    expect(code).toBe(2);
    expect(contents()).toEqual(before);
    expect(existsSync(inFolder('junit.xml'))).toBe(false);
  });

  test('stays when a run is killed at once, and its journal is judged again', async () => {
    const env = await cli.plain();
    await cli.run(env, CLAIMS);
    const [journal, ...reports] = contents();
    const { child, ended } = cli.start(['run', ...CLAIMS], await cli.plain({ send: () => {} }));
    await expect.poll(() => existsSync(inFolder('journal.earlier.ndjson'))).toBe(true);
    await cli.journalHolds(2);
    child.kill('SIGKILL');
    await ended;
    const again = await cli.command(['report']);
    expect(again.output).toContain('is still that of the run before: this run decided nothing');
    expect(contents().slice(1)).toEqual(reports);
    expect(readFileSync(inFolder('journal.earlier.ndjson'), 'utf8')).toBe(journal);
    expect((await cli.run(env, CLAIMS)).output).toContain('Since the run of');
  });

  test('is no base for a comparison if that run decided nothing', async () => {
    const env = await cli.plain();
    await cli.run({ ...env, TARGET_BASE_URL: 'http://127.0.0.1:9' }, CLAIMS);
    const up = await cli.run(env, CLAIMS);
    expect(up.output).not.toContain('Since the run of');
  });
});

describe('a report folder', () => {
  test('with a report of another program is refused before anything is sent', async () => {
    let requests = 0;
    const { url, close } = await serveHttp((_request, response) => {
      requests += 1;
      response.end();
    });
    const env = await cli.plain();
    mkdirSync(cli.file('conformance-report'));
    writeFileSync(inFolder('report.html'), '<title>Allure Report</title>');
    const { code, output } = await cli.run({ ...env, TARGET_BASE_URL: url }, CLAIMS);
    await close();
    expect([code, requests]).toEqual([2, 0]);
    expect(output).toContain('was written by another program');
    expect(readFileSync(inFolder('report.html'), 'utf8')).toBe('<title>Allure Report</title>');
  });

  test('to which another run writes is refused, and the first run ends well', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    const env = await cli.plain({
      send: async (reply, response) => {
        await held;
        response.writeHead(reply.status, reply.headers).end(reply.body);
      },
    });
    const first = cli.start(['run', '--no-intrusive', ...CLAIMS], env);
    while (!existsSync(inFolder('running.json'))) await new Promise((done) => setTimeout(done, 20));
    const second = await cli.run(env, CLAIMS);
    for (const command of ['report', 'statement']) {
      const beside = await cli.command([command]);
      expect(beside.output).toMatch(/journal\.ndjson yet: a run \(process \d+\) still writes it; wait for its end/);
      expect(beside.code).toBe(2);
    }
    release();
    expect(second.code).toBe(2);
    expect(second.output).toMatch(/another run \(process \d+\) writes to/);
    expect((await first.ended).code).toBe(0);
    expect(existsSync(inFolder('running.json'))).toBe(false);
  });

  test('of a run that was killed can be used again', async () => {
    const env = await cli.plain();
    const { child, ended } = cli.start(['run', ...CLAIMS], env);
    await cli.journalHolds(3);
    child.kill('SIGKILL');
    await ended;
    expect((await cli.run(env, CLAIMS)).code).toBe(0);
  });
});
