import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { PlainOptions } from '../fixtures/plain/target.ts';
import { acceptsExpired, commandLine, without } from './testing/command-line.ts';
import { runWorkflow } from './testing/github-job.ts';
import type { Runner } from './testing/github-machine.ts';

const cli = commandLine();
const page = readFileSync('docs/ci.md', 'utf8');
const listed = `deviations:
  - requirement: token.expired
    reason: the gateway caches tokens for an hour
    review: 2099-01-31
`;
/** A baseline that lists nothing that fails. */
const unlisted = 'gaps:\n  - cases: "*/GLOBAL/expired/**"\n    reason: made for the test\n    review: 2099-01-31\n';

/** Runs a workflow of docs/ci.md against a plain target, with its variables as secrets. */
async function run(name: string, baseline: string, options?: PlainOptions, ...missing: readonly string[]) {
  const { TARGET_BASE_URL = '', ...variables } = await cli.plain(options);
  const [, workflow = ''] = new RegExp(`\`\`\`yaml\n(name: ${name}\n[\\s\\S]*?)\`\`\``).exec(page) ?? [];
  expect(workflow).toContain('target: https://staging.example.com\n');
  return runWorkflow(workflow.replace('https://staging.example.com', TARGET_BASE_URL), {
    ...runner(),
    files: { 'conformance-baseline.yaml': baseline },
    secrets: without(variables, ...missing),
  });
}

/** @param npm what stands in for the installation: a line of a shell */
function runner(npm = ':'): Runner {
  const commands = mkdtempSync(join(cli.folder, 'commands-'));
  writeFileSync(join(commands, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const path = `${commands}${delimiter}${process.env['PATH']}`;
  return { folder: cli.folder, repository: resolve('.'), files: {}, secrets: {}, path };
}

describe('the job of docs/ci.md', () => {
  test('ends with 0 against a conforming target', async () => {
    const [job] = await run('conformance', unlisted);
    expect(job?.log).toContain('conforms: user global (claims as CONFORMANCE_CLAIMS states) (exit code 0)');
    expect(job?.log).toMatch(/^ending: conforms\ncauses: \[\]$/m);
    expect(job?.summary).toMatch(/^## ✅ .* conforms/);
    expect(job?.code).toBe(0);
    expect(cli.report('artifacts/conformance-report').ending).toBe('conforms');
  });

  test('ends with 1 against a broken target, and shows its cause', async () => {
    const [job] = await run('conformance', unlisted, acceptsExpired);
    const causes = [{ id: 'F1', verdict: 'fail', requirements: ['token.expired'], listed: false }];
    expect(job?.log).toMatch(/^::error title=F1 token\.expired .*curl/m);
    expect(job?.log).toContain(`ending: deviates\ncauses: ${JSON.stringify(causes)}\n`);
    expect(job?.summary).toMatch(/^## ❌ .* deviates[\s\S]*### Causes\n#### F1 fail&#58; token&#46;expired/);
    expect(job?.code).toBe(1);
    expect(cli.report('artifacts/conformance-report').ending).toBe('deviates');
  });

  test('ends with 2 and no ending if secrets do not exist, and names each of them', async () => {
    const [job] = await run('conformance', unlisted, {}, 'USER_TOKEN_CHAT', 'GLOBAL_TOKEN_CHAT');
    expect(job?.log).toContain('USER_TOKEN_CHAT is set but empty');
    expect(job?.log).toContain('GLOBAL_TOKEN_CHAT is set but empty');
    expect(job?.log).toMatch(/^ending: \ncauses: $/m);
    expect(job?.code).toBe(2);
  });
});

test('the jobs with shards of docs/ci.md end as one run, in which the baseline counts', async () => {
  const jobs = await run('conformance in shards', listed, acceptsExpired);
  expect(jobs.map(({ name }) => name)).toEqual(['shard1', 'shard2', 'whole']);
  expect(jobs.map(({ code }) => code)).toEqual([1, 1, 0]);
  expect(jobs.at(-1)?.log).toContain(' conforms except 1 listed: user (claims as CONFORMANCE_CLAIMS states)');
  expect(cli.report('artifacts/conformance-report').run).toBe('4711-1');
});

describe('the action', () => {
  /** A folder that stands in for the suite. Its command line writes a report and does this. */
  const suiteThat = (script: string) => {
    const repository = join(cli.folder, 'suite');
    mkdirSync(join(repository, 'dist', 'cli'), { recursive: true });
    writeFileSync(join(repository, 'build.mjs'), '');
    const report = "require('node:fs').mkdirSync('conformance-report');";
    writeFileSync(join(repository, 'dist', 'cli', 'main.js'), `${report}\n${script}`);
    return repository;
  };
  /** A workflow with one job that uses the action with these inputs. */
  const using = (inputs: Readonly<Record<string, string>>) =>
    stringify({ jobs: { only: { steps: [{ uses: './', with: inputs }] } } });

  test('tests the reference service in our own pipeline, and uploads nothing if no artifact is named', async () => {
    const { steps } = parse(readFileSync('.github/workflows/ci.yml', 'utf8')).jobs.action;
    const [job] = await runWorkflow(stringify({ jobs: { action: { steps } } }), runner());
    expect(job?.log).toContain('the embedded reference service conforms: user');
    expect(job?.code).toBe(0);
    expect(existsSync(join(cli.folder, 'artifacts'))).toBe(false);
  });

  test('never tests the reference service because a target is missing', async () => {
    const [job] = await runWorkflow(using({ claims: 'user' }), runner());
    expect(job?.log).toBe(
      '::error::The input target is empty. Give it the base URL of your implementation, or embedded.\n',
    );
    expect(job?.code).toBe(2);
  });

  test.each(['$(echo >made)', '"; echo >made; "'])('never runs the text of an input: %s', async (text) => {
    const inputs = { target: text, claims: text, depth: text, baseline: text, shard: text };
    const [job] = await runWorkflow(using(inputs), runner());
    await runWorkflow(using({ merge: text }).replace('only', 'merging'), runner());
    expect(job?.code).toBe(2);
    expect(readdirSync(cli.folder, { recursive: true }).filter((file) => String(file).includes('made'))).toEqual([]);
  });

  test('passes every input on as a flag, and further flags one a line', async () => {
    const repository = suiteThat('console.log(process.argv.slice(2).join("|"))');
    const inputs = {
      target: 'embedded',
      since: 'old/report.json',
      intrusive: 'true',
      only: 'search/**',
      except: '**/AZURE/**',
    };
    const more = { rate: '5', budget: '300', args: '--timeout=9000\n--only=a b' };
    const [job] = await runWorkflow(using({ ...inputs, ...more }), { ...runner(), repository });
    expect(job?.log).toBe(
      'run|--embedded|--intrusive|--since=old/report.json|--only=search/**|--except=**/AZURE/**|--rate=5|--budget=300|--report-dir=conformance-report|--timeout=9000|--only=a b\n',
    );
  });

  test('links the report from the summary, and with a token from the commit of the pull request', async () => {
    const asked: string[] = [];
    const api = createServer(async (request, response) => {
      const body: string[] = [];
      for await (const part of request) body.push(String(part));
      asked.push([request.method, request.url, request.headers.authorization, ...body].join(' '));
      response.writeHead(asked.length === 1 ? 201 : 403).end('{}');
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const repository = suiteThat("require('node:fs').appendFileSync(process.env.GITHUB_OUTPUT, 'ending=partial\\n')");
    const runs = { ...runner(), repository, api: `http://127.0.0.1:${Object(api.address()).port}` };
    const only = { target: 'embedded' };
    const one = using({ ...only, token: 'a-token-of-github' });
    const [linked] = await runWorkflow(one, runs);
    const [forbidden] = await runWorkflow(one.replace('only:', 'again:'), runs);
    const [plain] = await runWorkflow(using(only).replace('only:', 'plain:'), runs);
    api.close();
    const url = 'https://github.example/artifacts/conformance-report';
    for (const job of [linked, forbidden, plain]) {
      expect(job?.summary).toContain(`\n[The whole report](${url})\n`);
      expect(job?.code).toBe(0);
    }
    const status = { state: 'success', context: 'conformance-report', description: 'partial', target_url: url };
    const line = `POST /repos/some/service/statuses/last-commit Bearer a-token-of-github ${JSON.stringify(status)}`;
    expect(asked).toEqual([line, line]);
    expect(linked?.log).not.toContain('has no link');
    expect(forbidden?.log).toContain(
      'no link to the report: GitHub answered 403. The job needs the permission statuses: write',
    );
  });

  test('keeps the history of the runs in the cache if that has a name, and otherwise nothing', async () => {
    const env = await cli.plain();
    const { TARGET_BASE_URL: target = '', ...secrets } = env;
    const few = '--only=search/USER/**';
    const runIn = async (id: string, inputs: Readonly<Record<string, string>>) => {
      const job = { steps: [{ uses: './', with: { target, claims: 'user', args: few, ...inputs }, env: secrets }] };
      await runWorkflow(stringify({ jobs: { [`run-${id}`]: job } }), { ...runner(), id });
      return JSON.parse(readFileSync(join(cli.folder, `run-${id}`, 'conformance-report', 'history.json'), 'utf8')).runs
        .length;
    };
    const kept = { history: 'conformance-history', artifact: '' };
    expect([await runIn('1', kept), await runIn('2', kept)]).toEqual([1, 2]);
    expect(await runIn('3', { artifact: '' })).toBe(1);
    expect(readdirSync(join(cli.folder, 'cache', 'conformance-history'))).toEqual(['1-1', '2-1']);
  });

  test.each([
    ['without the reference service', 'https://staging.example.com', ' --workspaces=false', 'run'],
    ['with the reference service if that is the target', 'embedded', '', 'run --embedded'],
  ])('installs and builds in its own folder, without scripts of dependencies, %s', async (how, target, alone, run) => {
    const repository = join(cli.folder, how);
    mkdirSync(repository);
    const main = 'dist/cli/main.js';
    writeFileSync(
      join(repository, 'build.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
       mkdirSync('dist/cli', { recursive: true });
       writeFileSync('${main}', 'console.log(process.argv.slice(2).join(" "))');`,
    );
    const [job] = await runWorkflow(using({ target }), { ...runner('echo "npm $* in $PWD"'), repository });
    expect(job?.log).toBe(
      `npm ci --omit=dev --ignore-scripts --no-audit --no-fund${alone} in ${repository}\n${run} --report-dir=conformance-report\n`,
    );
  });
});
