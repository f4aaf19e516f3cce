import { defineConfig } from 'vitest/config';
import { FAST, SHARED } from './vitest.config.ts';

/** The fast tests alone, of the sources: for `npm run check`, `test:fast` and `test:watch`. */
export default defineConfig({
  test: { ...SHARED, name: 'fast', ...FAST },
});
