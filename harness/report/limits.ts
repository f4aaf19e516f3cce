import type { Undecided } from '../judge/judge-requirements.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { type Lack, textOfLack } from '../plan/lack.ts';
import { isAccepted } from '../record/observation.ts';

/** Why something is undecided or not planned. */
export interface ReportedLack {
  /** The name of the variable that is not set, or what went wrong. */
  readonly reason: string;
  /** The variable that is not set. Absent if that is not the reason. */
  readonly variable?: string;
}
/** Claimed requirements that are undecided for the same reason. */
export interface ReportedUndecided extends ReportedLack {
  readonly status: string;
  /** The baseline lists it as a gap. */
  readonly accepted: boolean;
  readonly requirements: readonly string[];
  readonly units: readonly string[];
}
/** The number of cases that are not planned for a reason. No claimed requirement needs them. */
export interface OutOfPlan extends ReportedLack {
  readonly cases: number;
}

export function reportLack(lack: Lack): ReportedLack {
  return { reason: textOfLack(lack), ...(lack.kind === 'variable' && { variable: lack.name }) };
}

export function undecidedBy({ requirements }: JudgedRun): readonly ReportedUndecided[] {
  const rows = new Map<string, Undecided & { requirements: Set<string>; units: Set<string> }>();
  for (const { requirement, undecided } of requirements)
    for (const found of undecided) {
      const key = `${found.accepted} ${textOfLack(found.lack)}`;
      const known = rows.get(key) ?? { ...found, requirements: new Set<string>(), units: new Set<string>() };
      known.requirements.add(requirement.id);
      known.units.add(found.unit);
      rows.set(key, known);
    }
  return [...rows.values()].map(({ lack, status, accepted, requirements: ids, units }) => ({
    ...reportLack(lack),
    status,
    accepted,
    requirements: [...ids].sort(),
    units: [...units].sort(),
  }));
}

export function outOfPlan({ plan }: RunFacts): readonly OutOfPlan[] {
  const rows = new Map<string, { readonly lack: Lack; cases: number }>();
  for (const { status, lack } of plan.undecidable) {
    if (status !== 'out-of-plan') continue;
    const known = rows.get(textOfLack(lack)) ?? { lack, cases: 0 };
    known.cases += 1;
    rows.set(textOfLack(lack), known);
  }
  return [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, { lack, cases }]) => ({ ...reportLack(lack), cases }));
}

/**
 * The variables whose tokens were never accepted in this run, such as expired ones. No request can show that they ever
 * worked (outcomes 2).
 */
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
