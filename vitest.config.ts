import { delimiter, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start processes, browsers or dozens of targets; their size, by which vitest sorts in a new clone, does not tell. */
const LONG = /\/cli\/|\.browser\.test\.ts$|\/(prove|matrix|third-operation|crash)\.test\.ts$/;

/** The long ones first: one that is left for the end keeps one core busy while the other waits. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)));
  }
}

const everywhere = ['dist/**', 'node_modules/**'];

export default defineConfig({
  test: {
    // Conformance groups talk to a live target; a group waits for Retry-After rather than fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores here and in CI: more workers than cores only add noise.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // Files share what they import: a quarter of the time went into loading the same modules a hundred times.
    isolate: false,
    // CommonJS packages are imported as Node imports them, so that what is tested is what runs.
    deps: { interopDefault: false },
    // A machine may have no curl, and tests paste the lines that we print.
    env: { PATH: `${process.env['PATH']}${delimiter}${resolve('fixtures/commands')}` },
    projects: [
      {
        extends: true,
        test: { name: 'sources', include: ['**/*.test.ts'], exclude: [...everywhere, '**/*.browser.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['**/*.browser.test.ts'],
          exclude: everywhere,
          globalSetup: 'fixtures/chromium/provide-chromium.ts',
        },
      },
    ],
  },
});
