import { attributionOf, joined } from '../contract/attribution.ts';
import { type Attribution, type Contract, requirementFor } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import type { Cause } from './causes.ts';
import { type Explained, isAcceptance } from './fickle-refusals.ts';

/**
 * Adds what checks found. If the matrix has a cause of the same requirement, or of a sibling in the ledger (one sentence
 * for two kinds of token, or for two parts of a target), the decision belongs to that cause: of several, to one with its
 * verdict, and then to one with wrong acceptances. Otherwise it is a new cause, which siblings share.
 */
export function withDecisions(contract: Contract, causes: readonly Cause[], decided: readonly Explained[]): Cause[] {
  const failed = decided.filter(({ decision: { verdict } }) => verdict === 'fail' || verdict === 'warn');
  const faultOf = faultsOf(failed);
  const siblings = new Map(contract.requirements.map(({ id, siblings = [] }) => [id, siblings]));
  const causeOf = new Map(failed.map((one) => [one, likeliestCause(siblings, causes, faultOf(one), one.decision)]));
  const extended = causes.map((cause) =>
    extendedBy(
      contract,
      cause,
      failed.filter((one) => causeOf.get(one) === cause),
    ),
  );
  const templates = templatesOf(contract);
  const groups = joinedByKeys(
    failed.filter((one) => causeOf.get(one) === undefined),
    (one) => {
      const { influence } = one.decision;
      const fault = faultOf(one);
      const own = [fault, ...(siblings.get(fault) ?? [])].map((id) => templates.get(id) ?? id);
      // What lifts one refusal, such as a header that is trusted, may lift others, or show documents. That is one fault.
      return [...own, ...(influence === undefined ? [] : [influence])];
    },
  );
  return [...extended, ...groups.map((found) => extendedBy(contract, emptyCause(contract, found), found))];
}

/** The requirements that rules cite, before `{operation}` is filled in. */
export function templatesOf({ operations, rules }: Contract): ReadonlyMap<string, string> {
  const cited = [...rules.refusals, ...rules.acceptances].map(({ requirement }) => requirement);
  return new Map(cited.flatMap((one) => operations.map(({ id }) => [requirementFor(one, id), one])));
}

/** Groups of what shares a key, directly or through others. */
function joinedByKeys<T>(
  items: readonly T[],
  keysOf: (item: T) => readonly string[],
): readonly (readonly [T, ...T[]])[] {
  let groups: readonly { readonly keys: readonly string[]; readonly items: readonly [T, ...T[]] }[] = [];
  for (const item of items) {
    const own = keysOf(item);
    const isSame = ({ keys }: { readonly keys: readonly string[] }) => keys.some((key) => own.includes(key));
    const same = groups.filter(isSame);
    const [first = item, ...rest] = [...same.flatMap((one) => one.items), item];
    const whole = { keys: [...same.flatMap(({ keys }) => keys), ...own], items: [first, ...rest] as const };
    groups = [...groups.filter((one) => !isSame(one)), whole];
  }
  return groups.map((one) => one.items);
}

/** The cause of the matrix that a decision belongs to. Undefined if it has none. */
function likeliestCause(
  siblings: ReadonlyMap<string, readonly string[]>,
  causes: readonly Cause[],
  requirement: string,
  { verdict }: Decision,
): Cause | undefined {
  const siblingsOf = (id: string) => siblings.get(id) ?? [];
  const isSame = ({ requirements, cases }: Cause) => {
    // Those of cases that miss nothing else, too: their cause may be what their requirement follows.
    const missed = cases.flatMap(({ miss }) => (miss?.suspects.length === 1 ? miss.suspects : []));
    const ids = new Set([...requirements, ...missed.map((suspect) => suspect.requirement)]);
    const own = new Set([...ids].flatMap((id) => [id, ...siblingsOf(id)]));
    return [requirement, ...siblingsOf(requirement)].some((id) => own.has(id));
  };
  const closeness = (cause: Cause) =>
    (cause.requirements.includes(requirement) ? 4 : 0) +
    (cause.verdict === verdict ? 2 : 0) +
    (cause.cases.some(({ miss }) => miss?.wronglyAccepted) ? 1 : 0);
  const all = causes.filter((cause) => cause.verdict !== 'inconclusive' && isSame(cause));
  return all.sort((a, b) => closeness(b) - closeness(a))[0];
}

/** A failed check makes the cause a failure, even if the matrix only warns. Then only checks show that it fails. */
function extendedBy(contract: Contract, cause: Cause, found: readonly Explained[]): Cause {
  const fails = found.some(({ decision }) => decision.verdict === 'fail');
  return {
    ...cause,
    requirements: requirementsOf(contract, cause, found),
    decisions: found.map(({ decision }) => decision),
    attribution: joined([cause.attribution, ...found.map((one) => attributionOfExplained(contract, one))]),
    ...(fails && cause.verdict === 'warn' && { verdict: 'fail', example: undefined }),
  };
}

/** A cause without a case, for what only checks found. */
function emptyCause(contract: Contract, [first]: readonly [Explained, ...Explained[]]): Cause {
  return {
    verdict: 'warn',
    template: first.subject,
    requirements: [],
    attribution: attributionOfExplained(contract, first),
    places: [],
    scattered: 0,
    cases: [],
    decisions: [],
    example: undefined,
  };
}

/**
 * The requirements of a cause with these decisions. A well-made request of another kind that is refused breaks what is said of
 * that kind too, whatever explains it.
 */
function requirementsOf(
  contract: Contract,
  { requirements, cases }: Pick<Cause, 'requirements' | 'cases'>,
  found: readonly Explained[],
): readonly string[] {
  const subjects = [...requirements, ...found.map(({ subject }) => subject)];
  const decisions = found.map(({ decision }) => decision);
  const about = decisions.filter(({ requirement }) => subjects.includes(requirement));
  const kinds = new Set([...cases.map((one) => one.case.values.kind), ...about.map(({ kind }) => kind)]);
  const others = decisions.filter((one) => isAcceptance(contract, one) && !kinds.has(one.kind));
  return [...new Set([...subjects, ...others.map(({ requirement }) => requirement)])];
}

/**
 * Maps each decision to the requirement that its fault is about. A check may decide two requirements by one wrong answer:
 * one advice, and that the reference service follows all advice. The first of the two names the fault.
 */
function faultsOf(decided: readonly Explained[]): (one: Explained) => string {
  // Without a step that broke it, only decisions on the same requirement can be about the same answer.
  const answerOf = ({ decision: { check, operation, kind, broke, detail }, subject }: Explained) =>
    JSON.stringify([check, operation, kind, broke ?? subject, detail]);
  const byAnswer = new Map<string, string>();
  for (const one of decided) if (!byAnswer.has(answerOf(one))) byAnswer.set(answerOf(one), one.subject);
  return (one) => byAnswer.get(answerOf(one)) ?? one.subject;
}

/** What a decision is blamed for in a cause: its own requirement, unless the cause says what explains it (fickle-refusals.ts). */
export function blamedFor(requirements: readonly string[], { requirement }: Decision): readonly string[] {
  return requirements.includes(requirement) ? [requirement] : requirements;
}

/** The verdict of a cause on each of its requirements. Checks may only warn about one of them while another one fails. */
export function blamedIn({ verdict, requirements, cases, decisions }: Cause) {
  return requirements.map((requirement) => {
    const isOfCases = cases.some(({ miss }) => miss?.suspects.some((one) => one.requirement === requirement));
    const said = decisions
      .filter((decision) => blamedFor(requirements, decision).includes(requirement))
      .map((decision) => decision.verdict);
    const onlyWarned = said.includes('warn') && !said.includes('fail') && !isOfCases;
    return { requirement, verdict: onlyWarned ? 'warn' : verdict };
  });
}

/** The kind of a decision matters: what is stated of one family of tokens may be interpreted for another. */
export function attributionOfDecision(contract: Contract, decision: Decision): Attribution {
  const { interpreted: reason } = decision;
  if (reason !== undefined) return { basis: 'interpreted', reason };
  return attributionOf(contract, decision.requirement, decision);
}

function attributionOfExplained(contract: Contract, { decision, subject }: Explained): Attribution {
  return attributionOfDecision(contract, { ...decision, requirement: subject });
}
