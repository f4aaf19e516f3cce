import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type File, type Suite, startTests, type Test, type VitestRunner } from '@vitest/runner';

/** What the tester and the mutated code share: `globalThis.__stryker__`. */
interface Shared {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}
interface DryRun {
  readonly files?: readonly string[];
}
interface MutantRun {
  /** The ids of the tests that reach the mutant. Undefined for code that runs while a module loads. */
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly activeMutant: { readonly id: string };
  readonly sandboxFileName: string;
}
type Outcome = { readonly count: number; readonly failed?: { readonly id: string; readonly message: string } };

/**
 * A test runner for the mutation tester. It runs the tests in its own process and keeps the modules for all mutants, so
 * that a mutant costs only the tests that reach it. For a mutant of code that runs while a module loads, the tester
 * starts another process.
 */
function inProcess() {
  const shared: Shared = {};
  Object.assign(globalThis, { __stryker__: shared, __vitest_worker__: WORKER });
  let times = 0;
  /** What each file cost without a mutant, in milliseconds. */
  const costs = new Map<string, number>();

  /** Runs the tests with these ids in some files, and stops at the first that fails. */
  async function run(files: readonly string[], isWanted: (id: string) => boolean): Promise<Outcome> {
    let count = 0;
    for (const file of files)
      for (const test of await runFile(file, isWanted, true)) {
        if (test.result?.state === 'pass' || test.result?.state === 'fail') count += 1;
        if (test.result?.state === 'fail') return { count, failed: { id: idOf(test), message: messageOf(test) } };
      }
    return { count };
  }

  async function runFile(file: string, isWanted: (id: string) => boolean, bail: boolean): Promise<readonly Test[]> {
    let failed = false;
    const runner: VitestRunner = {
      config: CONFIG,
      importFile(path) {
        // Node evaluates a file again, and so registers its tests again, only under another address.
        times += 1;
        return import(`${pathToFileURL(path)}?${times}`);
      },
      onCollected(collected) {
        for (const test of collected.flatMap(testsOf))
          if (test.mode === 'run' && !isWanted(idOf(test))) test.mode = 'skip';
      },
      onBeforeRunTask(test) {
        if (failed && bail) test.mode = 'skip';
        else shared.currentTestId = idOf(test);
      },
      onAfterRunTask(test) {
        shared.currentTestId = undefined;
        failed ||= test.result?.state === 'fail';
      },
    };
    const [found] = await startTests([resolve(file)], runner);
    if (!found) return [];
    const tests = testsOf(found);
    const { state, errors } = found.result ?? {};
    // The file could not be loaded, or a hook failed.
    if (state === 'fail' && !failed) return [{ name: 'the file', file: found, result: { state, errors } } as Test];
    return tests;
  }

  return {
    capabilities: () => ({ reloadEnvironment: false }),
    async dryRun({ files = [] }: DryRun) {
      delete shared.activeMutant;
      const tests: Test[] = [];
      for (const file of testFiles(files)) {
        const found = await runFile(file, () => true, false);
        costs.set(
          file,
          found.reduce((total, { result }) => total + (result?.duration ?? 0), 0),
        );
        tests.push(...found);
      }
      return { status: 'complete', tests: tests.map(resultOf), mutantCoverage: shared.mutantCoverage };
    },
    async mutantRun({ testFilter, hitLimit, activeMutant, sandboxFileName }: MutantRun) {
      const mutated = relative(process.cwd(), sandboxFileName);
      const files = testFilter ? [...new Set(testFilter.map(fileOf))] : testFiles([mutated]);
      // Most mutants fail a cheap test.
      files.sort((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0));
      const wanted = testFilter && new Set(testFilter);
      Object.assign(shared, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
      const { count, failed } = await run(files, (id) => wanted?.has(id) ?? true);
      const hits = shared.hitCount ?? 0;
      Object.assign(shared, { activeMutant: undefined, hitCount: 0, hitLimit: undefined });
      if (hitLimit !== undefined && hits > hitLimit) return { status: 'timeout', reason: 'an endless loop' };
      if (!failed) return { status: 'survived', nrOfTests: count };
      // A mutant must not leave anything behind that makes the tests of the next one fail.
      const again = testFilter && (await run([fileOf(failed.id)], (id) => id === failed.id));
      if (again?.failed) return { status: 'error', errorMessage: `${failed.id} fails without the mutant too` };
      return { status: 'killed', nrOfTests: count, killedBy: [failed.id], failureMessage: failed.message };
    },
  };
}
inProcess.inject = [] as const;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: inProcess }];

const CONFIG: VitestRunner['config'] = {
  root: process.cwd(),
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { shuffle: false, concurrent: false, seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  // A mutant can make a test wait for ever. Less than the tester's own limit, so that its process need not start again.
  testTimeout: 5_000,
  hookTimeout: 5_000,
  retry: 0,
  includeTaskLocation: undefined,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

/** What vitest asks of its worker. */
const WORKER = {
  config: { expect: {}, snapshotOptions: { expand: false } },
  providedContext: {},
  filepath: '',
  metaEnv: process.env,
};

/** The fast tests of the rooms of these files. A room must be safe by its own tests: those of other rooms cost more. */
function testFiles(mutated: readonly string[]): string[] {
  const rooms = new Set(mutated.map((file) => dirname(relative(process.cwd(), resolve(file)))));
  return [...rooms]
    .flatMap((room) => readdirSync(room).map((name) => join(room, name)))
    .filter((file) => file.endsWith('.test.ts') && !/\.(slow|browser|proof)\.test\.ts$/.test(file))
    .sort();
}

function testsOf(suite: Suite | File): readonly Test[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));
}

function idOf({ name, suite, file }: Test): string {
  const names = [name];
  for (let outer = suite; outer; outer = outer.suite) names.unshift(outer.name);
  return `${relative(process.cwd(), file.filepath)}#${names.join(' > ')}`;
}

function fileOf(id: string): string {
  return id.slice(0, id.indexOf('#'));
}

function messageOf({ result }: Test): string {
  return result?.errors?.[0]?.message ?? 'failed';
}

/** The numbers are the tester's: 0 passed, 1 failed, 2 skipped. */
function resultOf(test: Test) {
  const { duration: timeSpentMs = 0, state } = test.result ?? {};
  const status = state === 'pass' ? 0 : state === 'fail' ? 1 : 2;
  return {
    id: idOf(test),
    name: test.name,
    fileName: test.file.filepath,
    timeSpentMs,
    status,
    failureMessage: messageOf(test),
  };
}
