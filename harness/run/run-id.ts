import { createHash, randomBytes } from 'node:crypto';
import { configurationError } from '../contract/configuration-error.ts';
import type { Shard } from '../plan/shard.ts';

/** What may name a run. */
export interface RunNames {
  /** The flag --run. */
  readonly given: string | undefined;
  readonly shard: Shard | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A run id is part of an email address and of a User-Agent. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/**
 * The id of a run. All shards of a run need the same one, so that `merge` can tell them from shards of another run. Under
 * GitHub Actions it follows from the number and the attempt of the workflow run.
 * @returns undefined if the run needs no particular id.
 * @throws a configuration error for a shard without an id, and for an id with other characters.
 */
export function readRunId({ given, shard, environment }: RunNames): string | undefined {
  if (given !== undefined) {
    if (RUN_ID.test(given)) return given;
    throw configurationError(
      `--run must have 1 to 40 letters, digits, dots, hyphens and underscores, and begin with a letter or digit, not ${JSON.stringify(given)}`,
    );
  }
  if (shard === undefined) return undefined;
  const { GITHUB_RUN_ID: workflow, GITHUB_RUN_ATTEMPT: attempt } = environment;
  const derived = `${workflow}-${attempt}`;
  if (workflow && attempt && RUN_ID.test(derived)) return derived;
  throw configurationError(
    '--shard needs --run ID: give every shard of one run the same ID, such as the number of the build, so that merge can tell them from shards of another run',
  );
}

export function randomRunId(): string {
  return randomBytes(4).toString('hex');
}

/** The seed of the random values of checks. It is the same for all shards of a run. */
export function seedOf(run: string): number {
  return createHash('sha256').update(run).digest().readInt32BE();
}
