import { unfiltered } from '../../../fixtures/deviants/on-plain.ts';
import { succeed } from '../../../fixtures/plain/answers.ts';
import { peopleEnv } from '../../../fixtures/plain/people.ts';
import { chatPath, type PlainOperation, type PlainRequest, plainOperations } from '../../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../../fixtures/plain/target.ts';
import type { Check, CheckApi } from '../../../harness/checks/check.ts';
import type { VariationKind } from '../../../harness/contract/variations.ts';
import type { Decision } from '../../../harness/record/exchange.ts';
import { queryOperations } from '../../checks/shared/breadth.ts';
import { variationsFor } from '../../checks/shared/known-variations.ts';
import { runOnPlain } from '../../testing/one-check.ts';
import type { Variation } from '../../variations/variation.ts';
import { randomOf } from '../population/random.ts';
import { baseOf, checks, type Fault, isBlame, looksForOther, unitOf } from './fault.ts';
import { carries } from './recognize.ts';

const { ACT_AS_PRIVATE_MARKER, USER_PRIVATE_MARKER } = peopleEnv;

type Lists = ReadonlyMap<string, readonly Variation[]>;

/** A check, and the kinds of variations that it sends. */
export interface Varied {
  readonly check: Check;
  readonly kinds: readonly VariationKind[];
}

/** What a check tries of a target without a fault: every fault that one of its requests would show. */
export interface Tried extends Varied {
  readonly operations: readonly PlainOperation[];
  readonly faults: readonly Fault[];
  /** What it blames this target for. */
  readonly blamed: readonly Decision[];
}

export async function triedBy({ check, kinds }: Varied): Promise<Tried> {
  let names: Lists = new Map();
  await runOnPlain({
    ...check,
    run: async (api) => {
      names = listsOf(api, kinds);
      return [];
    },
  });
  const operations = servedOn(names);
  const faults = new Map<string, Fault>();
  // What the documented request of a kind carries lifts nothing by itself.
  const documented = new Map<string, readonly number[]>();
  const observe = (request: PlainRequest, lists: Lists) => {
    const base = baseOf(request);
    if (!base) return;
    const { operation, kind, check } = base;
    const carried = (lists.get(operation) ?? []).flatMap((one, at) => (carries(request, one) ? [at] : []));
    for (const one of [operation, `${operation} ${kind}`])
      if (check === undefined && !documented.has(one)) documented.set(one, carried);
    if (check !== undefined || looksForOther(request))
      for (const at of carried) faults.set(`${unitOf(base)} ${at}`, { ...base, at });
  };
  const { decisions } = await run({ check, kinds, operations }, [], observe);
  const ofDocumented = ({ operation, kind }: Fault) =>
    documented.get(`${operation} ${kind}`) ?? documented.get(operation) ?? [];
  const drawn = [...faults.values()].filter((fault) => !ofDocumented(fault).includes(fault.at));
  return { check, kinds, operations, faults: drawn, blamed: decisions.filter(isBlamed) };
}

/** Draws one fault for each base, so that none hides another, and runs the check against a target that has them all. */
export async function tryFaults(
  tried: Tried,
  seed: number,
): Promise<{ readonly drawn: readonly Fault[]; readonly problems: readonly string[] }> {
  const random = randomOf(seed);
  const drawn = [...new Map(random.shuffled(tried.faults).map((fault) => [unitOf(fault), fault])).values()];
  const { decisions, lists } = await run(tried, drawn);
  const blamed = decisions.filter(isBlamed);
  const variationOf = (fault: Fault) => lists.get(fault.operation)?.[fault.at];
  const isOf = (decision: Decision, fault: Fault) => {
    const variation = variationOf(fault);
    return variation !== undefined && isBlame(decision, fault, variation);
  };
  const missed = drawn.filter((fault) => !blamed.some((decision) => isOf(decision, fault)));
  const wrong = blamed.filter((decision) => !drawn.some((fault) => isOf(decision, fault)));
  return {
    drawn,
    problems: [
      ...missed.map((fault) => `missed: ${unitOf(fault)} with ${variationOf(fault)?.how}`),
      ...wrong.map(
        ({ requirement, operation, kind, detail }) => `blamed: ${requirement} ${operation} ${kind}: ${detail}`,
      ),
    ],
  };
}

const isBlamed = ({ verdict }: Decision): boolean => verdict === 'fail' || verdict === 'warn';

async function run(
  { check, kinds, operations }: Pick<Tried, 'check' | 'kinds' | 'operations'>,
  faults: readonly Fault[],
  observe: (request: PlainRequest, lists: Lists) => void = () => {},
) {
  let lists: Lists = new Map();
  const units = new Map(faults.map((fault) => [unitOf(fault), fault]));
  const isFaulty = (request: PlainRequest, check: string | undefined): boolean => {
    const base = baseOf(request);
    const fault = base && base.check === check ? units.get(unitOf(base)) : undefined;
    const variation = fault && lists.get(fault.operation)?.[fault.at];
    return variation !== undefined && carries(request, variation);
  };
  const showAll = unfiltered(() => true)(() => {}).succeed ?? succeed;
  const show: typeof succeed = (request, person) => {
    const answer = showAll(request, person);
    if (request.path !== chatPath) return answer;
    return { ...answer, body: { ...Object(answer.body), quoted: [ACT_AS_PRIVATE_MARKER, USER_PRIVATE_MARKER] } };
  };
  const options: PlainOptions = {
    operations,
    checks: [
      { id: 'observer', check: (request) => void observe(request, lists) },
      ...checks.map(({ id, check }) => ({
        id,
        check: (request: PlainRequest) => {
          const answer = check(request);
          return answer && isFaulty(request, id) ? undefined : answer;
        },
      })),
    ],
    succeed: (request, person) => (isFaulty(request, undefined) ? show : succeed)(asDocumented(request), person),
  };
  const { decisions } = await runOnPlain(
    {
      ...check,
      run: (api) => {
        lists = listsOf(api, kinds);
        return check.run(api);
      },
    },
    options,
  );
  return { decisions, lists };
}

const listsOf = (api: CheckApi, kinds: readonly VariationKind[]): Lists =>
  new Map(queryOperations(api.contract).map((one) => [one.id, variationsFor(api, one, kinds)]));

/** Search and chat, also with every other method and on every other path of a list. An answer to HEAD has no body. */
function servedOn(lists: Lists): readonly PlainOperation[] {
  return plainOperations.flatMap((operation) => {
    const others = (lists.get(operation.scope.toLowerCase()) ?? []).flatMap(({ kind, name, value }) => {
      if (kind === 'method' && name !== 'HEAD') return [{ ...operation, method: name }];
      return kind === 'path' ? [{ ...operation, path: String(value).split('?')[0] ?? '' }] : [];
    });
    return [operation, ...others];
  });
}

function asDocumented(request: PlainRequest): PlainRequest {
  const [search, chat] = plainOperations;
  const operation = request.operation?.scope === chat?.scope ? chat : search;
  return { ...request, operation, path: operation?.path ?? chatPath };
}
