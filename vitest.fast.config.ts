import { defineConfig } from 'vitest/config';
import whole, { FAST } from './vitest.config.ts';

/** The fast tests alone: for `npm run check`, `test:fast` and `test:watch`. */
export default defineConfig({
  test: { ...whole.test, projects: [{ extends: true, test: { name: 'fast', ...FAST } }] },
});
