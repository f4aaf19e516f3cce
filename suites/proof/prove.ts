import { type Deviant, type SharedFixtures, serveDifference, type Variant } from '../../fixtures/deviants/deviant.ts';
import type { Check } from '../../harness/checks/check.ts';
import { DEPTHS, type Depth, requirementFor } from '../../harness/contract/contract.ts';
import { blamedIn } from '../../harness/judge/causes-of-checks.ts';
import type { JudgedRun } from '../../harness/judge/judge-run.ts';
import type { CasesAt } from '../../harness/plan/expand.ts';
import { rehearsalClock } from '../../harness/preview/rehearsal-clock.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { noRedactor } from '../../harness/record/redact.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { MOST_CHATS } from '../../harness/run/wire-sending.ts';
import { networkTransport, type TransportInput } from '../../harness/send/transport.ts';
import type { Catalogue } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { checksOf } from '../checks/index.ts';

/** The result of testing a deviant or variant. */
export interface Proof {
  readonly id: string;
  readonly what: string;
  readonly family: 'deviant' | 'variant';
  readonly breaks: string;
  readonly blamed: readonly { readonly requirement: string; readonly verdict: string }[];
  /** What caught a deviant: the matrix, or only the hand-written checks. Undefined for variants and survivors. */
  readonly caughtBy: 'matrix' | 'checks' | undefined;
  /** The checks that blamed it for its own requirement. */
  readonly checks: readonly string[];
  /** What is wrong with the result; empty if it proves what it should. */
  readonly problems: readonly string[];
}

/**
 * How much is sent to a deviant that is already caught. `quick`: nothing more. `usual`: the rest of the checks that are not
 * intrusive. `thorough`: the intrusive checks too. `remote` sends what a target on another machine gets by default, until
 * the deviant is caught: depth core whatever the deviant names, no intrusive check, the most telling ways of the others, and
 * no more chats than the budget allows.
 */
export type Effort = 'quick' | 'usual' | 'thorough' | 'remote';

export interface ProveOptions {
  readonly depth?: Depth;
  readonly effort?: Effort;
}

/** What every proof needs; made only once. */
export interface ProofFixtures extends SharedFixtures {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
}

/**
 * Tests a deviant, by default without the intrusive checks, and with them if it is not caught. It must be blamed for the
 * requirement that it breaks and no other, as one cause.
 */
export async function proveDeviant(
  fixtures: ProofFixtures,
  deviant: Deviant,
  { depth: asked = 'core', effort = 'usual' }: ProveOptions = {},
): Promise<Proof> {
  const depth = effort === 'remote' ? 'core' : deepest(asked, deviant.depth ?? 'core');
  const { contract } = fixtures.catalogue;
  const idsOf = (templates: readonly string[]) =>
    new Set(templates.flatMap((template) => contract.operations.map(({ id }) => requirementFor(template, id))));
  const own = idsOf([deviant.breaks]);
  const isCaught = (judged: JudgedRun) =>
    blameOf(judged).some(({ requirement, verdict }) => own.has(requirement) && verdict === deviant.expects);
  const stagesFor = (all: readonly Check[]) => stagesOf(all, effort, deviant);
  const intrusive = effort !== 'remote';
  const options = { depth, intrusive, stagesFor, isCaught };
  const { judged, applied } = await judgeDifference(fixtures, deviant, options);
  const excused = idsOf(Object.keys(deviant.also ?? {}));
  const blamed = blameOf(judged);
  const blamedOwn = blamed.filter(({ requirement }) => own.has(requirement));
  const blamedOthers = blamed.filter(({ requirement }) => !own.has(requirement) && !excused.has(requirement));
  const caught = judged.findings.filter(
    ({ requirements, verdict }) =>
      verdict !== 'inconclusive' && requirements.some((requirement) => own.has(requirement)),
  );
  const sendsRest = effort === 'usual' || effort === 'thorough';
  const problems = [
    ...(applied ? [] : [NOT_APPLIED]),
    ...(blamedOwn.length > 0 ? [] : [`survived: wanted ${deviant.expects} of ${deviant.breaks}`]),
    ...blamedOwn
      .filter(({ verdict }) => verdict !== deviant.expects)
      .map(({ requirement, verdict }) => `wanted ${deviant.expects} of ${requirement}, got ${verdict}`),
    // A warning leaves nothing undecided: what its cases cover is asked again (outcomes 3).
    ...(sendsRest && deviant.expects === 'warn' && judged.ending === 'inconclusive'
      ? ['the run ends as inconclusive']
      : []),
    ...blamedOthers.map(({ requirement, verdict }) => `also blamed for ${requirement} (${verdict})`),
    // At greater depths, cases with several faults may show a second cause.
    ...(caught.length > 1 && depth === 'core' ? [`wanted one cause, got ${caught.length}`] : []),
  ];
  const { id, what, breaks } = deviant;
  const blaming = judged.decisions.filter((one) => own.has(one.requirement) && one.verdict === deviant.expects);
  const by = { caughtBy: caughtBy(caught), checks: [...new Set(blaming.map(({ check }) => check))] };
  const shown = deviant.varies ? blamedOwn : blamed;
  return { id, what, family: 'deviant', breaks, blamed: shown, ...by, problems };
}

function deepest(...depths: readonly Depth[]): Depth {
  return DEPTHS.findLast((depth) => depths.includes(depth)) ?? 'core';
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
  { depth = 'core' }: Pick<ProveOptions, 'depth'> = {},
): Promise<Proof> {
  const { judged, applied } = await judgeDifference(fixtures, variant, {
    depth,
    intrusive: true,
    stagesFor: (all) => [[MATRIX, ...all]],
    isCaught: () => false,
  });
  const blamed = blameOf(judged);
  const problems = [
    ...(applied ? [] : [NOT_APPLIED]),
    ...blamed.map(({ requirement, verdict }) => `blamed for ${requirement} (${verdict})`),
    ...(judged.ending === 'conforms' ? [] : [`wanted the run to end as conforms, got ${judged.ending}`]),
  ];
  const { id, what } = variant;
  return { id, what, family: 'variant', breaks: '', blamed, caughtBy: undefined, checks: [], problems };
}

interface JudgeOptions {
  readonly depth: Depth;
  readonly intrusive: boolean;
  readonly stagesFor: (checks: readonly Check[]) => readonly Stage[];
  readonly isCaught: (judged: JudgedRun) => boolean;
}

async function judgeDifference(
  { catalogue, casesAt, ...fixtures }: ProofFixtures,
  difference: Deviant | Variant,
  { depth, intrusive, stagesFor, isCaught }: JudgeOptions,
): Promise<{ judged: JudgedRun; applied: boolean }> {
  const target = await serveDifference(fixtures, difference);
  const settings = {
    ...embeddedSettings(catalogue, target.env, { flags: { CONFORMANCE_DEPTH: depth } }),
    trusted: difference.foreign !== true,
    ...(intrusive ? {} : { loopback: false, concurrency: 4 }),
  };
  const limits = intrusive ? {} : { clock: rehearsalClock(), chatLimit: { max: MOST_CHATS, isTight: true } };
  const transport = (input: TransportInput) => networkTransport(input, target.administer);
  // The id of a run is the seed of its random values, so that every proof sends the same.
  // Nothing that a proof records is shown or written, and redaction would be a third of its time.
  const own = { run: 'proof', journal: noJournal, redactor: noRedactor, transport, ...limits };
  const session = startSession(settings, { checks: checksOf(catalogue.contract), casesAt, intrusive, ...own });
  try {
    const problem = await session.preflight();
    if (problem) throw new Error(`${difference.id}: ${problem.line}`);
    for (const stage of stagesFor(session.checks)) {
      let mayTell = false;
      for (const part of stage)
        if (part === MATRIX) {
          await session.sendMatrix();
          mayTell = true;
        } else {
          const decisions = await session.runCheck(part);
          mayTell ||= decisions.some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
        }
      // To judge a run takes as long as ten requests. Checks that found nothing wrong catch nothing.
      if (mayTell && isCaught(session.judge())) break;
    }
    return { judged: session.judge(), applied: target.applied() };
  } finally {
    await session.close();
    await target.close();
  }
}

const MATRIX = 'matrix';
/** What is sent together. After each stage, a deviant that is caught needs no more. */
type Stage = readonly (typeof MATRIX | Check)[];

function stagesOf(checks: readonly Check[], effort: Effort, { base, breaks }: Deviant): readonly Stage[] {
  const remote = checks.filter(({ intrusive }) => !intrusive);
  const intrusive = checks.filter((check) => check.intrusive);
  switch (effort) {
    case 'quick': {
      // A check that has the name of the requirement is the likeliest to decide it.
      const likely = checks.filter(({ id }) => breaks.startsWith(id));
      const others = [...remote, ...intrusive].filter((check) => !likely.includes(check));
      // No case of the matrix sees an admin console or an authorization server.
      const first: Stage = base === 'plain' || base === 'service' ? [MATRIX, ...likely] : [...likely, MATRIX];
      return [...first, ...others].map((part) => [part]);
    }
    case 'usual':
      return [[MATRIX, ...remote], intrusive];
    case 'thorough':
      return [[MATRIX, ...checks]];
    case 'remote':
      return [[MATRIX], ...remote.map((check): Stage => [check])];
    default:
      return effort satisfies never;
  }
}

function blameOf({ findings }: JudgedRun): Proof['blamed'] {
  return findings.filter(({ verdict }) => verdict !== 'inconclusive').flatMap(blamedIn);
}
