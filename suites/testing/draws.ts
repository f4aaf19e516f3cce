import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set for the project `proof` (vitest.config.ts). */
    drawsAll: boolean;
  }
}

/** The seed of every random test of malformed input and of secrets. */
export const seed = 20261122;

/** How many values a random test draws: a share with `npm test`, all with `npm run test:proof`. The first ones are the same. */
export function draws(all: number, share = 1 / 5): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: inject('drawsAll') ? all : Math.ceil(all * share) };
}
