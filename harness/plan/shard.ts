import { configurationError } from '../contract/configuration-error.ts';
import type { Group } from './plan.ts';

/** One of `of` parts of a run; the first is 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}
export interface Share {
  hasGroup(id: string): boolean;
  hasCheck(id: string): boolean;
}

/** About as many requests as a hand-written check sends: what it counts beside groups of so many cases. */
export const CHECK_WEIGHT = 30;

/**
 * Reads `2/4`.
 * @throws a configuration error for anything else.
 */
export function readShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of)
    throw configurationError(`--shard is ${JSON.stringify(text)}, wanted i/n with i from 1 to n, such as 2/4`);
  return { index, of };
}

/**
 * The share of one shard. Groups stay whole, so that what is sent again within a group is decided as in one run; the
 * largest are dealt out first, each to the shard with the least to send. Every shard comes to the same division.
 */
export function shareOf(
  groups: readonly Group[],
  checks: readonly { readonly id: string }[],
  { index, of }: Shard,
): Share {
  const units = [
    ...groups.map(({ id, cases }) => ({ key: `group ${id}`, weight: cases.length })),
    ...checks.map(({ id }) => ({ key: `check ${id}`, weight: CHECK_WEIGHT })),
  ].sort((a, b) => b.weight - a.weight);
  const loads = Array.from({ length: of }, () => 0);
  const owners = new Map<string, number>();
  for (const { key, weight } of units) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + weight;
    owners.set(key, least + 1);
  }
  return {
    // A group of which nothing can be sent belongs to the first shard, so that somebody reports it.
    hasGroup: (id) => (owners.get(`group ${id}`) ?? 1) === index,
    hasCheck: (id) => owners.get(`check ${id}`) === index,
  };
}
