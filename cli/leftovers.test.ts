import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

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
    const run = await cli.run(env, ['--depth', 'core']);
    // What is wrong with this target shows its answers once more.
    const again = await cli.command(['replay', 'F1'], env);
    const output = [run, again, await cli.command(['explain', 'F1'])].map((ended) => ended.output).join('\n');
    expect(output).toMatch(/Location: \/sign-in\?token=<\w+_TOKEN/);
    const written = readdirSync(join(cli.folder, 'conformance-report')).map((file) =>
      readFileSync(join(cli.folder, 'conformance-report', file), 'utf8'),
    );
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

  test('includes a report after Ctrl-C, with exit 130', async () => {
    const env = await cli.plain();
    const { child, ended } = cli.start(['run', '--rate', '300'], env);
    await cli.journalHolds(100);
    child.kill('SIGINT');
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).toContain('stopped: interrupted');
    expect(cli.report().ending).toBe('inconclusive');
  });
});
