import { delimiter, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TESTS = '**/*.test.ts';
const BROWSER = '**/*.browser.test.ts';
/** Tests that start processes or dozens of targets, or that need dist/. */
const SLOW = ['cli/**/*.test.ts', '**/*.slow.test.ts'];
/** What runs against TARGET_BASE_URL; against the embedded service when nothing is set. */
const TARGET = ['suites/conformance.test.ts'];
const EVERYWHERE = ['dist/**', 'node_modules/**'];

/** Long tests first: a long one at the end keeps one core busy while the other waits. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project, moduleId }: TestSpecification) =>
      project.name !== 'fast' || /conformance|prove/.test(moduleId);
    return [...sorted].sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  test: {
    // Conformance groups talk to a live target, and a group may wait as long as the target asks for.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A browser on a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    // Two cores here and in CI: more workers than cores only add noise.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // Test files share the modules that they import. To load them again for each file took a quarter of the time.
    isolate: false,
    // CommonJS packages are imported as Node imports them, so that the tests run what users run.
    deps: { interopDefault: false },
    // A machine may have no curl, and tests paste the lines that we print.
    env: { PATH: `${process.env['PATH']}${delimiter}${resolve('fixtures/commands')}` },
    coverage: { include: ['harness/**', 'suites/**', 'service/**', 'cli/**'], exclude: ['**/testing/**'] },
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: [TESTS], exclude: [...EVERYWHERE, BROWSER, ...SLOW, ...TARGET] },
      },
      { extends: true, test: { name: 'slow', include: SLOW, exclude: EVERYWHERE } },
      { extends: true, test: { name: 'target', include: TARGET, exclude: EVERYWHERE } },
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
