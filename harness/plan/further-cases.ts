import { type Plan, type PlannedCase, planOf } from './plan.ts';

/**
 * The plan with the cases that a run sent beyond it, to find the condition of a miss, and with their controls. It is the
 * same plan if there are none.
 * @param sent the ids of all cases that were sent.
 */
export function withFurtherCases(plan: Plan, sent: Iterable<string>): Plan {
  const further = new Map<string, PlannedCase>();
  for (const id of sent) {
    const planned = plan.cases.has(id) || further.has(id) ? undefined : plan.find(id);
    if (!planned) continue;
    further.set(id, planned);
    const control = planned.control === undefined ? undefined : plan.find(planned.control);
    if (control && !plan.cases.has(control.id)) further.set(control.id, control);
  }
  return further.size === 0 ? plan : planOf({ ...plan, cases: new Map([...plan.cases, ...further]) });
}
