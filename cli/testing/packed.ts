import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { extract } from 'tar';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}
/** What npm would publish. */
export interface Packed {
  readonly file: string;
  readonly files: readonly string[];
}

/** Packs the suite into a folder. */
export function packInto(folder: string): Packed {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files }] = JSON.parse(packed);
  return { file: join(folder, filename), files: files.map(({ path }: { path: string }) => path) };
}

/**
 * Installs a packed file as npm does, with links to the production dependencies: no network, TypeScript or repository.
 * @returns the folder of the installed package.
 */
export function installPacked({ file }: Packed, folder: string): string {
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'client-api-conformance');
  mkdirSync(installed, { recursive: true });
  extract({ file, cwd: installed, strip: 1, sync: true });
  const { packages }: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const name = path.slice('node_modules/'.length);
    if (dev || devOptional || path === '' || name.includes('node_modules/') || !existsSync(path)) continue;
    mkdirSync(join(modules, dirname(name)), { recursive: true });
    symlinkSync(resolve(path), join(modules, name));
  }
  const main = join(installed, 'dist', 'cli', 'main.js');
  chmodSync(main, 0o755);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(main, join(modules, '.bin', 'client-api-conformance'));
  return installed;
}
