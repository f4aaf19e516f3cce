import type { Shard } from './shard.ts';

/** What a plan and a journal say of a hand-written check. */
export interface CheckHead {
  readonly id: string;
  /** Requirements of the ledger that it can decide. */
  readonly requirements: readonly string[];
}

/** What makes a run a part of the whole. A case or check must match one of each kind that is given. */
export interface Narrowing {
  /** Globs over the ids of cases and checks. */
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly requirements: readonly string[];
  readonly shard?: Shard;
}
export const WHOLE: Narrowing = { only: [], except: [], requirements: [] };

export function isNarrowed({ only, except, requirements, shard }: Narrowing): boolean {
  return only.length + except.length + requirements.length > 0 || shard !== undefined;
}

/** The flags that narrow a run, as they are written; empty for a whole one. */
export function describeNarrowing({ only, except, requirements, shard }: Narrowing): string {
  return [
    ...only.map((glob) => `--only ${glob}`),
    ...except.map((glob) => `--except ${glob}`),
    ...requirements.map((id) => `--requirement ${id}`),
    ...(shard ? [`--shard ${shard.index}/${shard.of}`] : []),
  ].join(' ');
}
