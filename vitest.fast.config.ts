import { defineConfig } from 'vitest/config';
import { FAST, SHARED } from './vitest.config.ts';

/** The fast tests alone, of the sources: for `npm run check`, `test:fast` and `test:watch`. */
export default defineConfig({
  test: {
    ...SHARED,
    name: 'fast',
    ...FAST,
    // These tests run after each change. A source that did not change is not compiled again.
    experimental: { fsModuleCache: true },
  },
});
