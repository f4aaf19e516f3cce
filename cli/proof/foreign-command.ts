import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { authorizationScenarios, problemOf, revisions, serverScenarios } from '../../suites/proof/judges/scenarios.ts';
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

/** What a judge found wrong, one line each. */
type Judge = (service: JudgedService, folder: string) => Promise<readonly string[]>;

/** Lets each foreign judge look at a service of its own. Returns 1 if one of them finds something wrong. */
export async function foreignCommand(print: (text: string) => void): Promise<number> {
  install(packages);
  let code = 0;
  for (const [name, judge] of Object.entries(judges)) {
    const service = await startJudgedService();
    const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
    const problems = await judge(service, folder);
    await service.close();
    rmSync(folder, { recursive: true });
    print(problems.length === 0 ? `${pc.green('✔')} ${name}` : `${pc.red('✘')} ${name}`);
    for (const problem of problems) print(`    ${problem}`);
    if (problems.length > 0) code = 1;
  }
  for (const [name, expected] of Object.entries(serverScenarios))
    if (expected.kind !== 'passes') print(pc.dim(`  ${name}: ${expected.reason}`));
  return code;
}

const judges: Readonly<Record<string, Judge>> = {
  'the official conformance suite, server scenarios': async ({ openMcpUrl }, folder) => {
    const node = nodeFor(packages);
    const problems = await unlisted(node);
    for (const revision of revisions) {
      const results = join(folder, revision);
      const flags = ['--url', openMcpUrl, '--suite', 'all', '--spec-version', revision, '--output-dir', results];
      await run(node, [programIn('conformance'), 'server', ...flags], {}, () => undefined);
      const failures = failedChecks(results);
      if (failures.size === 0) problems.push(`no scenario ran at ${revision}`);
      for (const scenario of new Set([...failures.keys(), ...Object.keys(serverScenarios)])) {
        const problem = problemOf(scenario, failures.get(scenario));
        if (problem !== undefined) problems.push(`${revision}: ${problem}`);
      }
    }
    return problems;
  },

  'the official conformance suite, authorization server scenarios': async (service, folder) => {
    const client = await service.register(`http://127.0.0.1:${CALLBACK_PORT}/callback`);
    const target = ['--url', service.issuer, '--client-id', client, '--resource', service.mcpUrl];
    const flags = [...target, '--port', `${CALLBACK_PORT}`, '--output-dir', folder];
    const { text } = await run(
      nodeFor(packages),
      [programIn('conformance'), 'authorization', ...flags],
      {},
      allowOnce(service),
    );
    const failures = failedChecks(folder);
    return authorizationScenarios.flatMap((scenario) => {
      const failed = failures.get(scenario);
      if (failed === undefined) return [`${scenario} did not run: ${text.slice(-300)}`];
      return failed.map((id) => `${scenario} fails: ${id}`);
    });
  },

  'mcp-remote, from discovery to the list of tools': async (service, folder) => {
    const program = [programIn('mcp-remote-client'), service.mcpUrl];
    const { text } = await run(nodeFor(packages), program, { MCP_REMOTE_CONFIG_DIR: folder }, allowOnce(service));
    return /"name": "search"/.test(text) ? [] : [`it lists no tool search: ${text.slice(-300)}`];
  },

  "the inspector's command line, with the line of the console": async ({ configuration }, folder) => {
    const config = join(folder, 'mcp.json');
    writeFileSync(config, configuration);
    const target = ['--cli', '--config', config, '--server', 'client-api'];
    const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=travel'];
    const program = [programIn('mcp-inspector'), ...target, ...call];
    // Without this, it asks for a keychain.
    const env = { MCP_INSPECTOR_SECRET_STORE: 'memory' };
    const { code, text } = await run(nodeFor(packages), program, env, () => undefined);
    return code === 0 && text.includes('Travel policy') ? [] : [`it finds no document: ${text.slice(-300)}`];
  },
};

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

/** The ids of the failed checks, by the name of the scenario. */
function failedChecks(folder: string): ReadonlyMap<string, readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const results = new Map<string, readonly string[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks: readonly { id: string; status: string }[] = JSON.parse(
      readFileSync(join(folder, name, 'checks.json'), 'utf8'),
    );
    results.set(
      scenario,
      checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id),
    );
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
