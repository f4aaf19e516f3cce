import type { Answered } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { kindsOfFamilies, peopleActedAs, queryOperations } from './shared/breadth.ts';
import { stays } from './shared/stays.ts';

/** A documented request, and who it acts as. */
interface Turn {
  readonly planned: PlannedCase;
  readonly acting: Acting;
}

/**
 * A documented request is accepted whatever documented request came before it: another token, another person or another
 * operation, on the same connection. What one request leaves behind may break the next, and a request that is sent once more
 * comes after itself, so that no case of the matrix shows it.
 */
export async function turns(api: CheckApi): Promise<readonly CheckResult[]> {
  const connection = api.connect();
  const passed = new Map<string, readonly CheckResult[]>();
  let last: Answered | undefined;
  const all = inTurn(api);
  for (const [at, { planned, acting }] of all.entries()) {
    const own = connection.fork();
    const earlier = all.slice(Math.max(0, at - MOST_BEFORE), at);
    const ask = async (over = own) => {
      const judged = await over.send(planned, `${planned.id} in turn with others`, acting);
      if (judged.answer.accepted) last = judged.answer;
      return judged;
    };
    const again = async () => {
      const another = own.connect();
      for (const one of earlier) await another.send(one.planned, 'the requests before come again', one.acting);
      return ask(another);
    };
    const plainly = () => own.connect().send(planned, `${planned.id} on a new connection`, acting);
    const how = `sent after ${earlier.at(-1)?.planned.id ?? 'nothing'} on the same connection`;
    const results = await stays({ api: own, planned, how, ask, again, plainly, beside: () => last });
    // What is left behind breaks many requests. Each of them would be sent sixteen times, and show nothing new.
    if (results.some(({ verdict }) => verdict === 'fail')) return [...[...passed.values()].flat(), ...results];
    passed.set(`${planned.values.operation} ${planned.values.kind}`, results);
  }
  return [...passed.values()].flat();
}

/** The requests that come again before one that was refused after them. */
const MOST_BEFORE = 3;

/** Each request to a fast operation before and after each other one, and a slow one between two of them. */
function inTurn(api: CheckApi): readonly Turn[] {
  const ofFamilies = kindsOfFamilies(api);
  // The person may change while the token stays the same.
  const kinds = api.claims.kinds.filter((kind) => ofFamilies.includes(kind) || actsAs(api.contract, kind));
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
