import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const files = readdirSync('.', { withFileTypes: true })
  .filter(({ name }) => !['.git', 'node_modules', 'dist'].includes(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(entry.name, { recursive: true, encoding: 'utf8' }).map((path) => `${entry.name}/${path}`)
      : [entry.name],
  )
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('/node_modules/'));
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
/** The lines of some files in which this pattern is. */
const lines = (paths: readonly string[], wanted: RegExp) =>
  paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .filter((line) => wanted.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: true;
}
const pipelines = files.filter((path) => /(^action|^\.github\/.*)\.ya?ml$/.test(path));

describe('what others wrote and this project runs', () => {
  const locks = files.filter((path) => path.endsWith('package-lock.json'));

  test('has five lock files', () => expect(locks).toHaveLength(5));

  test.each(locks)('has a SHA-512 hash for each entry of %s, and no address', (path) => {
    const entries = Object.entries<Locked>(parse(textOf(path)).packages).slice(1);
    const isOwn = (name = '') => ['service', 'fixtures/applications'].includes(name);
    // What a package brings in its own archive is covered by the hash of that.
    const others = entries.filter(([name, { resolved, inBundle }]) => !isOwn(name) && !isOwn(resolved) && !inBundle);
    const wrong = others.filter(
      ([, { integrity = '', resolved }]) => !/^sha512-[\w+/]{86}==$/.test(integrity) || resolved,
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  test('has no install script in the lock file of the suite, whose packages people install as they like', () => {
    const entries = Object.entries<{ hasInstallScript?: true }>(parse(textOf('package-lock.json')).packages);
    expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  });

  test('has no install script that runs: each command that installs something leaves them out', () => {
    const shown = files.filter((path) => /\.(md|ya?ml|sh|mjs)$|^\.ci\//.test(path) || /(?<!\.test)\.ts$/.test(path));
    const installs = /\bnpm (?:ci|i|install|add|exec)\b(?! in )|\bnpx (?:-|@|[\w-]+@)(?!-no )|'npm', \[(?!'pack')/;
    expect(lines(shown, installs).filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  });

  test('is an action of GitHub only by its commit, with the version beside it', () => {
    const used = lines([...pipelines, 'docs/ci.md'], /\buses: (?!\.\/)/);
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((line) => !/uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('comes from no cache that nobody checks, unless somebody asks for the history: npm checks what is in its own', () => {
    expect(lines(pipelines, /actions\/cache/)).toHaveLength(2);
    const { runs, inputs } = parse(textOf('action.yml'));
    const cached = runs.steps.filter(({ uses = '' }) => /^actions\/cache/.test(uses));
    for (const { if: condition, with: given } of cached) {
      expect(condition).toMatch(/inputs\.history != ''$/);
      expect(given.path).toMatch(/^\S+ inputs\.report-dir \}\}\/history\.json$/);
    }
    expect([cached.length, inputs.history.default]).toEqual([2, '']);
  });
});
