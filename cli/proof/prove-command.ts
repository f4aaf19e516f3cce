import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pc from 'picocolors';
import { deviants } from '../../fixtures/deviants/index.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { configurationError } from '../../harness/contract/configuration-error.ts';
import { DEPTHS } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { globOf } from '../../harness/plan/glob.ts';
import {
  aligned,
  depthTable,
  listProblems,
  matrixRow,
  matrixText,
  type NotRemote,
  readMatrix,
  readNotRemote,
  reasonFor,
  remoteSummary,
  renewedMatrix,
  survives,
  UNKNOWN_REASON,
  unbrokenMusts,
} from '../../suites/proof/kill-matrix.ts';
import type { Proof, ProveOptions } from '../../suites/proof/prove.ts';
import { showProgress } from '../progress.ts';
import { print, progressStream } from '../terminal.ts';

export interface ProveFlags {
  readonly only?: string;
  readonly depth?: string;
  readonly thorough?: boolean;
  readonly remote?: boolean;
  readonly write?: boolean;
}

/** The committed table of deviants and requirements. Its diff is reviewed like code. */
const KILL_MATRIX = 'suites/proof/kill-matrix.txt';
/** The committed table of what each depth catches. */
const DEPTH_TABLE = 'suites/proof/depths.txt';
/** The committed list of deviants that the remote default does not catch. */
const NOT_REMOTE = 'suites/proof/not-remote.txt';

/** Judges every deviant, and every variant unless remote, in parallel and prints the proof. Returns 1 if anything is not proven. */
export async function proveCommand({
  only,
  depth = 'core',
  thorough = false,
  remote = false,
  write = false,
}: ProveFlags): Promise<number> {
  const chosenDepth = DEPTHS.find((known) => known === depth);
  if (remote && (thorough || depth !== 'core'))
    throw configurationError('--remote goes with neither --thorough nor another depth than core');
  if (!chosenDepth) throw configurationError(`--depth is ${JSON.stringify(depth)}, wanted one of ${DEPTHS.join(', ')}`);
  const matches = only === undefined ? () => true : globOf(only);
  // A run here tries all that a run elsewhere tries, and more. So it is what shows that no variant is blamed. Only a run elsewhere
  // has few chats: suites/chats-of-strict-targets.slow.test.ts.
  const ids = [...deviants, ...(remote ? [] : variants)].map(({ id }) => id).filter((id) => matches(id));
  if (ids.length === 0) throw configurationError(`--only ${only} matches no deviant and no variant`);
  const contract = await loadContract();
  let judged = 0;
  const progress = showProgress(ids.length, () => ({ done: [`${judged} of ${ids.length} judged`] }), progressStream);
  const effort = remote ? 'remote' : thorough ? 'thorough' : 'usual';
  const proofs = await proveAll(ids, { depth: chosenDepth, effort }, (proof) => {
    judged += 1;
    progress.step(1);
    if (proof.problems.length === 0 || (remote && survives(proof))) return;
    progress.hide();
    print(showProblem(proof));
  });
  progress.end();
  print(matrixText(proofs.map(matrixRow)));
  if (remote) return endOfRemote(proofs, write);
  const problems = proofs.filter((proof) => proof.problems.length > 0);
  const unbroken = only === undefined ? unbrokenMusts(contract, deviants) : [];
  for (const id of unbroken) print(pc.red(`no deviant breaks ${id}`));
  // Greater depths may blame for more.
  const tables = chosenDepth === 'core' ? renewedTables(proofs) : [];
  const stale = tables.filter(([file, text]) => textOf(file) !== `${text}\n`);
  if (write) for (const [file, text] of stale) writeFileSync(file, `${text}\n`);
  else
    for (const [file] of stale)
      print(pc.red(`${file} differs from this proof; run the same command with --write and review its diff`));
  const [caught, allDeviants] = tally(proofs, 'deviant');
  const [notBlamed, allVariants] = tally(proofs, 'variant');
  print(
    `${caught} of ${allDeviants} deviants caught by their own requirement as one cause, ${notBlamed} of ${allVariants} variants not blamed`,
  );
  return problems.length + unbroken.length > 0 || (stale.length > 0 && !write) ? 1 : 0;
}

/** The two tables with the lines of what was judged; the other lines stay. */
function renewedTables(proofs: readonly Proof[]): readonly (readonly [file: string, text: string])[] {
  const ids = [...deviants, ...variants].map(({ id }) => id);
  const rows = renewedMatrix(ids, readMatrix(textOf(KILL_MATRIX)), proofs);
  return [
    [KILL_MATRIX, matrixText(rows)],
    [DEPTH_TABLE, depthTable(rows, deviants)],
  ];
}

/**
 * Compares what survived with the committed list, or writes the list. A survivor needs a reason: a check of this machine, or a
 * greater depth, catches it.
 */
async function endOfRemote(proofs: readonly Proof[], write: boolean): Promise<number> {
  const known = readNotRemote(textOf(NOT_REMOTE));
  const left = proofs.filter(survives).map(({ id }) => id);
  const isNew = (id: string) => (known.get(id) ?? UNKNOWN_REASON) === UNKNOWN_REASON;
  const here = write ? await proveAll(left.filter(isNew), { effort: 'usual' }, () => undefined) : [];
  const found = here.flatMap((proof) => {
    const deviant = deviants.find(({ id }) => id === proof.id);
    return deviant ? [[proof.id, reasonFor(deviant, proof)] as const] : [];
  });
  const caught = new Set(proofs.filter((proof) => !survives(proof)).map(({ id }) => id));
  const reasons = new Map([...known, ...found]);
  const list = write ? new Map(deviants.flatMap(({ id }) => (caught.has(id) ? [] : reasonsOf(reasons, id)))) : known;
  if (write) writeFileSync(NOT_REMOTE, `${aligned([...list])}\n`);
  const problems = listProblems(list, proofs);
  for (const problem of problems) print(pc.red(`${NOT_REMOTE}: ${problem}`));
  print(remoteSummary(list, proofs));
  const wrong = proofs.filter((proof) => proof.problems.length > 0 && !survives(proof));
  return problems.length + wrong.length > 0 ? 1 : 0;
}

function reasonsOf(reasons: NotRemote, id: string): readonly (readonly [id: string, reason: string])[] {
  const reason = reasons.get(id);
  return reason === undefined ? [] : [[id, reason]];
}

/** The text of a file; empty if it does not exist. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function tally(proofs: readonly Proof[], family: Proof['family']): [proven: number, all: number] {
  const own = proofs.filter((proof) => proof.family === family);
  return [own.filter(({ problems }) => problems.length === 0).length, own.length];
}

function showProblem({ id, what, problems }: Proof): string {
  return [`${pc.red('✘')} ${id}: ${what}`, ...problems.map((problem) => `    ${problem}`)].join('\n');
}

/** Gives ids to the workers: one for each core, and one more for when those wait. Proofs are in the order of the ids. */
async function proveAll(ids: readonly string[], options: ProveOptions, each: (proof: Proof) => void): Promise<Proof[]> {
  const proofs = new Map<string, Proof>();
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./prove-worker.js', import.meta.url), { workerData: options });
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
