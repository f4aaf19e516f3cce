import { Refusal } from '../terms/refusal.ts';

/** Counts a request as under way. Returns the function that ends it. Throws a `Refusal` when too many are under way. */
export type Concurrency = (identity: string) => () => void;

interface Limits {
  readonly perToken: number;
  readonly total: number;
}

/** In seconds. Most requests take milliseconds. */
const retryAfter = 1;

export function limitConcurrency({ perToken, total }: Limits): Concurrency {
  const underWay = new Map<string, number>();
  let all = 0;
  return (identity) => {
    const count = underWay.get(identity) ?? 0;
    if (count >= perToken) throw new Refusal('too-many-at-once', { retryAfter });
    if (all >= total) throw new Refusal('overloaded', { retryAfter });
    underWay.set(identity, count + 1);
    all += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      all -= 1;
      const left = (underWay.get(identity) ?? 1) - 1;
      if (left === 0) underWay.delete(identity);
      else underWay.set(identity, left);
    };
  };
}
