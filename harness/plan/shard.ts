import { configurationError } from '../contract/configuration-error.ts';
import type { Group } from './plan.ts';

/** Part `index` of `of` parts of a run. The first part has index 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}
/** The groups and checks of one shard. */
export interface Share {
  hasGroup(id: string): boolean;
  hasCheck(id: string): boolean;
}

/** The weight of a check: about as many requests as it sends. The weight of a group is the number of its cases. */
export const CHECK_WEIGHT = 30;

/** Reads `2/4`. @throws a configuration error for anything else. */
export function readShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of)
    throw configurationError(`--shard must be i/n with i from 1 to n, such as 2/4, not ${JSON.stringify(text)}`);
  return { index, of };
}

/**
 * The share of one shard. A group stays whole, because the suite decides within a group what to send again. The largest
 * group or check comes first, and each goes to the shard with the least to send. Every shard computes the same
 * division.
 */
export function shareOf(
  groups: readonly Group[],
  checks: readonly { readonly id: string; readonly readsRun?: boolean }[],
  { index, of }: Shard,
): Share {
  const units = [
    ...groups.map(({ id, cases }) => ({ key: `group ${id}`, weight: cases.length })),
    ...checks.flatMap(({ id, readsRun }) => (readsRun ? [] : [{ key: `check ${id}`, weight: CHECK_WEIGHT }])),
  ].sort((a, b) => b.weight - a.weight);
  const loads = Array.from({ length: of }, () => 0);
  const owners = new Map<string, number>();
  for (const { key, weight } of units) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + weight;
    owners.set(key, lightest + 1);
  }
  return {
    // A group without a case to send belongs to the first shard, so exactly one shard reports it.
    hasGroup: (id) => (owners.get(`group ${id}`) ?? 1) === index,
    hasCheck: (id) => (owners.get(`check ${id}`) ?? index) === index,
  };
}
