import { type Deviant, type Grounds, serveDifference, type Variant } from '../../fixtures/deviants/deviant.ts';
import { type Depth, requirementFor } from '../../harness/contract/contract.ts';
import type { JudgedRun } from '../../harness/judge/judge-run.ts';
import type { CasesAt } from '../../harness/plan/expand.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { networkTransport, type Transport, type TransportInput } from '../../harness/send/transport.ts';
import type { Catalogue } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { checks } from '../checks/index.ts';

/** What the suite made of a deviant or variant. */
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
  /** What a deviant was caught by: the matrix, or only hand-written checks. */
  readonly caughtBy: 'matrix' | 'checks' | undefined;
  /** Why this is no proof; empty when it is one. */
  readonly problems: readonly string[];
}

export interface ProveOptions {
  readonly depth?: Depth;
  /** Intrusive checks too where the rest has caught a deviant already. */
  readonly thorough?: boolean;
}

/** What every proof rests on, made once. */
export interface ProofGrounds extends Grounds {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
}

/**
 * Judges a deviant as a remote target is judged, and with the intrusive checks as well where that does not catch it: it
 * must be caught, by its own requirement, as one cause.
 */
export async function proveDeviant(
  grounds: ProofGrounds,
  deviant: Deviant,
  { depth = 'core', thorough = false }: ProveOptions = {},
): Promise<Proof> {
  const { contract } = grounds.catalogue;
  const own = new Set(contract.operations.map(({ id }) => requirementFor(deviant.breaks, id)));
  const isCaught = (judged: JudgedRun) =>
    !thorough &&
    blameOf(judged).some(({ requirement, verdict }) => own.has(requirement) && verdict === deviant.expects);
  const { judged, applied } = await judgeDifference(grounds, deviant, { depth, isEnough: isCaught });
  const excused = new Set(
    Object.keys(deviant.also ?? {}).flatMap((template) =>
      contract.operations.map(({ id }) => requirementFor(template, id)),
    ),
  );
  const blamed = blameOf(judged);
  const mine = blamed.filter(({ requirement }) => own.has(requirement));
  const strangers = blamed.filter(({ requirement }) => !own.has(requirement) && !excused.has(requirement));
  const caught = judged.findings.filter(
    ({ requirements, verdict }) =>
      verdict !== 'inconclusive' && requirements.some((requirement) => own.has(requirement)),
  );
  const causes = caught.length;
  const caughtBy = causes === 0 ? undefined : caught.some(({ cases }) => cases.length > 0) ? 'matrix' : 'checks';
  const problems = [
    ...(applied ? [] : ['its difference was never exercised']),
    ...(mine.length > 0 ? [] : [`survived: wanted ${deviant.expects} of ${deviant.breaks}`]),
    ...mine
      .filter(({ verdict }) => verdict !== deviant.expects)
      .map(({ requirement, verdict }) => `${requirement} is a ${verdict}, wanted ${deviant.expects}`),
    ...strangers.map(({ requirement, verdict }) => `blamed for ${requirement} as well (${verdict})`),
    // Deeper than core a broken rule may also be seen at work in a second way.
    ...(causes > 1 && depth === 'core' ? [`shown as ${causes} causes`] : []),
  ];
  const { id, what, breaks } = deviant;
  const cases = judged.verdicts.length;
  return { id, what, family: 'deviant', breaks, blamed, causes, cases, caughtBy, problems };
}

/** Runs everything at a depth against a variant: nothing may be blamed, nothing may stay undecided. */
export async function proveVariant(
  grounds: ProofGrounds,
  variant: Variant,
  { depth = 'core' }: ProveOptions = {},
): Promise<Proof> {
  const { judged, applied } = await judgeDifference(grounds, variant, { depth, isEnough: () => false });
  const blamed = blameOf(judged);
  const problems = [
    ...(applied ? [] : ['its difference was never exercised']),
    ...blamed.map(({ requirement, verdict }) => `blamed for ${requirement} (${verdict})`),
    ...(judged.ending === 'conforms' ? [] : [`ends as ${judged.ending}`]),
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
  /** Whether the intrusive checks may be left out. */
  readonly isEnough: (judged: JudgedRun) => boolean;
}

async function judgeDifference(
  { catalogue, casesAt, ...grounds }: ProofGrounds,
  difference: Deviant | Variant,
  { depth, isEnough }: JudgeOptions,
): Promise<{ judged: JudgedRun; applied: boolean }> {
  const target = await serveDifference(grounds, difference);
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
    if (!isEnough(judged)) {
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
