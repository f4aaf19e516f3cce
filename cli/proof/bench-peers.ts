import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { configurationError } from '../../harness/contract/configuration-error.ts';
import type { Contract } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { expandOnce } from '../../harness/plan/expand.ts';
import { globOf } from '../../harness/plan/glob.ts';
import { buildRequest } from '../../harness/plan/request.ts';
import { noJournal, suiteVersion } from '../../harness/record/journal.ts';
import type { Report } from '../../harness/report/report.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { type AssertedRequest, withWrongExpectations } from '../../suites/proof/peers/peer-files.ts';
import { type Peer, peers } from '../../suites/proof/peers/peers.ts';
import { print } from '../terminal.ts';
import { perSecond } from './bench-bodies.ts';
import { startBenchTarget } from './bench-command.ts';
import { install, type PinnedPackages } from './pinned-packages.ts';

const packages: PinnedPackages = {
  source: 'suites/proof/peers/packages',
  installed: 'node_modules/.cache/peers',
  leastNode: '20.19',
};
/** About how many requests the run with wrong expectations has. Two of them are wrong. */
const FEW = 20;
const MOST_PRINTED = 256 * 1024 * 1024;
/** Without what a program would send to its makers. */
const QUIET = { STEPCI_DISABLE_ANALYTICS: '1' };

type Env = Readonly<Record<string, string>>;

/** What a program verified, and how long it took from its start to its end. */
interface Measured {
  readonly verified: number;
  readonly ms: number;
}

export interface PeerFlags {
  readonly depth?: string;
  readonly only?: string;
}

/**
 * Lets programs that others wrote send the same requests to the same target, one program after the other, and prints how many
 * each verifies in a second, beside this suite. Returns 1 if one of them verifies fewer, or does not notice what is wrong.
 */
export async function benchPeers({ depth = 'triples', only = '**' }: PeerFlags): Promise<number> {
  const isChosen = globOf(only);
  const chosen = peers.filter(({ program }) => isChosen(program));
  if (chosen.length === 0)
    throw configurationError(`--only ${only} matches none of ${peers.map(({ program }) => program).join(', ')}`);
  install(packages);
  const contract = await loadContract();
  const { env, end } = await startBenchTarget({ refusesWithJson: true });
  try {
    const requests = await assertedRequests(contract, env, depth);
    const few = requests.filter((_, index) => index % Math.ceil(requests.length / FEW) === 0);
    const wrong = withWrongExpectations(few);
    print(`${requests.length} requests of depth ${depth}, each with one status. All seconds contain the start-up.`);
    printRow(['program', 'version', 'verified', 'seconds', 'a second', 'the suite is', 'of two wrong ones']);
    const ours = runSuite(contract, env, depth);
    printRow(['this suite', suiteVersion, ours.verified, ...rateOf(ours)]);
    let code = 0;
    for (const peer of chosen) {
      const version = versionOf(peer);
      if (version === undefined) {
        printRow([peer.name, `left out: this machine has no program ${peer.program}`]);
        continue;
      }
      const all = runPeer(peer, requests, env);
      const noticed = wrong.length - runPeer(peer, wrong, env).verified;
      const times = ours.verified / ours.ms / (all.verified / all.ms);
      printRow([
        peer.name,
        version,
        `${all.verified} of ${requests.length}`,
        ...rateOf(all),
        `${times.toFixed(2)} times`,
        `${noticed} fail`,
      ]);
      if (noticed !== 2 || all.verified !== requests.length) code = 1;
    }
    return code;
  } finally {
    await end();
  }
}

const WIDTHS = [24, 16, 16, 9, 10, 14];

function printRow(cells: readonly (string | number)[]): void {
  print(cells.map((cell, index) => String(cell).padEnd(WIDTHS[index] ?? 0)).join(' '));
}

function rateOf({ verified, ms }: Measured): readonly (string | number)[] {
  return [(ms / 1000).toFixed(2), perSecond(verified, ms)];
}

/**
 * The requests of the matrix whose answer from this target conforms, each with the status and message of this answer. Left
 * out is what not every format can say: a header in two lines, an empty one, or one with blanks at an end.
 */
async function assertedRequests(contract: Contract, env: Env, depth: string): Promise<readonly AssertedRequest[]> {
  const settings = embeddedSettings(catalogueOf(contract), env, { flags: { CONFORMANCE_DEPTH: depth } });
  const session = startSession(settings, { casesAt: expandOnce(contract), journal: noJournal });
  await session.sendMatrix();
  const { verdicts } = session.judge();
  await session.close();
  return verdicts.flatMap(({ case: { id, values, credential }, verdict, observation }) => {
    const request = buildRequest(session.parts, values, credential?.token ?? '');
    const { method, path, headers, body = '' } = request;
    const names = new Set(headers.map(([name]) => name.toLowerCase()));
    const isPlain =
      names.size === headers.length && headers.every(([, value]) => value !== '' && value === value.trim());
    if (verdict !== 'pass' || observation?.kind !== 'answer' || !isPlain) return [];
    const { status, excerpt } = observation;
    const message: string | undefined = excerpt === undefined ? undefined : JSON.parse(excerpt).message;
    const url = `${settings.baseUrl}${path}`;
    return [
      { id, operation: values.operation, method, url, headers: Object.fromEntries(headers), body, status, message },
    ];
  });
}

/** Runs the command of the suite on the matrix, without the hand-written checks. */
function runSuite({ operations }: Contract, env: Env, depth: string): Measured {
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const cases = operations.flatMap(({ id }) => ['--only', `${id}/**`]);
  return inFolder((folder) => {
    const args = [main, 'run', '--depth', depth, ...cases, '--report-dir', folder];
    const { ms } = runIn(folder, [process.execPath, ...args], env);
    const { counts }: Report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    return { verified: counts.verdicts.pass, ms };
  });
}

function runPeer(peer: Peer, requests: readonly AssertedRequest[], { TARGET_BASE_URL = '' }: Env): Measured {
  const files = peer.files(requests);
  return inFolder((folder) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    symlinkSync(resolve(packages.installed, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const command = [...startOf(peer), ...peer.args(Object.keys(files), TARGET_BASE_URL)];
    const { printed, ms } = runIn(folder, command, QUIET);
    return { verified: peer.verified(printed), ms };
  });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How a program starts: those of packages with this Node. */
function startOf({ packages: names, program }: Peer): readonly string[] {
  return names.length > 0 ? [process.execPath, resolve(packages.installed, 'node_modules/.bin', program)] : [program];
}

/** The versions of a peer. Undefined if it is a program that this machine does not have. */
function versionOf({ packages: names, program }: Peer): string | undefined {
  if (names.length === 0)
    return /\d+\.\d+\.\d+/.exec(`${spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout}`)?.[0];
  const { dependencies } = JSON.parse(readFileSync(join(packages.source, 'package.json'), 'utf8'));
  return names.map((name) => dependencies[name]).join(', ');
}

/** Runs a program in a folder to its end, whatever its exit code, and returns what it printed. */
function runIn(folder: string, [program = '', ...args]: readonly string[], env: Env) {
  const started = performance.now();
  const { stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: MOST_PRINTED,
  });
  if (error) throw error;
  return { printed: stripVTControlCharacters(`${stdout}\n${stderr}`), ms: performance.now() - started };
}
