import { delimiter, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TESTS = '**/*.test.ts';
const BROWSER = '**/*.browser.test.ts';
/** Rooms whose tests start processes, services or dozens of targets, make whole reports, or need dist/. */
const SLOW_ROOMS = ['cli', 'service', 'suites/checks', 'harness/render', 'harness/report', 'harness/statement'];
const SLOW = ['**/*.slow.test.ts', ...SLOW_ROOMS.map((room) => `${room}/**/*.test.ts`)];
/** Tests of the implementation at TARGET_BASE_URL, or of the embedded service if no variable is set. */
const TARGET = ['suites/conformance.test.ts', 'suites/contract.test.ts'];
/** The proof of the suite on a sample. It takes minutes, so that `npm run test:proof` runs it and not `npm test`. */
const PROOF = '**/*.proof.test.ts';
const EVERYWHERE = ['dist/**', 'node_modules/**', '.mutate/**'];

/** The projects, the one with the longest files first, so that no core waits for a long file at the end. */
const PROJECTS = ['node', 'target', 'slow', 'browser', 'proof', 'fast'];

/** Runs one project after the other: files of one project share a worker, and a file of another ends it. */
class OneByOne extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return [...sorted].sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Conformance tests talk to a real target, which can ask them to wait.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A browser is slow on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // CI machines have two cores. More workers than cores only make the times vary.
    maxWorkers: 2,
    sequence: { sequencer: OneByOne },
    // Test files share the modules that they import: to load them for each file takes a quarter of the time.
    isolate: false,
    // CommonJS packages are imported as in Node, so that the tests run what users run.
    deps: { interopDefault: false },
    // Tests run the curl lines that reports print, and a machine may have no curl.
    env: { PATH: `${process.env['PATH']}${delimiter}${resolve('fixtures/commands')}` },
    coverage: { include: ['harness/**', 'suites/**', 'service/**', 'cli/**'], exclude: ['**/testing/**'] },
    projects: [
      // What `npm test` runs besides the browser. One project loads every module once, and not once for each project.
      { extends: true, test: { name: 'node', include: [TESTS], exclude: [...EVERYWHERE, BROWSER, PROOF] } },
      // Its parts, for those who run only one of them.
      {
        extends: true,
        test: { name: 'fast', include: [TESTS], exclude: [...EVERYWHERE, BROWSER, PROOF, ...SLOW, ...TARGET] },
      },
      {
        extends: true,
        test: { name: 'slow', include: SLOW, exclude: [...EVERYWHERE, BROWSER, PROOF] },
      },
      { extends: true, test: { name: 'target', include: TARGET, exclude: EVERYWHERE } },
      { extends: true, test: { name: 'proof', include: [PROOF], exclude: EVERYWHERE } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER],
          exclude: EVERYWHERE,
          globalSetup: 'fixtures/chromium/provide-chromium.ts',
        },
      },
    ],
  },
});
