import type { CheckApi, CheckRun } from '../../harness/checks/check.ts';
import { kindsToAsk, peopleActedAs, queryOperations } from './shared/breadth.ts';
import { inSequence, type Turn } from './shared/in-sequence.ts';

/**
 * A documented request is accepted whatever documented request came before it: another token, another person or another
 * operation, on the same connection. What one request leaves behind may break the next, and a request that is sent once more
 * comes after itself, so that no case of the matrix shows it.
 */
export const turns: CheckRun = (api) => inSequence(api, inTurn(api), MOST_BEFORE);

/** The requests that come again before one that was refused after them. */
const MOST_BEFORE = 3;

/** Each request to a fast operation before and after each other one, and a slow one between two of them. */
function inTurn(api: CheckApi): readonly Turn[] {
  // The person may change while the token stays the same.
  const kinds = kindsToAsk(api);
  const requestsOf = (isSlow: boolean, of = kinds): readonly Turn[] =>
    queryOperations(api.contract).flatMap((operation) =>
      (operation.isSlow === isSlow ? of : []).flatMap((kind) =>
        peopleActedAs({ ...api, breadth: 'whole' }, kind).flatMap((acting) => {
          const planned = api.planned(operation.id, kind, {});
          return planned ? [{ planned, acting }] : [];
        }),
      ),
    );
  const all = requestsOf(false);
  const pairs = all.flatMap((one, at) => all.slice(at + 1).flatMap((other) => [one, other, one]));
  const round = api.breadth === 'whole' ? pairs : [...all, ...[...all].reverse()];
  const between = requestsOf(true, api.breadth === 'whole' ? kinds : kinds.slice(0, 1)).flatMap((one) => {
    const beside = all.filter(({ planned }) => planned.values.kind === one.planned.values.kind).slice(0, 1);
    return [...beside, one, ...beside];
  });
  return [...round, ...between].filter((one, at, turns) => one !== turns[at - 1]);
}
