import { setsOf } from '../contract/collections.ts';
import { ACT_AS, type Contract, mayAct, type Values } from '../contract/contract.ts';
import { personVariable } from '../contract/people.ts';
import { unitOf } from '../plan/case.ts';
import { isAccepted } from '../record/observation.ts';
import type { CaseVerdict } from './judge-cases.ts';

const isFull = ({ validity, holding }: Values) => validity === 'valid' && holding === 'all';

/**
 * Variables whose full token was accepted as itself, and where in the journal that was last: it is what its name says. What a
 * silent rule admits shows no such thing. A token that is also accepted without the header that its kind needs may be one of
 * another kind.
 */
function workingTokens(verdicts: readonly CaseVerdict[]): ReadonlyMap<string, number> {
  const ofAnother = new Set(
    verdicts.flatMap(({ case: { values, credential }, miss }) =>
      isFull(values) && values.authorization === 'bearer' && miss?.wronglyAccepted ? (credential?.variable ?? []) : [],
    ),
  );
  const working = new Map<string, number>();
  for (const { case: planned, observation: seen, seq = 0 } of verdicts) {
    const { values, expectation, credential } = planned;
    const isItself = isFull(values) && expectation.kind === 'accept' && isAccepted(seen);
    if (!isItself || credential === undefined || ofAnother.has(credential.variable)) continue;
    working.set(credential.variable, Math.max(working.get(credential.variable) ?? 0, seq));
  }
  return working;
}

/** Whether a case acts as the person that it names. */
const isActing = (contract: Contract, { kind, [ACT_AS]: named }: Values) =>
  named === 'existing' && mayAct(contract, kind);

/**
 * What a run saw of its tokens: which work, the variables of those that each operation accepted from each kind, and whether one
 * was accepted as the person whom it names.
 */
export const seenOfTokens = (contract: Contract, verdicts: readonly CaseVerdict[]) => ({
  working: workingTokens(verdicts),
  actsAsPerson: verdicts.some(
    ({ case: { values }, observation }) => isActing(contract, values) && isAccepted(observation),
  ),
  byUnit: setsOf(
    verdicts.flatMap(({ case: { values, credential }, observation }) =>
      credential && isAccepted(observation) ? [[unitOf(values), credential.variable] as const] : [],
    ),
  ),
});

/**
 * What to check before the target is blamed: all cases use one token, and nothing shows that it is, or still was, what its name
 * says; or all act as a person, and nothing shows that the target knows them.
 */
export function caveatFor(
  contract: Contract,
  cases: readonly CaseVerdict[],
  { working, byUnit, actsAsPerson }: ReturnType<typeof seenOfTokens>,
): { caveat?: string } {
  const credentials = new Map(cases.map(({ case: { credential } }) => [credential?.variable, credential]));
  const [only] = credentials.values();
  const refusesPerson = cases.every(
    ({ case: { values }, miss }) => miss?.wronglyAccepted === false && isActing(contract, values),
  );
  if (credentials.size > 1 && refusesPerson && !actsAsPerson) {
    const person = personVariable(contract, 'ACT_AS');
    return { caveat: `nothing that acts as $${person} was accepted: check that the target knows this person` };
  }
  if (credentials.size !== 1 || only === undefined || only.source === 'random') return {};
  const accepted = working.get(only.variable);
  // Another token of its kind may do what this one may not.
  const isLess = cases.every(({ case: { values }, miss }) => {
    const others = byUnit.get(unitOf(values));
    return miss?.wronglyAccepted === false && isFull(values) && others && !others.has(only.variable);
  });
  if (accepted !== undefined && isLess)
    return {
      caveat: `$${only.variable} is refused where another token of its kind is accepted: check that it has every scope`,
    };
  if (accepted !== undefined) {
    const isRefusedSince = cases.every(
      ({ miss, seq = 0 }) => miss !== undefined && !miss.wronglyAccepted && seq > accepted,
    );
    return isRefusedSince
      ? { caveat: `$${only.variable} was accepted before, and never again: check that it did not end during the run` }
      : {};
  }
  return {
    caveat: `all cases use $${only.variable}: check that the token has the kind, scopes and expiry of this name`,
  };
}
