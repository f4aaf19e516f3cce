import type { Values } from '../contract/contract.ts';
import { isAccepted } from '../record/observation.ts';
import type { CaseVerdict } from './judge-cases.ts';

const isFull = ({ validity, holding }: Values) => validity === 'valid' && holding === 'all';

/**
 * Variables whose full token was accepted as itself: it is what its name says. What a silent rule admits shows no such thing. A
 * token that is also accepted without the header that its kind needs may be one of another kind.
 */
export function workingTokens(verdicts: readonly CaseVerdict[]): ReadonlySet<string> {
  const variablesOf = (all: readonly CaseVerdict[]) =>
    new Set(all.flatMap(({ case: { credential } }) => credential?.variable ?? []));
  const accepted = verdicts.filter(
    ({ case: { values, expectation }, observation: seen }) =>
      isFull(values) && expectation.kind === 'accept' && seen !== undefined && isAccepted(seen),
  );
  const ofAnother = variablesOf(
    verdicts.filter(
      ({ case: { values }, miss }) => isFull(values) && values.authorization === 'bearer' && miss?.wronglyAccepted,
    ),
  );
  return new Set([...variablesOf(accepted)].filter((variable) => !ofAnother.has(variable)));
}

/** What to check before the target is blamed: all cases use one token, and nothing shows that it is what its name says. */
export function caveatFor(cases: readonly CaseVerdict[], working: ReadonlySet<string>): { caveat?: string } {
  const credentials = new Map(cases.map(({ case: { credential } }) => [credential?.variable, credential]));
  const [only] = credentials.values();
  if (credentials.size !== 1 || only === undefined || only.source === 'random' || working.has(only.variable)) return {};
  return {
    caveat: `all cases use $${only.variable}: check that the token has the kind, scopes and expiry of this name`,
  };
}
