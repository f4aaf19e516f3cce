import type { Contract } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import type { Cause } from './causes.ts';
import type { Missed } from './conjunction.ts';
import { statusOf } from './judge-answer.ts';
import type { CaseVerdict, Verdict } from './judge-cases.ts';

/**
 * The well-made requests that are refused at times, by the kind of their token and by the answer. What refuses them hangs on
 * earlier requests, and meets other requests of the kind as well: it is one fault, and theirs (outcomes 3).
 */
export interface FickleRefusals {
  /**
   * The well-made request that got the same answer as this case. Undefined if none did, or if this is a wrong acceptance. What
   * a well-made request gets by chance explains nothing that comes each time.
   */
  of(verdict: Pick<CaseVerdict, 'case' | 'miss' | 'verdict'>): CaseVerdict | undefined;
  /** That which got what a check blames. */
  ofDecision(decision: Decision): CaseVerdict | undefined;
}

export function fickleRefusals(verdicts: readonly CaseVerdict[]): FickleRefusals {
  const wellMade = verdicts.filter(
    ({ comesAndGoes, case: { expectation, deviations } }) =>
      comesAndGoes === true && expectation.kind === 'accept' && deviations === 0,
  );
  /** What such a request got, as the matrix and as a check says it. */
  const gotBy = ({ miss, observation }: CaseVerdict) => [miss?.got, `refused with ${statusOf(observation)}`];
  const find = (kind: string, verdict: Verdict, got: string | undefined) =>
    wellMade.find(
      (one) =>
        one.case.values.kind === kind &&
        (one.verdict !== 'inconclusive' || verdict === 'inconclusive') &&
        gotBy(one).includes(got),
    );
  return {
    of: ({ case: { values }, miss, verdict }) =>
      miss && !miss.wronglyAccepted ? find(values.kind, verdict, miss.got) : undefined,
    ofDecision: ({ kind, verdict, got }) => (verdict === 'fail' ? find(kind, verdict, got) : undefined),
  };
}

/** A case that got what a well-made request gets at times is blamed on the requirement of that. */
export const asFickle =
  (fickle: FickleRefusals) =>
  (missed: Missed): Missed => {
    const { miss } = fickle.of(missed.verdict) ?? {};
    return miss ? { ...missed, suspects: miss.suspects } : missed;
  };

export interface Explained {
  readonly decision: Decision;
  readonly subject: string;
}

/**
 * A decision on what a well-made request gets at times is about the cause that has this request. What no case shows, because one
 * request leaves it behind for the next, is about what its check blamed first for such a request with the same answer.
 */
export function explained(
  contract: Pick<Contract, 'rules'>,
  fickle: FickleRefusals,
  causes: readonly Cause[],
  decisions: readonly Decision[],
): readonly Explained[] {
  const answerOf = ({ check, verdict, got }: Decision) => (verdict === 'fail' ? `${check} ${got}` : undefined);
  const wellMade = decisions.filter((one) => isAcceptance(contract, one) && one.got !== undefined).reverse();
  const first = new Map(wellMade.map((one) => [answerOf(one), one.requirement]));
  return decisions.map((decision) => {
    const known = fickle.ofDecision(decision);
    const cause = known && causes.find(({ cases }) => cases.some((one) => one.case === known.case));
    const explaining = cause?.requirements[0] ?? first.get(answerOf(decision) ?? '');
    return { decision, subject: explaining ?? decision.requirement };
  });
}

/** Whether a decision is on the acceptance of well-made requests. */
export function isAcceptance({ rules }: Pick<Contract, 'rules'>, { requirement }: Decision): boolean {
  return rules.acceptances.some((one) => one.requirement === requirement);
}
