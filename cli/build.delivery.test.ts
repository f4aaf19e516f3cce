import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** Stands for the service, and for the modules that read the specs and choose the cases, which takes seconds. */
const OTHERS = {
  'harness/contract/built-specs.ts': `
    export const builtFile = new URL('../../specs.json', import.meta.url);
    export const builtSpecs = (_folder: string): object | undefined => undefined;
    export const textOfBuilt = (_folder: string, built: object): string => JSON.stringify(built);`,
  'harness/contract/read-specs.ts': 'export const readSpecs = async (_folder: string): Promise<object> => ({});',
  'harness/contract/load-contract.ts': 'export const contractOf = (_folder: string, specs: object): object => specs;',
  'harness/contract/validator.ts': "export const validatorModules = () => [{ name: 'report', text: 'kept' }];",
  'specs/client-api/openapi.yaml': 'openapi: 3.1.0',
  'service/main.ts': 'export const service: number = 1;',
  'harness/plan/strength/prepare.ts': 'export const prepare = (_contract: object): object => ({});',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-'));
  for (const file of ['build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(file, join(folder, file));
  cpSync('specs/schemas', join(folder, 'specs/schemas'), { recursive: true });
  writeFileSync(
    join(folder, 'tsconfig.build.json'),
    readFileSync('tsconfig.build.json', 'utf8').replace(
      /"include": \[.*\]/,
      '"include": ["cli", "harness", "service"]',
    ),
  );
  for (const [file, text] of Object.entries(OTHERS)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(folder, 'cli'));
  source('main.ts', 'export const answer: number = 1;');
  source('other.ts', 'export const other: number = 1;');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = (name: string, text: string) => writeFileSync(join(folder, 'cli', name), `${text}\n`);
const built = (name: string) => join(folder, 'dist', 'cli', name);
const written = (name: string) => statSync(built(name)).mtimeMs;

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, args, { cwd: folder });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
  return { ended, child };
}
const build = (...args: readonly string[]) => start('build.mjs', ...args).ended;

describe('the build', () => {
  test('compiles nothing if nothing changed, and otherwise replaces only what changed', async () => {
    expect(await build()).toEqual({ code: 0, output: '' });
    const [main, other] = [written('main.js'), written('other.js')];
    expect((await build()).code).toBe(0);
    expect(written('main.js')).toBe(main);
    source('main.ts', 'export const answer: number = 2;');
    expect((await build()).code).toBe(0);
    expect(written('main.js')).not.toBe(main);
    expect(written('other.js')).toBe(other);
  });

  test('makes the folder of the service a package that is complete by itself', async () => {
    await build();
    expect(readFileSync(join(folder, 'service', 'dist', 'main.js'), 'utf8')).toContain('service = 1');
    expect(existsSync(join(folder, 'service', 'specs', 'client-api', 'openapi.yaml'))).toBe(true);
  });

  test('lets Node strip the types where the compiler is not installed, or says what is missing', async () => {
    rmSync(join(folder, 'node_modules'));
    source('main.ts', "import { other } from './other.ts';\nexport const answer: number = other + 41;");
    const { code, output } = await build();
    if ('stripTypeScriptTypes' in module) {
      expect({ code, output }).toEqual({ code: 0, output: '' });
      expect((await import(pathToFileURL(built('main.js')).href)).answer).toBe(42);
    } else {
      expect(output).toBe(
        'Without TypeScript, the build needs Node 22.13 or newer. Run npm ci --ignore-scripts, or use a newer Node.\n',
      );
      expect(code).toBe(1);
    }
  });

  test('never removes a module from a running program, even when two builds run at the same time', async () => {
    await build();
    const reader = `let n = 0;
      process.stdin.once('data', () => { console.log(n > 20); process.exit(0); });
      for (;;) {
        const { answer } = await import('./dist/cli/main.js?' + n++);
        if (!answer) throw new Error('empty');
        await new Promise((resolve) => setImmediate(resolve));
      }`;
    const running = start('--input-type=module', '-e', reader);
    for (const answer of [2, 3]) {
      source('main.ts', `export const answer: number = ${answer};`);
      const both = await Promise.all([build(), build()]);
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
    }
    running.child.stdin.end('stop\n');
    expect(await running.ended).toEqual({ code: 0, output: 'true\n' });
  });

  test('keeps the last build if a source has an error, and names its file', async () => {
    await build();
    source('main.ts', `export const answer: number = 'two';`);
    const { code, output } = await build();
    expect(code).not.toBe(0);
    expect(output).toContain('cli/main.ts');
    expect(readFileSync(built('main.js'), 'utf8')).toContain('answer = 1');
  });

  test('copies the files of folders called assets', async () => {
    mkdirSync(join(folder, 'cli', 'assets'));
    source('assets/page.css', 'a { color: red }');
    await build();
    source('assets/page.css', 'a { color: blue }');
    await build();
    expect(readFileSync(built('assets/page.css'), 'utf8')).toContain('blue');
  });

  test('deletes a file without a source only with --prune', async () => {
    await build();
    rmSync(join(folder, 'cli', 'other.ts'));
    await build();
    expect(existsSync(built('other.js'))).toBe(true);
    await build('--prune');
    expect(existsSync(built('other.js'))).toBe(false);
    expect(existsSync(built('main.js'))).toBe(true);
  });

  test('keeps a validator for each schema, and nothing else that it made on the way', async () => {
    await build();
    source('main.ts', 'export const answer: number = 2;');
    await build();
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual([
      '.built-from',
      'cli',
      'harness',
      'service',
      'specs.json',
      'validators',
    ]);
    await build('--prune');
    expect(readFileSync(join(folder, 'dist/validators/report.cjs'), 'utf8')).toBe('kept');
  });
});
