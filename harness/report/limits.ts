import type { Undecided } from '../judge/judge-requirements.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { textOfLack } from '../plan/lack.ts';
import { isAccepted } from '../record/observation.ts';

/** What is claimed and undecided: what would decide it, with what it decides. */
export interface ReportedUndecided {
  readonly reason: string;
  readonly status: string;
  /** The baseline lists it as a gap. */
  readonly accepted: boolean;
  readonly requirements: readonly string[];
  readonly units: readonly string[];
}
/** Cases that nothing claimed needs, by the reason that they are not planned. */
export interface OutOfPlan {
  readonly reason: string;
  readonly cases: number;
}

export function undecidedBy({ requirements }: JudgedRun): readonly ReportedUndecided[] {
  const rows = new Map<string, Undecided & { reason: string; requirements: Set<string>; units: Set<string> }>();
  for (const { requirement, undecided } of requirements)
    for (const found of undecided) {
      const reason = textOfLack(found.lack);
      const key = `${found.accepted} ${reason}`;
      const known = rows.get(key) ?? { ...found, reason, requirements: new Set<string>(), units: new Set<string>() };
      known.requirements.add(requirement.id);
      known.units.add(found.unit);
      rows.set(key, known);
    }
  return [...rows.values()].map(({ reason, status, accepted, requirements: ids, units }) => ({
    reason,
    status,
    accepted,
    requirements: [...ids].sort(),
    units: [...units].sort(),
  }));
}

export function outOfPlan({ plan }: RunFacts): readonly OutOfPlan[] {
  const counts = new Map<string, number>();
  for (const { status, lack } of plan.undecidable) {
    const reason = textOfLack(lack);
    if (status === 'out-of-plan') counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([reason, cases]) => ({ reason, cases }));
}

/** Credentials used for denials only: what cannot be shown to have ever been accepted (OUTCOMES 2). */
export function restsOnWord({ plan }: RunFacts, { exchanges }: JudgedRun): string[] {
  const accepted = new Set(
    exchanges.flatMap(({ credential, observation }) => (isAccepted(observation) ? [credential] : [])),
  );
  const used = [...plan.cases.values()].flatMap(({ credential, values }) =>
    credential && values.validity !== 'tampered' && values.family !== 'unknown' && !accepted.has(credential.recipe)
      ? [credential.variable]
      : [],
  );
  return [...new Set(used)].sort();
}
