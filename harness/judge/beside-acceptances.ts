import { unitOf } from '../plan/case.ts';
import { isAccepted } from '../record/observation.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * The verdicts of a run without what refusals seem to show where nothing is accepted: no well-made request of the same operation
 * and kind of token, or of the same operation if the case has no kind of its own (outcomes 2). What refuses everything there
 * would have refused the fault, too. A control that was not sent takes nothing away.
 */
export function besideAcceptances(verdicts: readonly CaseVerdict[]): readonly CaseVerdict[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.case.id, verdict]));
  const seen = acceptedIn(verdicts);
  return verdicts.map((verdict) => {
    const { case: planned, observation } = verdict;
    const control = byId.get(planned.control ?? '');
    const shows = verdict.verdict === 'pass' || verdict.verdict === 'observed';
    if (!shows || !control || control.sent === 0 || isAccepted(observation)) return verdict;
    const { values } = control.case;
    const isOwn = values.kind === planned.values.kind;
    if (seen.has(isOwn ? unitOf(values) : values.operation)) return verdict;
    const what = isOwn ? `${values.operation} with a ${values.kind} token` : values.operation;
    const reason = `no well-made ${what} was accepted, so a refusal shows nothing`;
    return { ...verdict, verdict: 'inconclusive', satisfied: [], reason };
  });
}

/** The operations and the units in which the run saw an acceptance of what may be accepted, at least at times. */
export function acceptedIn(verdicts: readonly CaseVerdict[]): ReadonlySet<string> {
  const accepted = verdicts.filter(
    ({ case: { expectation }, observation, comesAndGoes }) =>
      expectation.kind !== 'refuse' && (comesAndGoes === true || isAccepted(observation)),
  );
  return new Set(accepted.flatMap(({ case: { values } }) => [values.operation, unitOf(values)]));
}
