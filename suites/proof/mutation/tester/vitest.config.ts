import { defineConfig } from 'vitest/config';

/** The fast tests of the judge and of token verification. Slow tests would make each mutant cost a minute. */
export default defineConfig({
  test: {
    include: ['harness/**/*.test.ts', 'service/{api,store}/**/*.test.ts'],
    exclude: ['**/*.slow.test.ts', '**/*.browser.test.ts', 'node_modules/**'],
    testTimeout: 60_000,
    deps: { interopDefault: false },
  },
});
