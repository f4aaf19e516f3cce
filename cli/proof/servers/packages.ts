import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configurationError } from '../../../harness/contract/configuration-error.ts';
import type { PinnedPackages } from '../pinned-packages.ts';

/** The servers that come from npm. */
export const packages: PinnedPackages = {
  source: 'suites/proof/servers/packages',
  installed: 'node_modules/.cache/servers',
  leastNode: '22.19',
};

/** The path of a file of a package from npm. */
export const inPackages = (path: string): string => resolve(packages.installed, 'node_modules', path);

/**
 * Unpacks a package of Debian and installs nothing. apt checks it against the signatures of the archive.
 * @returns the folder that stands for the root of the file system.
 */
export function unpackDebian(name: string, version: string): string {
  const unpacked = resolve('node_modules/.cache/debian', `${name}_${version.replaceAll(':', '%3a')}`);
  if (existsSync(unpacked)) return unpacked;
  const folder = `${unpacked}.part`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const run = (...[program, ...args]: [string, ...string[]]) => {
    const { status, error } = spawnSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0)
      throw configurationError(`${program} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
  };
  run('apt-get', '--option', 'APT::Sandbox::User=root', 'download', `${name}=${version}`);
  run('sh', '-c', `dpkg -x ${name}_*.deb root`);
  renameSync(join(folder, 'root'), unpacked);
  rmSync(folder, { recursive: true });
  return unpacked;
}
