import type { Plan } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { type Answer, isSuccess, type Observation, transportReason } from '../record/observation.ts';

/**
 * What the acceptances of a target look like. A 2xx that looks otherwise may come from a gateway in front of it, such as
 * a sign-in page, and says nothing about the target until it comes every time (outcomes 3).
 */
export interface Looks {
  /** Whether a 2xx looks like what the target accepts of this operation. */
  isUsual(operation: string, answer: Answer): boolean;
  /** Whether some request got an answer that looks like this one, and another answer when it was sent again. */
  isFickle(answer: Answer): boolean;
}

/** How a 2xx looks. `fickle`: unusual, and some request got such an answer once and another one later. */
export type Appearance = 'usual' | 'unusual' | 'fickle';

/** How an answer to an operation looks. Only a 2xx can be unusual, so that most runs need no looks. */
export function appearanceOf(looks: () => Looks, operation: string, observation: Observation): Appearance {
  if (observation.kind === 'failure' || !isSuccess(observation.status)) return 'usual';
  if (looks().isUsual(operation, observation)) return 'usual';
  return looks().isFickle(observation) ? 'fickle' : 'unusual';
}

/** Content type and skeleton without lengths. Equal for answers that look alike. */
export function lookOf({ contentType = '', skeleton = '', truncated }: Answer): string {
  const form = truncated ? 'cut' : skeleton.replace(/\d+/g, '');
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  return `${type} ${form}`;
}

/** The looks of exchanges that grow with a run. Each is read once, and all again if one changed, as the refusals of a lockout do. */
export function growingLooks(plan: Pick<Plan, 'cases'>, exchanges: readonly Exchange[]): () => Looks {
  let reader = createReader(plan);
  let read: Exchange[] = [];
  return () => {
    if (read.some((one, index) => one !== exchanges[index])) {
      reader = createReader(plan);
      read = [];
    }
    for (const exchange of exchanges.slice(read.length)) {
      reader.add(exchange);
      read.push(exchange);
    }
    return reader.looks();
  };
}

export function looksOf(plan: Pick<Plan, 'cases'>, exchanges: Iterable<Exchange>): Looks {
  return growingLooks(plan, [...exchanges])();
}

function createReader({ cases }: Pick<Plan, 'cases'>) {
  /** How often each look came for requests that must be accepted, by operation. */
  const accepted = new Map<string, Map<string, number>>();
  const fitting = new Map<string, Set<string>>();
  const unfitting = new Map<string, Set<string>>();
  const firstLooks = new Map<string, string>();
  const fickle = new Set<string>();
  const note = (sets: Map<string, Set<string>>, key: string, look: string) =>
    sets.set(key, (sets.get(key) ?? new Set()).add(look));

  return {
    /** An exchange of a check has no case, and does not count. */
    add({ case: id, observation }: Exchange): void {
      const planned = cases.get(id);
      if (!planned || observation.kind === 'failure' || transportReason(observation) !== undefined) return;
      const { operation } = planned.values;
      const look = isSuccess(observation.status) ? lookOf(observation) : 'refused';
      const first = firstLooks.get(id);
      if (first === undefined) firstLooks.set(id, look);
      else if (first !== look) fickle.add(first).add(look);
      if (look === 'refused' || planned.expectation.kind !== 'accept') return;
      const counts = accepted.get(operation) ?? new Map<string, number>();
      accepted.set(operation, counts.set(look, (counts.get(look) ?? 0) + 1));
      if (observation.schemaErrors) note(fits(observation) ? fitting : unfitting, operation, look);
    },
    /** The looks of what was added. */
    looks(): Looks {
      // What does not fit the documented body of one operation, while other answers do, is no acceptance of another either.
      const strange = new Set([...fitting.keys()].flatMap((operation) => [...(unfitting.get(operation) ?? [])]));
      const usual = new Map(
        [...accepted].map(([operation, counts]) => [
          operation,
          fitting.get(operation) ?? mostFrequent(counts, strange),
        ]),
      );
      return {
        isUsual: (operation, answer) =>
          fits(answer) || [...(usual.get(operation) ?? [])].some((look) => isAlike(look, lookOf(answer))),
        isFickle: (answer) => fickle.has(lookOf(answer)),
      };
    },
  };
}

/** Whether two looks may be one: what was not read to its end, as of a slow chat, has the form of nothing. */
function isAlike(look: string, other: string): boolean {
  const [[type, form], [otherType, otherForm]] = [look.split(' ', 2), other.split(' ', 2)];
  return look === other || (type === otherType && [form, otherForm].includes('cut'));
}

/** Whether an answer has the documented body. No gateway answers with that. */
function fits({ schemaErrors }: Answer): boolean {
  return schemaErrors?.length === 0;
}

/** Where nothing documents the body, the look that came most often. */
function mostFrequent(counts: ReadonlyMap<string, number>, strange: ReadonlySet<string>): ReadonlySet<string> {
  const [most] = [...counts].filter(([look]) => !strange.has(look)).sort(([, a], [, b]) => b - a);
  return new Set(most ? [most[0]] : []);
}
