import type { Acceptance, Answered } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult, Evidence } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Confirmation } from './confirm.ts';
import type { Person } from './private-documents.ts';

export type Decided = Evidence & Pick<CheckResult, 'detail'>;

export type Unit = Pick<CheckResult, 'requirement' | 'operation' | 'kind'>;

/** A decision that rests on everything that this API has sent until now. */
export const decisionOn = (api: CheckApi, unit: Unit, decided: Decided): CheckResult => ({
  ...unit,
  ...decided,
  steps: [...api.steps],
});

/** A kind of token at an operation, and what sends its requests. */
export interface KindAt {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly kind: string;
}
/** A decision on a requirement that rests on everything that this kind of token got there. @param varied how it asked otherwise. */
export const decisionOf = (
  { api, operation, kind }: KindAt,
  requirement: string,
  decided: Decided,
  varied?: CheckResult['varied'],
): CheckResult => ({
  ...decisionOn(api, { requirement, operation: operation.id, kind }, decided),
  ...(varied && { varied }),
});

/** What is decided of a requirement, by its level. */
export const decisionsOn = (api: CheckApi, unit: Unit, decided: Decided): CheckResult[] =>
  byLevel(api, decisionOn(api, unit, decided));

/**
 * What breaks a must fails it, and what breaks advice gets a warning. The reference service must follow the advice on its
 * capabilities, so that there it also fails a requirement of its own.
 */
export function byLevel({ contract, trusted }: CheckApi, result: CheckResult): CheckResult[] {
  const { level, capability } = contract.requirements.find(({ id }) => id === result.requirement) ?? {};
  if (level === 'must') return [result];
  const isBroken = result.verdict === 'fail' || result.verdict === 'warn';
  const advice: CheckResult = isBroken ? { ...result, verdict: 'warn' } : result;
  const binding: CheckResult = isBroken ? { ...result, verdict: 'fail' } : result;
  return [advice, ...(trusted ? [{ ...binding, requirement: `reference.${capability}` }] : [])];
}

/** What an answer decides by being an acceptance or a refusal. One that is lost decides nothing (outcomes 2). */
export function byOutcome(
  outcome: { readonly kind: 'accepted' | 'refused' } | { readonly kind: 'lost'; readonly why: string },
  decisions: Readonly<Record<'accepted' | 'refused', Decided>>,
): Decided {
  return outcome.kind === 'lost' ? inconclusive(outcome.why) : decisions[outcome.kind];
}

/** A pass, or `inconclusive` without an acceptance: a target that accepts nothing must not pass (outcomes 2). */
export const pass = (acceptance: Acceptance | undefined, detail: string): Decided =>
  acceptance ? { verdict: 'pass', acceptance, detail } : inconclusive(`${detail}; ${PROVES_NOTHING}`);
/** A pass that says that the private document of this person was hidden. It counts only if they found it. */
export function hid({ owner }: Pick<Person, 'owner'>, acceptance: Acceptance | undefined, detail: string): Decided {
  const decided = pass(acceptance, detail);
  return decided.verdict === 'pass' ? { ...decided, hides: [owner] } : decided;
}
/** An observation that something was refused, or `inconclusive` without an acceptance. */
export const observedRefusal = (acceptance: Acceptance | undefined, detail: string): Decided =>
  acceptance ? { verdict: 'observed', acceptance, detail } : inconclusive(`${detail}; ${PROVES_NOTHING}`);
const PROVES_NOTHING =
  'this proves nothing, because nothing shows that the target accepts right requests and refuses wrong ones';

/** An observation that does not say that something was refused. */
export const observed = (detail: string): Decided => ({ verdict: 'observed', acceptance: 'claims no refusal', detail });
/** An observation that no answer had what the rest of the check needs. Every output lists it as not tried (outcomes 3). */
export const untried = (detail: string): Decided => ({
  verdict: 'observed',
  acceptance: 'claims no refusal',
  untried: true,
  detail,
});
/**
 * @param broke the answer that breaks the requirement; undefined for one of ADMINISTRATION_COMMAND.
 * @param influence what about the request made the difference, if that may break other requirements too.
 */
export const fail = (broke: Answered | undefined, detail: string, influence?: string): Decided => ({
  verdict: 'fail',
  broke,
  detail,
  ...(influence !== undefined && { influence }),
});
/** @param wanted what the requirement wants of the answer, if that is not what the request was to show. */
export const warn = (broke: Answered | undefined, detail: string, wanted?: string): Decided => ({
  verdict: 'warn',
  broke,
  detail,
  ...(wanted !== undefined && { wanted }),
});
export const inconclusive = (detail: string): Decided => ({ verdict: 'inconclusive', detail });
/** A person did not find their own document. Then no check decides what the token hides (outcomes 2). */
export const unseen = (detail: string): Decided => ({ verdict: 'inconclusive', unseen: true, detail });
/** `not-testable` until this variable is set. */
export const notTestable = (variable: string): Decided => ({ verdict: 'not-testable', detail: variable, variable });

/** A wrong answer is blamed if it came again, and inconclusive if it did not (outcomes 3). */
export function blame(kind: Confirmation<unknown>['kind'], decided: Decided): Decided {
  return kind === 'wrong' ? decided : inconclusive(`${decided.detail}; it did not happen again`);
}

/** What is decided for each of these. None waits for the answers to another. */
export async function decideEach<T>(
  items: readonly T[],
  decide: (item: T, at: number) => Promise<readonly CheckResult[]>,
): Promise<CheckResult[]> {
  return (await Promise.all(items.map(decide))).flat();
}
