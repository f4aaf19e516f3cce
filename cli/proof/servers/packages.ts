import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configurationError } from '../../../harness/contract/configuration-error.ts';
import type { PinnedPackages } from '../pinned-packages.ts';
import type { CommandLine } from './start-program.ts';

/** The servers that come from npm. */
export const packages: PinnedPackages = {
  source: 'suites/proof/servers/packages',
  installed: 'node_modules/.cache/servers',
  leastNode: '22.19',
};

/** The path of a file of a package from npm. */
export const inPackages = (path: string): string => resolve(packages.installed, 'node_modules', path);

/** Packages of Debian, the one that is judged first. */
interface DebianPackages {
  readonly name: string;
  readonly version: string;
  /** What runs beside it and is no dependency of it. */
  readonly beside?: readonly string[];
}

/**
 * Unpacks packages of Debian with what they need and this machine lacks, and installs nothing. apt checks each against the
 * signatures of the archive.
 * @returns the folder that stands for the root of the file system.
 */
export function unpackDebian({ name, version, beside = [] }: DebianPackages): string {
  const unpacked = resolve('node_modules/.cache/debian', `${name}-${version}`);
  if (existsSync(unpacked)) return unpacked;
  const folder = `${unpacked}.part`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const wanted = ['--simulate', 'install', '--no-install-recommends', `${name}=${version}`, ...beside];
  const missing = runIn(folder, ['apt-get', ...wanted]).matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm);
  const versions = [...missing].map(([, one, itsVersion]) => `${one}=${itsVersion}`);
  runIn(folder, ['apt-get', '--option', 'APT::Sandbox::User=root', 'download', ...versions]);
  for (const file of readdirSync(folder)) runIn(folder, ['dpkg', '--extract', file, 'root']);
  renameSync(join(folder, 'root'), unpacked);
  rmSync(folder, { recursive: true });
  return unpacked;
}

/** Runs a program to its end. Returns what it printed. */
export function runIn(folder: string, line: CommandLine, env: NodeJS.ProcessEnv = {}): string {
  const [program, ...args] = line;
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  if (error && 'code' in error && error.code === 'ENOENT')
    throw configurationError(
      `${program} is not on this machine; the servers from Debian need it, those from npm do not: --only names one of them`,
    );
  throw configurationError(`${program} ${args[0]}: ${error?.message ?? stderr.slice(0, 500)}`);
}
