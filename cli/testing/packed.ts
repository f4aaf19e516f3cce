import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
/** What npm would publish. */
export interface Packed {
  readonly name: string;
  readonly file: string;
  readonly files: readonly string[];
  /** The folders of what it needs in the lock file, its own dependencies and theirs. */
  readonly needs: readonly string[];
}

/** Packs the suite, or the package in a folder of its own, into a folder. */
export function packInto(folder: string, workspace: '' | 'service' = ''): Packed {
  const flags = workspace === '' ? [] : ['--workspace', workspace];
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...flags], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ name, filename, files }] = JSON.parse(packed);
  const paths = files.map(({ path }: { path: string }) => path);
  return { name, file: join(folder, filename), files: paths, needs: neededBy(workspace) };
}

/** The packages that one needs, as npm would install them. */
function neededBy(root: string): readonly string[] {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  const found = new Set<string>();
  const add = (from: string) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = [`${from}/node_modules/${name}`, `node_modules/${name}`].find(
        (one) => one in packages && existsSync(one),
      );
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      add(path);
    }
  };
  add(root);
  return [...found];
}

/**
 * Installs packed files as npm does, with copies of what they need and nothing else: no network, TypeScript or repository.
 * @returns the folder of the first package.
 */
export function installPacked(packages: readonly Packed[], folder: string): string {
  const modules = join(folder, 'node_modules');
  for (const { name, file, needs } of packages) {
    for (const path of needs) cpSync(path, join(folder, path), { recursive: true, dereference: true });
    const installed = join(modules, name);
    mkdirSync(installed, { recursive: true });
    extract({ file, cwd: installed, strip: 1, sync: true });
  }
  const main = join(modules, 'client-api-conformance', 'dist', 'cli', 'main.js');
  if (existsSync(main)) {
    chmodSync(main, 0o755);
    mkdirSync(join(modules, '.bin'), { recursive: true });
    symlinkSync(main, join(modules, '.bin', 'client-api-conformance'));
  }
  return join(modules, packages[0]?.name ?? '');
}

/** Makes the one file in a folder. */
export function bundleInto(place: string): string {
  mkdirSync(place, { recursive: true });
  execFileSync(process.execPath, ['bundle.mjs', place]);
  return join(place, 'client-api-conformance.mjs');
}

/** Runs a program of the suite in a folder, without any variable. */
export function runIn(cwd: string, program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return { code: status, output: `${stdout}${stderr}` };
}
