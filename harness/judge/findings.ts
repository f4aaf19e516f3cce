import type { Contract, Values } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import type { Decision } from '../record/exchange.ts';
import { type Cause, findCauses, plainest } from './causes.ts';
import { withDecisions } from './causes-of-checks.ts';
import type { Missed } from './conjunction.ts';
import { convict } from './convict.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { Miss } from './miss.ts';

/** A cause in the list of findings. */
export interface Finding extends Cause {
  readonly id: string;
  /** Set when every case rests on one credential: the operator may have it wrong. */
  readonly caveat?: string;
}

/** Groups misses by cause, the widest first. Pure and deterministic. */
export function findingsOf(
  contract: Contract,
  verdicts: readonly CaseVerdict[],
  decisions: readonly Decision[],
  trusted: boolean,
): readonly Finding[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.case.id, verdict]));
  const missed = verdicts.flatMap((verdict): Missed[] =>
    verdict.miss && (verdict.verdict === 'fail' || verdict.verdict === 'warn')
      ? [{ verdict: { ...verdict, miss: verdict.miss }, suspects: suspectsOf(verdict, verdict.miss, byId) }]
      : [],
  );
  const passes = passesByTemplate(contract, verdicts);
  const causes = withDecisions(
    contract,
    [...findCauses(contract, convict(missed), passes), ...unsteady(verdicts)],
    decisions,
  );
  return causes.map((cause, index) => ({ id: `F${index + 1}`, ...cause, ...caveatFor(cause.cases, trusted) }));
}

/** The verdicts with those that fail only for what a cause recommends turned into its warning. */
export function withWarnings(verdicts: readonly CaseVerdict[], findings: readonly Finding[]): readonly CaseVerdict[] {
  const warned = new Set(
    findings.flatMap(({ verdict, cases }) => (verdict === 'warn' ? cases.map((found) => found.case.id) : [])),
  );
  return verdicts.map((found) =>
    found.verdict === 'fail' && warned.has(found.case.id) ? { ...found, verdict: 'warn' } : found,
  );
}

/** A denial whose control is itself wrongly refused may only show what its control shows. */
function suspectsOf(
  { case: planned }: CaseVerdict,
  miss: Miss,
  byId: ReadonlyMap<string, CaseVerdict>,
): readonly Suspect[] {
  const control = planned.control === undefined ? undefined : byId.get(planned.control);
  return control?.miss && !miss.wronglyAccepted ? [...miss.suspects, ...control.miss.suspects] : miss.suspects;
}

function passesByTemplate(
  contract: Contract,
  verdicts: readonly CaseVerdict[],
): ReadonlyMap<string, readonly Values[]> {
  const templates = new Map<string, string>();
  const entries = [...contract.rules.refusals, ...contract.rules.acceptances];
  for (const { requirement } of entries)
    for (const { id } of contract.operations) templates.set(requirement.replace('{operation}', id), requirement);
  const passes = new Map<string, Values[]>();
  for (const { satisfied, case: planned } of verdicts)
    for (const requirement of satisfied) {
      const template = templates.get(requirement) ?? requirement;
      const known = passes.get(template);
      if (known) known.push(planned.values);
      else passes.set(template, [planned.values]);
    }
  return passes;
}

/** Wrong refusals that came and went: inconclusive, but worth a cause of their own, one per requirement. */
function unsteady(verdicts: readonly CaseVerdict[]): Cause[] {
  const groups = new Map<string, CaseVerdict[]>();
  for (const verdict of verdicts) {
    const template = verdict.intermittent ? verdict.miss?.suspects[0]?.template : undefined;
    if (template !== undefined) groups.set(template, [...(groups.get(template) ?? []), verdict]);
  }
  return [...groups].map(([template, cases]) => ({
    verdict: 'inconclusive',
    template,
    requirements: [
      ...new Set(cases.flatMap(({ miss }) => miss?.suspects.slice(0, 1).map(({ requirement }) => requirement) ?? [])),
    ],
    basis: 'stated',
    places: [],
    scattered: cases.length,
    cases,
    decisions: [],
    example: plainest(cases, template),
  }));
}

function caveatFor(cases: readonly CaseVerdict[], trusted: boolean): { caveat?: string } {
  const credentials = new Map(cases.map(({ case: { credential } }) => [credential?.variable, credential]));
  const [only] = credentials.values();
  if (trusted || credentials.size !== 1 || only === undefined || only.source === 'random') return {};
  return {
    caveat: `or $${only.variable} is not what its name says: check its kind, scopes and expiry where it was created`,
  };
}
