import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { authorizationScenarios, problemOf, revisions, serverScenarios } from '../../suites/proof/judges/scenarios.ts';
import { print } from '../terminal.ts';
import { type JudgedService, startJudgedService } from './judged-service.ts';
import { install, nodeFor, type PinnedPackages, run } from './pinned-packages.ts';

const packages: PinnedPackages = {
  source: 'suites/proof/judges/packages',
  installed: 'node_modules/.cache/judges',
  leastNode: '22.19',
};
const programIn = (name: string) => join(packages.installed, 'node_modules/.bin', name);
/** A port for the redirect of the judge that needs it before it starts. */
const CALLBACK_PORT = 53_683;

interface Found {
  /** What is wrong, one line each. */
  readonly problems: readonly string[];
  readonly passed: number;
  /** Scenarios that ask for what an honest server has no reason to offer. */
  readonly notApplicable?: number;
}
interface Judge {
  readonly package: string;
  readonly what: string;
  readonly judge: (service: JudgedService, folder: string) => Promise<Found>;
}

/** Lets each foreign judge look at a service of its own. Returns 1 if one of them finds something wrong. */
export async function foreignCommand(): Promise<number> {
  install(packages);
  let code = 0;
  const { dependencies } = JSON.parse(readFileSync(join(packages.source, 'package.json'), 'utf8'));
  for (const { package: name, what, judge } of judges) {
    const service = await startJudgedService();
    const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
    const { problems, passed, notApplicable = 0 } = await judge(service, folder);
    await service.close();
    rmSync(folder, { recursive: true });
    const counts = `${passed} passed, ${problems.length} failed, ${notApplicable} not applicable`;
    print(`${problems.length === 0 ? pc.green('✔') : pc.red('✘')} ${name} ${dependencies[name]}, ${what}: ${counts}`);
    for (const problem of problems) print(`    ${problem}`);
    if (problems.length > 0) code = 1;
  }
  for (const [name, expected] of Object.entries(serverScenarios))
    if (expected.kind !== 'passes') print(pc.dim(`  ${name}: ${expected.reason}`));
  return code;
}

const judges: readonly Judge[] = [
  {
    package: '@modelcontextprotocol/conformance',
    what: `server scenarios at ${revisions.join(' and ')}`,
    async judge({ openMcpUrl }, folder) {
      const node = nodeFor(packages);
      const problems = await unlisted(node);
      let passed = 0;
      for (const revision of revisions) {
        const output = join(folder, revision);
        const flags = ['--url', openMcpUrl, '--suite', 'all', '--spec-version', revision, '--output-dir', output];
        await run(node, [programIn('conformance'), 'server', ...flags], {}, () => undefined);
        const results = resultsIn(output);
        if (results.size === 0) problems.push(`no scenario ran at ${revision}`);
        for (const scenario of new Set([...results.keys(), ...Object.keys(serverScenarios)])) {
          const problem = problemOf(scenario, results.get(scenario)?.failed);
          if (problem !== undefined) problems.push(`${revision}: ${problem}`);
          if (serverScenarios[scenario]?.kind !== 'left out') passed += results.get(scenario)?.passed ?? 0;
        }
      }
      const notApplicable = Object.values(serverScenarios).filter(({ kind }) => kind === 'left out').length;
      return { problems, passed, notApplicable };
    },
  },
  {
    package: '@modelcontextprotocol/conformance',
    what: 'authorization server scenarios',
    async judge(service, folder) {
      const client = await service.register(`http://127.0.0.1:${CALLBACK_PORT}/callback`);
      const target = ['--url', service.issuer, '--client-id', client, '--resource', service.mcpUrl];
      const flags = [...target, '--port', `${CALLBACK_PORT}`, '--output-dir', folder];
      const program = [programIn('conformance'), 'authorization', ...flags];
      const { text } = await run(nodeFor(packages), program, {}, allowOnce(service));
      const results = resultsIn(folder);
      const problems = authorizationScenarios.flatMap((scenario) => {
        const found = results.get(scenario);
        if (found === undefined) return [`${scenario} did not run: ${text.slice(-300)}`];
        return found.failed.map((id) => `${scenario} fails: ${id}`);
      });
      return { problems, passed: [...results.values()].reduce((sum, { passed }) => sum + passed, 0) };
    },
  },
  {
    package: 'mcp-remote',
    what: 'from discovery to the list of tools',
    async judge(service, folder) {
      const program = [programIn('mcp-remote-client'), service.mcpUrl];
      const { text } = await run(nodeFor(packages), program, { MCP_REMOTE_CONFIG_DIR: folder }, allowOnce(service));
      return single(/"name": "search"/.test(text), `it lists no tool search: ${text.slice(-300)}`);
    },
  },
  {
    package: '@modelcontextprotocol/inspector',
    what: 'its command line, with the line of the console',
    async judge({ configuration }, folder) {
      const config = join(folder, 'mcp.json');
      writeFileSync(config, configuration);
      const target = ['--cli', '--config', config, '--server', 'client-api'];
      const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=travel'];
      const program = [programIn('mcp-inspector'), ...target, ...call];
      // Without this, it asks for a keychain.
      const env = { MCP_INSPECTOR_SECRET_STORE: 'memory' };
      const { code, text } = await run(nodeFor(packages), program, env, () => undefined);
      return single(code === 0 && text.includes('Travel policy'), `it finds no document: ${text.slice(-300)}`);
    },
  },
];

function single(isRight: boolean, problem: string): Found {
  return isRight ? { problems: [], passed: 1 } : { problems: [problem], passed: 0 };
}

/** Allows the first authorization request that a program prints. */
function allowOnce(service: JudgedService): (text: string) => void {
  let done = false;
  return (text) => {
    const url = new RegExp(`${service.issuer}/auth\\?\\S+(?=\\s)`).exec(text)?.[0];
    if (done || url === undefined) return;
    done = true;
    // What the judge makes of a failure shows in its results.
    service.allow(new URL(url)).catch(() => undefined);
  };
}

/** The results of a scenario: the ids of the failed checks, and how many passed. */
interface Results {
  readonly failed: readonly string[];
  readonly passed: number;
}

/** The results that the conformance suite wrote into a folder, by the name of the scenario. */
function resultsIn(folder: string): ReadonlyMap<string, Results> {
  mkdirSync(folder, { recursive: true });
  const results = new Map<string, Results>();
  for (const name of readdirSync(folder)) {
    const scenario = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks: readonly { id: string; status: string }[] = JSON.parse(
      readFileSync(join(folder, name, 'checks.json'), 'utf8'),
    );
    results.set(scenario, {
      failed: checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id),
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    });
  }
  return results;
}

/** The server scenarios that the conformance suite has and our list does not, or the other way round. */
async function unlisted(node: string): Promise<string[]> {
  const { text } = await run(node, [programIn('conformance'), 'list'], {}, () => undefined);
  const [, section = ''] = /Server scenarios[^\n]*\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const known = [...section.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
  const ours = Object.keys(serverScenarios);
  return [
    ...known.filter((name) => !ours.includes(name)).map((name) => `${name} is not in the list of scenarios; add it`),
    ...ours.filter((name) => !known.includes(name)).map((name) => `the suite has no scenario ${name}; remove it`),
  ];
}
