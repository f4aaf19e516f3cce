import { type Deviant, type SharedFixtures, serveDifference, type Variant } from '../../fixtures/deviants/deviant.ts';
import { type Depth, requirementFor } from '../../harness/contract/contract.ts';
import type { JudgedRun } from '../../harness/judge/judge-run.ts';
import type { CasesAt } from '../../harness/plan/expand.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { networkTransport, type Transport, type TransportInput } from '../../harness/send/transport.ts';
import type { Catalogue } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { checks } from '../checks/index.ts';

/** The result of testing a deviant or variant. */
export interface Proof {
  readonly id: string;
  readonly what: string;
  readonly family: 'deviant' | 'variant';
  /** The requirement that a deviant breaks. */
  readonly breaks: string;
  /** Every requirement blamed, with its verdict. */
  readonly blamed: readonly { readonly requirement: string; readonly verdict: string }[];
  readonly causes: number;
  /** Cases of the matrix at this depth. */
  readonly cases: number;
  /** What caught a deviant: the matrix, or only the hand-written checks. Undefined for variants and survivors. */
  readonly caughtBy: 'matrix' | 'checks' | undefined;
  /** What is wrong with the result; empty if it proves what it should. */
  readonly problems: readonly string[];
}

export interface ProveOptions {
  readonly depth?: Depth;
  /** Run the intrusive checks even if the deviant is caught without them. */
  readonly thorough?: boolean;
}

/** What every proof needs; made only once. */
export interface ProofFixtures extends SharedFixtures {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
}

/**
 * Tests a deviant without the intrusive checks, and with them if it is not caught. It must be blamed for the requirement
 * that it breaks and no other, as one cause.
 */
export async function proveDeviant(
  fixtures: ProofFixtures,
  deviant: Deviant,
  { depth = 'core', thorough = false }: ProveOptions = {},
): Promise<Proof> {
  const { contract } = fixtures.catalogue;
  const own = new Set(contract.operations.map(({ id }) => requirementFor(deviant.breaks, id)));
  const isCaught = (judged: JudgedRun) =>
    !thorough &&
    blameOf(judged).some(({ requirement, verdict }) => own.has(requirement) && verdict === deviant.expects);
  const { judged, applied } = await judgeDifference(fixtures, deviant, { depth, isSufficient: isCaught });
  const excused = new Set(
    Object.keys(deviant.also ?? {}).flatMap((template) =>
      contract.operations.map(({ id }) => requirementFor(template, id)),
    ),
  );
  const blamed = blameOf(judged);
  const blamedOwn = blamed.filter(({ requirement }) => own.has(requirement));
  const blamedOthers = blamed.filter(({ requirement }) => !own.has(requirement) && !excused.has(requirement));
  const caught = judged.findings.filter(
    ({ requirements, verdict }) =>
      verdict !== 'inconclusive' && requirements.some((requirement) => own.has(requirement)),
  );
  const causes = caught.length;
  const problems = [
    ...(applied ? [] : [NOT_APPLIED]),
    ...(blamedOwn.length > 0 ? [] : [`survived: wanted ${deviant.expects} of ${deviant.breaks}`]),
    ...blamedOwn
      .filter(({ verdict }) => verdict !== deviant.expects)
      .map(({ requirement, verdict }) => `wanted ${deviant.expects} of ${requirement}, got ${verdict}`),
    ...blamedOthers.map(({ requirement, verdict }) => `also blamed for ${requirement} (${verdict})`),
    // At greater depths, cases with several faults may show a second cause.
    ...(causes > 1 && depth === 'core' ? [`wanted one cause, got ${causes}`] : []),
  ];
  const { id, what, breaks } = deviant;
  const cases = judged.verdicts.length;
  return { id, what, family: 'deviant', breaks, blamed, causes, cases, caughtBy: caughtBy(caught), problems };
}

const NOT_APPLIED = 'no request reached what it changes';

function caughtBy(findings: JudgedRun['findings']): Proof['caughtBy'] {
  if (findings.length === 0) return undefined;
  return findings.some(({ cases }) => cases.length > 0) ? 'matrix' : 'checks';
}

/** Tests a variant with all checks. It must be blamed for nothing, and nothing may stay undecided. */
export async function proveVariant(
  fixtures: ProofFixtures,
  variant: Variant,
  { depth = 'core' }: ProveOptions = {},
): Promise<Proof> {
  const { judged, applied } = await judgeDifference(fixtures, variant, { depth, isSufficient: () => false });
  const blamed = blameOf(judged);
  const problems = [
    ...(applied ? [] : [NOT_APPLIED]),
    ...blamed.map(({ requirement, verdict }) => `blamed for ${requirement} (${verdict})`),
    ...(judged.ending === 'conforms' ? [] : [`wanted the run to end as conforms, got ${judged.ending}`]),
  ];
  return {
    id: variant.id,
    what: variant.what,
    family: 'variant',
    breaks: '',
    blamed,
    causes: judged.findings.length,
    cases: judged.verdicts.length,
    caughtBy: undefined,
    problems,
  };
}

interface JudgeOptions {
  readonly depth: Depth;
  /** Whether the verdicts so far suffice, so that the intrusive checks are left out. */
  readonly isSufficient: (judged: JudgedRun) => boolean;
}

async function judgeDifference(
  { catalogue, casesAt, ...fixtures }: ProofFixtures,
  difference: Deviant | Variant,
  { depth, isSufficient }: JudgeOptions,
): Promise<{ judged: JudgedRun; applied: boolean }> {
  const target = await serveDifference(fixtures, difference);
  const settings = embeddedSettings(catalogue, target.env, {
    environment: {},
    dotenv: {},
    flags: { CONFORMANCE_DEPTH: depth },
  });
  const { administer } = target;
  const transport = (input: TransportInput): Transport => ({
    ...networkTransport(input),
    ...(administer && { administer }),
  });
  const session = startSession(settings, { checks, casesAt, journal: noJournal, transport });
  try {
    const problem = await session.preflight();
    if (problem) throw new Error(`${difference.id}: ${problem.line}`);
    await session.sendMatrix();
    for (const check of session.checks) if (!check.intrusive) await session.runCheck(check);
    let judged = session.judge();
    if (!isSufficient(judged)) {
      for (const check of session.checks) if (check.intrusive) await session.runCheck(check);
      judged = session.judge();
    }
    return { judged, applied: target.applied() };
  } finally {
    await session.close();
    await target.close();
  }
}

function blameOf({ findings }: JudgedRun): Proof['blamed'] {
  return findings
    .filter(({ verdict }) => verdict !== 'inconclusive')
    .flatMap(({ requirements, verdict }) => requirements.map((requirement) => ({ requirement, verdict })));
}
