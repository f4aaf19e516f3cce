import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { configurationError } from '../../../harness/contract/configuration-error.ts';
import { loadContractFile } from '../../../harness/contract/load-contract.ts';
import { blamedIn, judgeBy } from '../../../suites/proof/judge-by-contract.ts';
import { print } from '../../terminal.ts';
import { install } from '../pinned-packages.ts';
import { dockerRegistry } from './docker-registry.ts';
import { type ServerToJudge, withFault } from './foreign-server.ts';
import { nodeRed } from './node-red.ts';
import { packages } from './packages.ts';
import { redmine } from './redmine.ts';
import { strapi } from './strapi.ts';
import { verdaccio } from './verdaccio.ts';

export const servers: readonly ServerToJudge[] = [verdaccio, nodeRed, strapi, dockerRegistry, redmine];

/**
 * Judges servers that others wrote by their contracts, as they are and with each of their faults. Returns 1 if a run finds
 * something else than it must.
 * @param only the name of a server. Absent: all.
 */
export async function judgeServers(only?: string): Promise<number> {
  const chosen = servers.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0)
    throw configurationError(`no server is called ${only}; it is one of ${servers.map(({ name }) => name).join(', ')}`);
  if (chosen.some(({ version }) => version === undefined)) install(packages);
  const { dependencies } = JSON.parse(readFileSync(join(packages.source, 'package.json'), 'utf8'));
  let code = 0;
  for (const server of chosen) {
    const { verdict, problems } = await judgeServer(server);
    print(
      `${problems.length === 0 ? pc.green('✔') : pc.red('✘')} ${server.name} ${server.version ?? dependencies[server.package ?? server.name]}: ${verdict}`,
    );
    for (const problem of problems) print(`    ${problem}`);
    if (problems.length > 0) code = 1;
  }
  return code;
}

async function judgeServer({ name, start, warnings, faults }: ServerToJudge) {
  const file = join('fixtures', 'contracts', `${name}.yaml`);
  const judge = judgeBy(await loadContractFile(file));
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  const server = await start(folder);
  const problems: string[] = [];
  const expect = (what: string, found: readonly string[], wanted: readonly string[]) => {
    if (found.join() !== wanted.join()) problems.push(`${what}: ${found.join(', ')} instead of ${wanted.join(', ')}`);
  };
  const asItIs = await judge(server, true);
  const blamed = [...blamedIn(asItIs, 'fail'), ...blamedIn(asItIs, 'warn')].flat();
  expect('as it is', [asItIs.ending, ...blamed], ['conforms', ...warnings]);
  for (const { verdict, cases, decisions } of asItIs.findings)
    if (verdict !== 'warn')
      problems.push(
        decisions[0]?.detail ?? `${cases[0]?.case.id} got ${cases[0]?.miss?.got}, wanted ${cases[0]?.miss?.wanted}`,
      );
  for (const fault of faults) {
    const proxy = await withFault(server, fault);
    const judged = await judge(proxy);
    await proxy.close();
    expect(fault.what, blamedIn(judged, 'fail').map(String), [fault.breaks]);
  }
  await server.close();
  rmSync(folder, { recursive: true });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
  return { verdict: `${asItIs.ending} by a contract of ${lines} lines; ${faults.length} faults planted`, problems };
}
