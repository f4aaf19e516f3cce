import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pc from 'picocolors';
import picomatch from 'picomatch';
import { deviants } from '../../fixtures/deviants/index.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { configurationError } from '../../harness/contract/configuration-error.ts';
import { DEPTHS } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { withDepth } from '../../suites/proof/depths.ts';
import { killMatrix, unbrokenMusts } from '../../suites/proof/kill-matrix.ts';
import type { Proof, ProveOptions } from '../../suites/proof/prove.ts';
import { showProgress } from '../progress.ts';

export interface ProveFlags {
  readonly only?: string;
  readonly depth?: string;
  readonly thorough?: boolean;
  readonly write?: boolean;
}

/** The committed table: deviant by requirement. Its diff is reviewed like code. */
const KILL_MATRIX = 'suites/proof/kill-matrix.txt';
/** Requests and answers die young: room for more of them saves a tenth of the time in collecting them. */
const YOUNG_MIB = 192;
/** What each depth catches. */
const DEPTH_TABLE = 'suites/proof/depths.txt';

/** Judges every deviant and variant in parallel and prints the proof; 1 when anything is unproven. */
export async function proveCommand(
  { only, depth = 'core', thorough = false, write = false }: ProveFlags,
  print: (text: string) => void,
): Promise<number> {
  const chosenDepth = DEPTHS.find((known) => known === depth);
  if (!chosenDepth) throw configurationError(`--depth is ${JSON.stringify(depth)}, wanted one of ${DEPTHS.join(', ')}`);
  const wanted = only === undefined ? () => true : picomatch(only);
  const ids = [...deviants, ...variants].map(({ id }) => id).filter((id) => wanted(id));
  if (ids.length === 0) throw configurationError(`--only ${only} matches no deviant and no variant`);
  const contract = await loadContract();
  let judged = 0;
  const progress = showProgress(ids.length, () => ({ done: [`${judged} of ${ids.length} judged`] }), process.stderr);
  const proofs = await proveAll(ids, { depth: chosenDepth, thorough }, (proof) => {
    judged += 1;
    progress.step(1);
    if (proof.problems.length === 0) return;
    progress.hide();
    print(showProblem(proof));
  });
  progress.end();
  const table = killMatrix(proofs);
  print(table);
  const problems = proofs.filter((proof) => proof.problems.length > 0);
  const unbroken = only === undefined ? unbrokenMusts(contract, deviants) : [];
  for (const id of unbroken) print(pc.red(`no deviant breaks ${id}`));
  const stale =
    only === undefined &&
    chosenDepth === 'core' &&
    !write &&
    (!existsSync(KILL_MATRIX) || readFileSync(KILL_MATRIX, 'utf8') !== `${table}\n`);
  if (stale) print(pc.red(`${KILL_MATRIX} is not this table; run npm run prove -- --write and review its diff`));
  if (write && only === undefined) {
    if (chosenDepth === 'core') writeFileSync(KILL_MATRIX, `${table}\n`);
    const known = existsSync(DEPTH_TABLE) ? readFileSync(DEPTH_TABLE, 'utf8').trimEnd() : '';
    writeFileSync(DEPTH_TABLE, `${withDepth(known, chosenDepth, proofs)}\n`);
  }
  const killed = proofs.filter(({ family, problems: none }) => family === 'deviant' && none.length === 0).length;
  const spared = proofs.filter(({ family, problems: none }) => family === 'variant' && none.length === 0).length;
  const count = (family: Proof['family']) => proofs.filter((proof) => proof.family === family).length;
  print(
    `${killed} of ${count('deviant')} deviants caught by their own requirement as one cause, ${spared} of ${count('variant')} variants not blamed`,
  );
  return problems.length + unbroken.length > 0 || stale ? 1 : 0;
}

function showProblem({ id, what, problems }: Proof): string {
  return [`${pc.red('✘')} ${id}: ${what}`, ...problems.map((problem) => `    ${problem}`)].join('\n');
}

/** Hands ids out to one worker a core and one for when those wait; proofs come back in the order of the ids. */
async function proveAll(ids: readonly string[], options: ProveOptions, each: (proof: Proof) => void): Promise<Proof[]> {
  const proofs = new Map<string, Proof>();
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./prove-worker.js', import.meta.url), {
        workerData: options,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
      });
      worker.on('message', (message: 'ready' | Proof) => {
        if (message !== 'ready') {
          proofs.set(message.id, message);
          each(message);
        }
        worker.postMessage(ids[next++] ?? null);
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism() + 1, ids.length) }, work));
  return ids.flatMap((id) => proofs.get(id) ?? []);
}
