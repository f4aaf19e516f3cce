import { existsSync } from 'node:fs';
import { delimiter, relative, resolve } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { BUILT, useBuild } from './fixtures/built/use-build.ts';

const TESTS = '**/*.test.ts';
const BROWSER = '**/*.browser.test.ts';
/** The proof of the suite, on a sample, and attacks on the reference service. `npm run test:proof` runs them, because `npm test` takes long enough. */
const PROOF = '**/*.proof.test.ts';
/** What others get of this folder: the package, the build, the action, the example in docs. `npm run test:delivery` runs these tests. */
const DELIVERY = '**/*.delivery.test.ts';
/** Tests that search at random, by a seed. `npm test` draws the first fifth of the values, `npm run test:proof` all. */
const RANDOM = '**/*.random.test.ts';
const EVERYWHERE = ['dist/**', 'node_modules/**', '.mutate/**'];

/** Tests of the implementation at TARGET_BASE_URL, or of the embedded service if no variable is set. */
const TARGET = ['suites/conformance.test.ts', 'suites/contract.test.ts'];
/** Rooms whose tests start processes, services or dozens of targets, make whole reports, or need dist/. Single files: SLOW_NAME. */
const SLOW_ROOMS = ['cli', 'service', 'suites/checks', 'harness/render', 'harness/report', 'harness/statement'];
const SLOW_NAME = '.slow.test.ts';
const SLOW = [`**/*${SLOW_NAME}`, RANDOM, ...SLOW_ROOMS.map((room) => `${room}/**/*.test.ts`)];

/** What vitest.fast.config.ts runs: all that needs neither a build nor a browser, and ends in half a minute. */
export const FAST = { include: [TESTS], exclude: [...EVERYWHERE, BROWSER, PROOF, DELIVERY, ...SLOW, ...TARGET] };

/** How early a file runs. The shortest files run last, so that no core waits for a long one at the end. */
function rankOf({ project, moduleId }: TestSpecification): number {
  const file = relative('.', moduleId).replaceAll('\\', '/');
  // Files of one project share a worker. A file of another ends it, and the next one loads all modules again.
  if (project.name !== 'node') return 0;
  if (TARGET.includes(file)) return 1;
  return file.endsWith(SLOW_NAME) || SLOW_ROOMS.some((room) => file.startsWith(`${room}/`)) ? 2 : 3;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/** The configuration of all tests, without its projects. */
export const SHARED: ViteUserConfig['test'] = {
  // Conformance tests talk to a real target, which can ask them to wait.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A browser is slow on a busy machine.
  expect: { poll: { timeout: 20_000 } },
  // CI machines have two cores. More workers than cores only make the times vary.
  maxWorkers: 2,
  sequence: { sequencer: LongestFirst },
  // Test files share the modules that they import: to load them for each file takes a quarter of the time.
  isolate: false,
  // A stack trace names the source of a built module.
  execArgv: ['--enable-source-maps'],
  // CommonJS packages are imported as in Node, so that the tests run what users run.
  deps: { interopDefault: false },
  // Tests run the curl lines that reports print, and a machine may have no curl.
  env: { PATH: `${process.env['PATH']}${delimiter}${resolve('fixtures/commands')}` },
  coverage: { include: ['{harness,suites,service,cli}/**/*.ts'], exclude: ['**/testing/**', TESTS] },
};

/** A project whose tests import the build. */
const project = (name: string, test: ViteUserConfig['test']) => ({
  extends: true as const,
  plugins: [useBuild()],
  test: { name, server: { deps: { external: [BUILT] } }, ...test },
});

export default defineConfig(() => {
  // With an implementation to test, the tests of the suite itself say nothing about it. conformance.test.ts says so.
  const isNamed = process.env['TARGET_BASE_URL'] !== undefined || existsSync('.env');
  return {
    test: {
      ...SHARED,
      globalSetup: 'fixtures/built/use-build.ts',
      projects: [
        project('node', {
          include: isNamed ? TARGET : [TESTS],
          exclude: [...EVERYWHERE, BROWSER, PROOF, DELIVERY],
        }),
        project('browser', {
          include: isNamed ? [] : [BROWSER],
          exclude: EVERYWHERE,
          globalSetup: 'fixtures/chromium/find-chromium.ts',
        }),
        project('delivery', { include: [DELIVERY], exclude: EVERYWHERE }),
        project('proof', { include: [PROOF, RANDOM], exclude: EVERYWHERE, provide: { drawsAll: true } }),
      ],
    },
  };
});
