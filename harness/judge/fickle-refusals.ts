import type { Decision } from '../record/exchange.ts';
import type { Cause } from './causes.ts';
import type { Missed } from './conjunction.ts';
import { statusOf } from './judge-answer.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * The well-made requests that are refused at times, by the kind of their token and by the answer. What refuses them hangs on
 * earlier requests, and meets other requests of the kind as well: it is one fault, and theirs (outcomes 3).
 */
export interface FickleRefusals {
  /** The well-made request that got the same answer as this case. Undefined if none did, or if this is a wrong acceptance. */
  of(verdict: Pick<CaseVerdict, 'case' | 'miss'>): CaseVerdict | undefined;
  /** That which was refused with the status that a check blames. */
  ofDecision(decision: Decision): CaseVerdict | undefined;
}

export function fickleRefusals(verdicts: readonly CaseVerdict[]): FickleRefusals {
  const wellMade = verdicts.filter(
    ({ comesAndGoes, case: { expectation, deviations } }) =>
      comesAndGoes === true && expectation.kind === 'accept' && deviations === 0,
  );
  const isOfKind = (kind: string) => (one: CaseVerdict) => one.case.values.kind === kind;
  return {
    of: ({ case: { values }, miss }) =>
      miss && !miss.wronglyAccepted
        ? wellMade.filter(isOfKind(values.kind)).find((one) => one.miss?.got === miss.got)
        : undefined,
    ofDecision: ({ kind, verdict, got = '' }) =>
      verdict === 'fail'
        ? wellMade
            .filter(isOfKind(kind))
            .find(({ miss, observation }) => [miss?.got, `refused with ${statusOf(observation)}`].includes(got))
        : undefined,
  };
}

/** A case that got what a well-made request gets at times is blamed on the requirement of that. */
export const asFickle =
  (fickle: FickleRefusals) =>
  (missed: Missed): Missed => {
    const { miss } = fickle.of(missed.verdict) ?? {};
    return miss ? { ...missed, suspects: miss.suspects } : missed;
  };

/** A decision on what a well-made request gets at times is about the cause that has this request. */
export function asDecided(fickle: FickleRefusals, causes: readonly Cause[], decision: Decision): Decision {
  const known = fickle.ofDecision(decision);
  const [requirement] = causes.find(({ cases }) => cases.some((one) => one.case === known?.case))?.requirements ?? [];
  return requirement === undefined ? decision : { ...decision, requirement };
}
