import { joined } from '../contract/attribution.ts';
import { groupedBy, listedBy, setsOf } from '../contract/collections.ts';
import { ACT_AS, type Contract, operationOf, type Values } from '../contract/contract.ts';
import { unitOf } from '../plan/case.ts';
import { expect, type Suspect } from '../plan/expectation.ts';
import type { Decision } from '../record/exchange.ts';
import { isAnswer } from '../record/observation.ts';
import { joinAlike, joinRemembered, joinSince } from './alike-causes.ts';
import { acceptedIn } from './beside-acceptances.ts';
import { type Cause, clearestCase, findCauses } from './causes.ts';
import { templatesOf, withDecisions } from './causes-of-checks.ts';
import { caveatFor, seenOfTokens } from './caveats.ts';
import type { Missed } from './conjunction.ts';
import { answeredBy } from './credit.ts';
import { asFickle, explained, type FickleRefusals, fickleRefusals } from './fickle-refusals.ts';
import { answerKey, judgeAnswer, outcomeOf } from './judge-answer.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { Miss } from './miss.ts';

export interface Finding extends Cause {
  readonly id: string;
  /** Set if all cases use one credential that was not seen to work: its variable may hold the wrong token. */
  readonly caveat?: string;
}

/** Groups misses by cause, the gravest cause first. Pure and deterministic. */
export function findingsOf(
  contract: Contract,
  verdicts: readonly CaseVerdict[],
  decisions: readonly Decision[],
  trusted: boolean,
): readonly Finding[] {
  const missing = verdicts.filter(({ miss }) => miss !== undefined);
  const byId = new Map(missing.map((verdict) => [verdict.case.id, verdict]));
  const accepted = acceptedIn(verdicts);
  const missed = missing.flatMap((verdict): Missed[] => {
    const { miss } = verdict;
    if (!miss || (verdict.verdict !== 'fail' && verdict.verdict !== 'warn')) return [];
    return [{ verdict: { ...verdict, miss }, suspects: suspectsOf(verdict, miss, { byId, accepted }) }];
  });
  // A run without a miss needs no passes to tell its causes apart.
  const passes = missed.length > 0 ? passesByTemplate(contract, verdicts) : new Map<string, readonly Values[]>();
  const fickle = fickleRefusals(missing);
  const suspected = narrowSuspects(contract, missed.map(asFickle(fickle)));
  const found = joinSince(joinAlike(contract, findCauses(contract, suspected, passes), verdicts), verdicts);
  const ofCases = [...found, ...intermittentCauses(verdicts, fickle)];
  const all = withDecisions(contract, ofCases, explained(contract, fickle, ofCases, decisions));
  const causes = gravestFirst(contract, joinRemembered(all));
  const tokens = trusted ? undefined : seenOfTokens(contract, verdicts);
  return causes.map((cause, index) => ({
    id: `F${index + 1}`,
    ...cause,
    ...(tokens && caveatFor(contract, cause.cases, tokens)),
  }));
}

/** Turns `fail` into `warn` for the cases of causes that only warn, or that fail only because of a check. */
export function withWarnings(verdicts: readonly CaseVerdict[], findings: readonly Finding[]): readonly CaseVerdict[] {
  const warned = new Set(
    findings.flatMap(({ verdict, example, cases }) =>
      verdict === 'warn' || !example ? cases.map((found) => found.case.id) : [],
    ),
  );
  return verdicts.map((found) =>
    found.verdict === 'fail' && warned.has(found.case.id) ? { ...found, verdict: 'warn' } : found,
  );
}

/**
 * If the control of a refusal is refused, too, or gets no answer either, the same cause may explain both. What refuses a control
 * of another kind explains nothing while the operation accepts others.
 */
function suspectsOf(
  { case: planned, observation }: CaseVerdict,
  miss: Miss,
  { byId, accepted }: { readonly byId: ReadonlyMap<string, CaseVerdict>; readonly accepted: ReadonlySet<string> },
): readonly Suspect[] {
  const control = byId.get(planned.control ?? '');
  if (!control?.miss || miss.wronglyAccepted || outcomeOf(control.observation) !== outcomeOf(observation))
    return miss.suspects;
  const { kind, operation } = control.case.values;
  if (kind !== planned.values.kind && accepted.has(operation)) return miss.suspects;
  return [...miss.suspects, ...control.miss.suspects];
}

function passesByTemplate(
  contract: Contract,
  verdicts: readonly CaseVerdict[],
): ReadonlyMap<string, readonly Values[]> {
  const templates = templatesOf(contract);
  const passes = verdicts.flatMap((verdict) =>
    [...new Set([...verdict.satisfied, ...refusedFor(verdict)])].map(
      (requirement) => [templates.get(requirement) ?? requirement, verdict.case.values] as const,
    ),
  );
  return listedBy(passes);
}

/**
 * The requirement for which a case with one fault was refused. If something of the case is left open, the verdict does
 * not credit the refusal, because the target may have refused what is open. But the status fits the fault alone, so no
 * cause should cover it.
 */
function refusedFor({ case: { expectation }, verdict, observation }: CaseVerdict): readonly string[] {
  const templates = new Set(expectation.suspects.map(({ template }) => template));
  if (verdict !== 'pass' || templates.size > 1 || observation?.kind !== 'answer') return [];
  return answeredBy(expectation, observation);
}

/** Wrong refusals that did not repeat. They are inconclusive and get their own causes, one for each answer. */
function intermittentCauses(verdicts: readonly CaseVerdict[], fickle: FickleRefusals): Cause[] {
  const suspectOf = (verdict: CaseVerdict) => (fickle.of(verdict) ?? verdict).miss?.suspects[0];
  const groups = groupedBy(verdicts, (verdict) => (verdict.intermittent ? verdict.miss?.got : undefined));
  return [...groups].flatMap(([got, cases]): Cause | readonly [] => {
    const blamed = cases.flatMap((verdict) => suspectOf(verdict) ?? []);
    const [first] = blamed;
    if (got === undefined || !first) return [];
    const { template } = first;
    return {
      verdict: 'inconclusive',
      template,
      requirements: [...new Set(blamed.map(({ requirement }) => requirement))],
      attribution: joined(blamed.map(({ attribution }) => attribution)),
      places: [],
      scattered: cases.length,
      cases,
      decisions: [],
      example: clearestCase(cases, template),
    };
  });
}

/** The verdicts of causes, the gravest first. */
const VERDICTS = ['fail', 'inconclusive', 'warn'] as const satisfies readonly Cause['verdict'][];

/**
 * Orders causes for a reader: failures first; among them those that show the data of one person to another, then those
 * where a request was wrongly accepted. Causes of equal gravity keep their order (outcomes 3).
 */
function gravestFirst(contract: Contract, causes: readonly Cause[]): readonly Cause[] {
  const grave = new Set(contract.requirements.filter((requirement) => requirement.grave).map(({ id }) => id));
  const rank = ({ verdict, requirements, cases }: Cause) =>
    100 * VERDICTS.indexOf(verdict) +
    (requirements.some((id) => grave.has(id)) ? 0 : 10) +
    (cases.some(({ miss }) => miss?.wronglyAccepted) ? 0 : 1);
  return [...causes].sort((a, b) => rank(a) - rank(b));
}

/**
 * Narrows the suspects of cases with several faults. A miss with a single suspect proves its requirement broken. A case
 * with several faults is then blamed only on requirements that are proven broken. How a broken rule treats a request
 * with two faults says nothing about the other rule (outcomes 3). Of several proven ones, those are blamed that the same answer
 * proves.
 *
 * A stray message is treated in the same way. With another fault, the wrong answer to a broken rule can have an
 * admitted status, so that only its message is wrong. If the same answer proved that rule broken, the rule is blamed.
 */
export function narrowSuspects(contract: Contract, all: readonly Missed[]): readonly Missed[] {
  const missed = withoutFollowers(contract, withUnreadNames(contract, all));
  const proven = setsOf(
    missed.flatMap(({ suspects, verdict }) => {
      const [only, ...others] = new Set(suspects.map(({ template }) => template));
      return only === undefined || others.length > 0 ? [] : [[only, answerKey(verdict.observation)] as const];
    }),
  );
  return missed.map((miss) => {
    const { miss: answered, case: planned, observation } = miss.verdict;
    const likely = answered.strayMessage ? planned.expectation.suspects : miss.suspects;
    const sameAnswer = likely.filter(({ template }) => proven.get(template)?.has(answerKey(observation)));
    const suspects = sameAnswer.length > 0 ? sameAnswer : miss.suspects.filter(({ template }) => proven.has(template));
    return suspects.length > 0 ? { ...miss, suspects } : miss;
  });
}

/**
 * Blames the letter case of header names where only other names than the documented ones get a wrong answer, and it is one that
 * the request may get without the header: the header was not read (RFC 9110 5.1). A refusal must be that of others, too.
 */
function withUnreadNames(contract: Contract, missed: readonly Missed[]): readonly Missed[] {
  const keyOf = ({ verdict: { case: planned }, suspects }: Missed) =>
    `${unitOf(planned.values)} ${suspects[0]?.template}`;
  const answerOf = ({ verdict: { case: planned, observation } }: Missed) =>
    `${unitOf(planned.values)} ${answerKey(observation)}`;
  const asDocumented = missed.filter(({ verdict }) => verdict.case.values['header-case'] === 'documented');
  const documented = new Set([...asDocumented.map(keyOf), ...asDocumented.map(answerOf)]);
  const namesAmong = (suspects: readonly Suspect[]) =>
    suspects.filter(({ requirement }) => requirement === 'headers.case');
  const known = new Map<string, Suspect>();
  for (const { suspects, verdict } of missed)
    for (const one of namesAmong(suspects)) known.set(answerKey(verdict.observation), one);
  const unreadBy = (miss: Missed): readonly Suspect[] => {
    const { miss: answered, case: planned, observation } = miss.verdict;
    if (documented.has(keyOf(miss)) || !observation || !isAnswer(observation)) return [];
    const without = (header: string) => expect(contract, { ...planned.values, [header]: 'absent' });
    if (answered.wronglyAccepted) return namesAmong(without(ACT_AS).suspects);
    const likely = known.get(answerKey(observation));
    if (!likely || documented.has(answerOf(miss))) return [];
    const operation = operationOf(contract, planned.values.operation);
    const isAdmitted = (header: string) =>
      judgeAnswer(contract, operation, without(header), observation).kind === 'pass';
    return [ACT_AS, 'authorization'].some(isAdmitted) ? [likely] : [];
  };
  return missed.map((miss) => {
    const unread = unreadBy(miss);
    return unread.length > 0 ? { ...miss, suspects: unread } : miss;
  });
}

/**
 * Blames what a requirement follows, or its sibling, where the same outcome breaks both for one operation and kind, or for one
 * operation without an issued token: a target that takes a token without a header cannot mind what the header says. That is
 * one fault, and the ledger names what explains it. What only warns explains no failure.
 */
function withoutFollowers({ requirements }: Contract, missed: readonly Missed[]): readonly Missed[] {
  const ledger = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const keyOf = (
    requirement: string,
    { verdict: { case: planned, observation } }: Missed,
    kind = planned.values.kind,
  ) => `${requirement} ${unitOf({ ...planned.values, kind })} ${outcomeOf(observation)}`;
  const isFailure = ({ verdict }: Missed) => verdict.verdict === 'fail';
  const alone = new Map<string, Missed>();
  for (const miss of missed) {
    const blamed = new Set(miss.suspects.map(({ requirement }) => requirement));
    if (blamed.size > 1) continue;
    for (const key of [...blamed].map((only) => keyOf(only, miss)))
      if (isFailure(miss) || !alone.has(key)) alone.set(key, miss);
  }
  const leaderOf = (miss: Missed, ids: readonly string[]) =>
    ids
      .flatMap((id) => [undefined, 'none', 'unknown'].map((kind) => alone.get(keyOf(id, miss, kind))))
      .find((leader) => leader && (isFailure(leader) || !isFailure(miss)))?.suspects;
  return missed.map((miss) => {
    const followed = miss.suspects.map((suspect) => {
      const { siblings = [], follows = [] } = ledger.get(suspect.requirement) ?? {};
      return { suspect, sibling: leaderOf(miss, siblings), leader: leaderOf(miss, follows) };
    });
    const isWhole = followed.every(({ sibling, leader }) => sibling ?? leader);
    const suspects = followed.flatMap(({ suspect, sibling, leader }) => (isWhole && sibling) || leader || [suspect]);
    return { ...miss, suspects };
  });
}
