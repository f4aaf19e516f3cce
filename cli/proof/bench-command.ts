import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import pMap from 'p-map';
import { Pool } from 'undici';
import { plainOperations } from '../../fixtures/plain/request.ts';
import type { Contract, Depth } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { expandOnce } from '../../harness/plan/expand.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { buildRequest } from '../../harness/plan/request.ts';
import type { Session } from '../../harness/run/session.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { print } from '../terminal.ts';
import { benchBodies, perSecond, ratio, timed } from './bench-bodies.ts';
import { benchService } from './bench-service.ts';
import type { BenchTarget } from './bench-target.ts';

const ROUNDS = 4;

/** Measures the harness against the plain target, and the reference service. Bounds are on ratios: machines differ. */
export async function benchCommand({ memory }: { memory?: string }): Promise<number> {
  const contract = await loadContract();
  if (memory !== undefined) {
    const { session, close } = await startAgainst(withMoreOperations(contract, Number(memory)), 'full', false);
    await decideAll(session);
    print(
      JSON.stringify({ cases: session.plan.cases.size, peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) }),
    );
    await close();
    return 0;
  }
  const core = await countRequests(contract, 'core');
  const [loop, decide, failing, cases] = await measure(contract);
  const [one, five] = [peakMemory(1), peakMemory(5)];
  const rows = [
    ['plain undici loop', `${perSecond(cases, loop)} cases/s`],
    ['decide, full matrix', `${perSecond(cases, decide)} cases/s over ${cases} cases`],
    ['ratio of decide to the loop', ratio(loop / decide, 0.5, 'least')],
    ['ratio of an all-failing run to a passing one', ratio(failing / decide, 1.5, 'most')],
    ['peak memory', `${one.peakMiB} MiB at ${one.cases} cases, ${five.peakMiB} MiB at ${five.cases}`],
    ['requests of a core run', ratio(core, 600, 'most')],
    ...(await benchBodies(contract)),
    ...(await benchService()),
  ];
  for (const [name = '', value = ''] of rows) print(`${name.padEnd(46)}${value}`);
  return 0;
}

/** Measures each in several rounds and keeps the shortest time: other work on the machine only adds to a time. */
async function measure(contract: Contract): Promise<[loop: number, decide: number, failing: number, cases: number]> {
  const times: [number[], number[], number[]] = [[], [], []];
  let cases = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const passing = await startAgainst(contract, 'full', false);
    cases = passing.session.plan.cases.size;
    times[0].push(await timed(() => plainLoop(passing.session)));
    times[1].push(await timed(() => decideAll(passing.session)));
    await passing.close();
    const failing = await startAgainst(contract, 'full', true);
    times[2].push(await timed(() => decideAll(failing.session)));
    await failing.close();
  }
  const [loop, decide, failing] = times;
  return [Math.min(...loop), Math.min(...decide), Math.min(...failing), cases];
}

async function decideAll(session: Session): Promise<void> {
  await session.sendMatrix();
  session.judge();
}

/** Sends the same requests without looking at the answers, as the baseline of the comparison. */
async function plainLoop({ plan, settings, parts }: Session): Promise<void> {
  const pool = new Pool(settings.baseUrl, { connections: settings.concurrency, pipelining: 1 });
  const send = async ({ values, credential }: PlannedCase) => {
    const { method, path, headers, body } = buildRequest(parts, values, credential?.token ?? '');
    const answer = await pool.request({ method, path, headers: headers.flat(), body: body ?? null });
    await answer.body.text();
  };
  await pMap(plan.cases.values(), send, { concurrency: settings.concurrency });
  await pool.destroy();
}

async function countRequests(contract: Contract, depth: Depth): Promise<number> {
  const { session, close } = await startAgainst(contract, depth, false);
  await decideAll(session);
  const { length } = session.sender.exchanges;
  await close();
  return length;
}

async function startAgainst(
  contract: Contract,
  depth: Depth,
  failing: boolean,
): Promise<{ session: Session; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const target = await startBenchTarget({ times: contract.operations.length / plainOperations.length, failing });
  const settings = embeddedSettings(catalogueOf(contract), target.env, {
    flags: { CONFORMANCE_DEPTH: depth, CONFORMANCE_REPORT_DIR: folder },
  });
  const session = startSession(settings, { casesAt: expandOnce(contract) });
  const close = async () => {
    await session.close();
    await target.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { session, close };
}

/** Starts the plain target in a thread of its own, so that only the harness is measured. */
export async function startBenchTarget(given: BenchTarget) {
  const worker = new Worker(new URL('./bench-target.js', import.meta.url), { workerData: given });
  const [env] = (await once(worker, 'message')) as [Readonly<Record<string, string>>];
  return { env, end: () => worker.terminate() };
}

/** The contract with every operation, and its requirements, this many times. */
function withMoreOperations({ prepared: _ofFewer, ...contract }: Contract, times: number): Contract {
  const copies = Array.from({ length: times - 1 }, (_, index) => index + 2);
  const renamed = (text: string, copy: number) =>
    contract.operations.reduce((name, { id }) => name.replace(new RegExp(`\\b${id}\\b`), `${id}${copy}`), text);
  return {
    ...contract,
    operations: [
      ...contract.operations,
      ...copies.flatMap((copy) =>
        contract.operations.map((operation) => ({
          ...operation,
          id: `${operation.id}${copy}`,
          path: `${operation.path}${copy}`,
        })),
      ),
    ],
    requirements: [
      ...contract.requirements,
      ...copies.flatMap((copy) =>
        contract.requirements
          .filter(({ id }) => renamed(id, copy) !== id)
          .map((requirement) => ({ ...requirement, id: renamed(requirement.id, copy) })),
      ),
    ],
  };
}

function peakMemory(times: number): { cases: number; peakMiB: number } {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [main, 'bench', '--memory', String(times)], { encoding: 'utf8' });
  return JSON.parse(stdout);
}
