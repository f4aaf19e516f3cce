import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { serveHttp } from '../harness/testing/local-server.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

/** Text that could break out of a terminal, HTML or XML, and commands for CI servers. */
const BODY =
  '##vso[task.setvariable]\u0000\u001b[2J\u001b]0;gone\u0007\u009b31m</script><script>window.broken=1</script><img src=x onerror=broken()>]]>&<!--\u202e\ufffe\r\n::error::x';
const claims = { CONFORMANCE_CLAIMS: 'user' };
const SEARCHES = ['--depth', 'core', '--only', 'search/**'];

describe('an answer of a hostile target', () => {
  test('is only text in the terminal, report.html, junit.xml and report.json', async () => {
    const env = await cli.plain({
      send: (reply, response) => {
        if (reply.status < 400) return send(reply, response);
        const headers = {
          ...reply.headers,
          'Content-Type': 'text/html;"><script>broken()</script>\u009b',
          'WWW-Authenticate': 'Bearer realm="</script><script>broken()</script>\u009b31m"',
        };
        send({ ...reply, status: 418, headers, body: BODY }, response);
      },
    });
    const { code, output } = await cli.run({ ...env, ...claims }, SEARCHES);
    expect(code).toBe(1);
    const [page, junit, data] = ['report.html', 'junit.xml', 'report.json'].map((file) =>
      cli.text('conformance-report', file),
    );
    expect(output).toContain('418');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through.
    const active = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ufffe]/;
    expect([output, page, junit].map((text = '') => active.test(text))).toEqual([false, false, false]);
    expect(output).not.toMatch(/^\s*::error/m);
    expect(output).toContain('vso[task.setvariable');
    expect(output).not.toMatch(/##\w*\[/);
    expect([page, junit].join('')).not.toMatch(/<script>(window\.)?broken|<img src=x/);
    const junitTags = ['testsuites', 'testsuite', 'testcase', 'failure', 'skipped', 'system-out'];
    expect(tagsOf(junit).filter((tag) => !junitTags.includes(tag))).toEqual([]);
    expect(junit).toContain('<failure');
    expect(JSON.parse(data ?? '').ending).toBe('deviates');
  });

  test('cannot redirect a token to another host, whatever its status', async () => {
    let followed = 0;
    const elsewhere = await serveHttp((_, response) => {
      followed += 1;
      response.end('{}');
    });
    let count = 0;
    const env = await cli.plain({
      send: (reply, response) => {
        count += 1;
        if (reply.status >= 400) return send(reply, response);
        const status = [301, 302, 303, 307, 308][count % 5] ?? 307;
        send({ status, headers: { Location: `${elsewhere.url}/rest/api/v1/search` }, body: '' }, response);
      },
    });
    const { code } = await cli.run({ ...env, ...claims }, [...SEARCHES, '--only', 'paging']);
    await elsewhere.close();
    expect(code).not.toBe(0);
    expect(count).toBeGreaterThan(20);
    expect(followed).toBe(0);
  });
});

/** The tags of an XML text in the order in which they first occur. */
function tagsOf(xml = ''): readonly string[] {
  const seen = new Set<string>();
  new Parser({ onopentag: (name) => seen.add(name) }, { xmlMode: true }).end(xml);
  return [...seen];
}
