import type { Shard } from './shard.ts';

export interface CheckHead {
  readonly id: string;
  /** The requirements that it can decide. */
  readonly requirements: readonly string[];
  /** It reads the answers to everything that was sent, so each shard runs it on its own part. */
  readonly readsRun?: boolean;
}

/** What narrows a run. A case or check must match one entry of `only` and of `requirements`, unless they are empty. */
export interface Narrowing {
  /** Globs over the ids of cases and checks. */
  readonly only: readonly string[];
  /** Globs over the ids of cases and checks to leave out. */
  readonly except: readonly string[];
  readonly requirements: readonly string[];
  readonly shard?: Shard;
}
export const WHOLE: Narrowing = { only: [], except: [], requirements: [] };

export function isNarrowed({ only, except, requirements, shard }: Narrowing): boolean {
  return only.length + except.length + requirements.length > 0 || shard !== undefined;
}

/** The flags that narrow a run, as on the command line; empty for a whole run. */
export function describeNarrowing(narrowing: Narrowing): string {
  return flagsOf(narrowing).join(' ');
}

export function flagsOf({ only, except, requirements, shard }: Narrowing): readonly string[] {
  return [
    ...only.map((glob) => `--only ${glob}`),
    ...except.map((glob) => `--except ${glob}`),
    ...requirements.map((id) => `--requirement ${id}`),
    ...(shard ? [`--shard ${shard.index}/${shard.of}`] : []),
  ];
}
