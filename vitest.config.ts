import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    // Conformance groups talk to a live target; a group waits for Retry-After rather than fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores here and in CI: more workers than cores only add noise.
    maxWorkers: 2,
    // Files share what they import: a quarter of the time went into loading the same modules a hundred times.
    isolate: false,
    // CommonJS packages are imported as Node imports them, so that what is tested is what runs.
    deps: { interopDefault: false },
  },
});
