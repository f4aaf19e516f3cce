import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { bundleInto, installPacked, type Packed, packInto, runIn } from './testing/packed.ts';

const home = mkdtempSync(join(tmpdir(), 'conformance-package-'));
const installed = join(home, 'node_modules', 'client-api-conformance');
const folder = join(home, 'work');
let suite: Packed;
let files: readonly string[] = [];
let before: readonly string[] = [];
let oneFile = '';

/** Installs what npm would publish, the suite alone. */
beforeAll(() => {
  suite = packInto(home);
  files = suite.files;
  mkdirSync(folder);
  installPacked([suite], home);
  each(installed, (path, mode) => chmodSync(path, mode & 0o555));
  chmodSync(join(installed, 'dist', 'cli', 'main.js'), 0o555);
  before = stateOf(installed);
  oneFile = bundleInto(join(home, 'one'));
});
afterAll(() => {
  each(installed, (path) => chmodSync(path, 0o755));
  rmSync(home, { recursive: true, force: true });
});

function each(root: string, visit: (path: string, mode: number) => void): void {
  for (const entry of readdirSync(root, { withFileTypes: true }))
    if (entry.isDirectory()) each(join(root, entry.name), visit);
    else visit(join(root, entry.name), 0o644);
  visit(root, 0o755);
}

/** Every file with the time of its last write. Needed because root can write to read-only files. */
function stateOf(root: string): readonly string[] {
  const state: string[] = [];
  each(root, (path) => state.push(`${path} ${statSync(path).mtimeMs}`));
  return state.sort();
}

describe('the package', () => {
  test('contains the compiled code, the data and nothing else', () => {
    const others = files.filter(
      (file) =>
        !/^(dist\/(cli|harness|suites)\/.+\.(js|css|svg)|dist\/harness\/.+\/assets\/.+\.(yaml|json)|dist\/specs\.json|dist\/validators\/.+\.cjs|specs\/.+\.(yaml|json)|package\.json|README\.md|LICENSE)$/.test(
          file,
        ),
    );
    expect(others).toEqual([]);
    expect(files.filter((file) => /\.test\.|\.map$|\.ts$/.test(file))).toEqual([]);
    for (const needed of [
      'dist/cli/main.js',
      'dist/specs.json',
      'dist/validators/report.cjs',
      'dist/harness/preview/assets/words.yaml',
      'dist/harness/preview/assets/words.json',
      'specs/client-api/rules.yaml',
      'LICENSE',
    ])
      expect(files).toContain(needed);
  });

  test('leaves the maps to the sources in dist/, where stack traces of tests need them', () => {
    expect(existsSync(join('dist', 'cli', 'main.js.map'))).toBe(true);
  });

  test('contains every module that its modules import', () => {
    const missing = files.flatMap((file) =>
      file.endsWith('.js')
        ? [...readFileSync(join(installed, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
            .map(([, imported = '']) => `${posix.join(posix.dirname(file), imported)}`)
            .filter((imported) => !files.includes(imported))
            .map((imported) => `${file} imports ${imported}`)
        : [],
    );
    expect(missing).toEqual([]);
  });

  test('does not contain the proof of the suite', () => {
    expect(files.filter((file) => /\/(proof|testing|deviants|variants|plain|chromium)\//.test(file))).toEqual([]);
  });

  test('names a command that exists, and has no installation script', () => {
    const { bin, scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(files).toContain(bin['client-api-conformance']);
    expect(Object.keys(scripts).filter((name) => /^((pre|post)?install|(pre|post)?prepare)$/.test(name))).toEqual([]);
    expect(existsSync(join(home, 'node_modules', 'typescript'))).toBe(false);
  });

  test('brings at most 34 packages, none with native code', () => {
    expect(suite.needs.length + 1).toBeLessThanOrEqual(34);
    const inside = suite.needs.flatMap((path) => readdirSync(path, { recursive: true, encoding: 'utf8' }));
    expect(inside.filter((file) => /\.node$|binding\.gyp$/.test(file))).toEqual([]);
  });
});

describe('the one file', () => {
  test('has the same bytes at each build, and its SHA-256 beside it', () => {
    const again = bundleInto(join(home, 'again'));
    expect(readFileSync(again)).toEqual(readFileSync(oneFile));
    const sum = createHash('sha256').update(readFileSync(oneFile)).digest('hex');
    expect(readFileSync(`${oneFile}.sha256`, 'utf8')).toBe(`${sum}  client-api-conformance.mjs\n`);
  });

  test('has the licence of every package that it contains, and no address of this machine', () => {
    const text = readFileSync(oneFile, 'utf8');
    for (const path of suite.needs.filter((one) => !/@types|openapi-types/.test(one))) {
      const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      if (text.includes(`#region ${path}/`)) expect(text).toContain(`/*! ${name} ${version}\n`);
    }
    expect(text).toContain('/*! client-api-conformance ');
    expect(text).not.toContain(process.cwd());
  });
});

describe.each([
  ['the package', () => join(installed, 'dist', 'cli', 'main.js')],
  ['the one file', () => oneFile],
])('%s', (how, program) => {
  const run = (...args: readonly string[]) => runIn(folder, program(), ...args);

  test('proves a contract of its own', () => {
    const file = join(home, 'small.yaml');
    const lines = ['name: small', 'credential: "X-Api-Key: {token}"', 'operations: { me: { request: GET /me } }'];
    writeFileSync(file, [...lines, 'kinds: { APP: { made: in the console } }', ''].join('\n'));
    const { code, output } = run('prove', '--contract', file);
    expect(output).toContain('✔ small can fail: ');
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([['run', '--embedded'], ['plan', '--embedded'], ['serve'], ['rotate-keys']])(
    'says what to install where the reference service is not: %s',
    (...args) => {
      const { code, output } = run(...args);
      expect(output).toContain(
        'the reference service is the package client-api-reference, which is not installed here',
      );
      expect(output).toContain('npm pack --workspace service');
      expect(code).toBe(2);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('says what to do where the reference service is not built', () => {
    const service = join(how === 'the package' ? home : join(home, 'one'), 'node_modules', 'client-api-reference');
    mkdirSync(service, { recursive: true });
    writeFileSync(join(service, 'package.json'), JSON.stringify({ exports: './dist/main.js' }));
    const { code, output } = run('serve');
    rmSync(service, { recursive: true });
    expect(output).toContain('is here, and not built: run npm run build');
    expect(code).toBe(2);
  });

  test('tests nothing in an empty folder without --embedded: a lost .env must not look like success', () => {
    for (const command of ['run', 'plan']) {
      const { code, output } = run(command);
      expect(output).toContain('no variable names an implementation to test: set TARGET_BASE_URL');
      expect(code).toBe(2);
    }
  });

  test('explains what a report prints', () => {
    expect(run('explain', 'token.expired').output).toContain('A token is refused with 401 after its expiry.');
  });

  test('runs the lines of the README, which need no registry, and writes nothing into its installation', async () => {
    const named = 'npx --no -- client-api-conformance';
    const readme = [...readFileSync('README.md', 'utf8').matchAll(/^npx .*$/gm)].map(([line]) => line);
    expect(readme.map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual(
      ['init', 'plan', 'run'].map((command) => `${named} ${command}`),
    );
    const lines = how === 'the package' ? readme : readme.map((line) => line.replace(named, `node '${oneFile}'`));
    const cwd = mkdtempSync(join(home, 'readme-'));
    const target = await startPlainTarget();
    const env = {
      ...target.env,
      PATH: process.env['PATH'],
      HOME: home,
      CONFORMANCE_CLAIMS: 'user',
      npm_config_registry: 'http://127.0.0.1:9',
    };
    const ended: (number | null)[] = [];
    for (const line of lines) {
      const child = spawn('sh', ['-c', line], { cwd, env, stdio: 'ignore' });
      ended.push(await new Promise((done) => child.once('close', done)));
    }
    await target.close();
    expect(ended).toEqual([0, 0, 0]);
    expect(readdirSync(cwd).sort()).toEqual(['.env', 'conformance-report']);
    expect(stateOf(installed)).toEqual(before);
  });
});
