import pMap, { pMapIterable } from 'p-map';
import type { Check } from '../checks/check.ts';
import { createCheckApi } from '../checks/check-api.ts';
import { runCheck } from '../checks/run-check.ts';
import type { Baseline } from '../judge/baseline.ts';
import { judgeCasesOfRun, judgeRun, type RunToJudge } from '../judge/judge-run.ts';
import type { Tampering } from '../plan/credentials.ts';
import { type CheckHead, isNarrowed } from '../plan/narrowing.ts';
import { acceptancesIn, type Group, type Plan } from '../plan/plan.ts';
import type { Decision, RunRecord } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import { noRedactor, type Redactor } from '../record/redact.ts';
import { proxyFor } from '../send/proxy.ts';
import type { Settings } from '../settings/settings.ts';
import { askFurther, endIfDead, settleChance } from './ask-further.ts';
import { type PlannedRun, type PlanOptions, planRun, redactorOf, seedOf } from './plan-run.ts';
import { preflight } from './preflight.ts';
import { runGroup, sendGroup, sendLostAgain } from './send-group.ts';
import type { Session } from './session.ts';
import { tryTokens } from './try-tokens.ts';
import { type Wiring, type WiringOptions, wireSending } from './wire-sending.ts';

export interface SessionOptions extends PlanOptions, WiringOptions {
  readonly baseline?: Baseline;
}

/**
 * Starts a session: makes the plan, the gate and the journal. Sends nothing yet.
 * @throws a configuration error for a narrowing that matches nothing. The journal of an earlier run is then untouched.
 */
export function startSession(settings: Settings, options: SessionOptions): Session {
  // A budget buys more of the most telling ways than of all ways.
  const planned = planRun(settings, { ...options, ...(options.budget !== undefined && { breadth: 'telling' }) });
  const wiring = wireSending(planned, options);
  wiring.journal.append(runRecord(planned));
  if (options.earlier) wiring.journal.append(options.earlier);
  return sessionOf(planned, wiring, options.baseline);
}

function sessionOf(planned: PlannedRun, wiring: Wiring, baseline: Baseline | undefined): Session {
  const { contract, settings, plan, whole, narrowing, redactor, run } = planned;
  const { gate, journal, sender, sending, world, left } = wiring;
  const seed = seedOf(run);
  const { decisions } = world;
  const isOver = () => gate.closed !== undefined;
  const found = () => ({ exchanges: sender.exchanges, unsent: sender.unsent, decisions, stopped: gate.closed });
  const { trusted } = settings;
  const judgedCases = judgedOnce(found, (now) => judgeCasesOfRun({ contract, plan, trusted, ...now }));
  const settle = () => settleChance({ sender, judge: judgedCases, isOver });
  const { requirements } = narrowing;
  const asksFor = (requirement: string) => requirements.length === 0 || requirements.includes(requirement);
  const decide = (check: Check) => {
    const connect = () => createCheckApi(world, `check:${check.id}`, seed);
    return runCheck({ gate, redactor, connect, lockout: world.lockout, asksFor }, check);
  };
  /** Elsewhere requests have a pace anyway, and a budget buys the gravest first. */
  const atOnce = (most: number) => (settings.loopback && wiring.budget === undefined ? most : 1);
  const keep = (found: readonly Decision[]) => {
    for (const decision of found) journal.append(decision);
    decisions.push(...found);
  };
  // What the target gave during the run is masked where it is recorded. A report says what the journal says.
  let reported: Redactor | undefined;
  const session: Session = {
    ...planned,
    get redactor() {
      reported ??= redactor === noRedactor ? redactor : redactorOf(planned);
      return reported;
    },
    left,
    gate,
    sender,
    async preflight() {
      const problem = await preflight(whole, sender, { ...settings, proxy: proxyFor(settings.baseUrl) });
      // The tokens of a trusted target were made for this run, so a refusal is judged (outcomes 2).
      if (problem || settings.trusted) return problem;
      const acceptances = planned.checks.length > 0 ? whole.acceptances : acceptancesIn(plan.cases);
      return tryTokens({ contract, acceptances, sender });
    },
    runGroup: (group) => runGroup(sending, group),
    async sendMatrix(step) {
      const send = async (group: Group) => {
        if (gate.closed !== undefined) return;
        await sendGroup(sending, group);
        step?.(group);
      };
      await pMap(plan.groups, send, { concurrency: atOnce(GROUPS_AT_ONCE) });
      if (gate.closed !== undefined) return;
      await sendLostAgain(sending);
      await settle();
      await session.askFurther();
      await settle();
    },
    async askFurther() {
      const { shard: _shard, ...asked } = narrowing;
      // A run that was asked for certain cases sends only these.
      if (isNarrowed(asked)) return;
      await askFurther({ sending, judge: session.judge, isOver });
    },
    async sendAll(step) {
      const { budget = Number.POSITIVE_INFINITY } = wiring;
      const done = new Set<Check>();
      const run = async (check: Check) => {
        done.add(check);
        step?.({ kind: 'check begins', check });
        const found = await decide(check);
        step?.({ kind: 'check done', check });
        return found;
      };
      // Half of a budget is for the matrix.
      const runFirst = async (check: Check) => (sender.exchanges.length < budget / 2 ? run(check) : []);
      /** The decisions are kept in the order of the checks, whichever ends first. */
      const runAll = async (checks: readonly Check[], concurrency: number, how = run) => {
        const options = { concurrency, backpressure: Math.max(concurrency, checks.length) };
        for await (const found of pMapIterable(checks, how, options)) keep(found);
      };
      const checksAtOnce = atOnce(CHECKS_AT_ONCE);
      const goFirst = planned.checks.filter(({ goesFirst }) => goesFirst);
      await runAll(goFirst, checksAtOnce, runFirst);
      await session.sendMatrix((group) => step?.({ kind: 'group done', group }));
      const left = planned.checks.filter((check) => !done.has(check));
      const isLast = ({ needsQuiet, readsRun }: Check) => needsQuiet === true || readsRun === true;
      await runAll(
        left.filter((check) => !isLast(check)),
        checksAtOnce,
      );
      await runAll(left.filter(isLast), 1);
      await endIfDead({ plan: whole, sender, gate });
    },
    async runCheck(check) {
      const found = await decide(check);
      keep(found);
      return found;
    },
    judge: judgedOnce(found, (now) =>
      judgeRun({ contract, plan, narrowed: isNarrowed(narrowing), baseline, trusted, ...now }, judgedCases()),
    ),
    async close(interrupted = false, decided = true) {
      journal.append({ type: 'end', interrupted, ...(gate.closed !== undefined && { stopped: gate.closed }) });
      if (decided) journal.close();
      else journal.withdraw();
      await world.transport.probe.close();
    },
  };
  return session;
}

/** On this machine, a run does not wait for one answer at a time. */
const GROUPS_AT_ONCE = 6;
const CHECKS_AT_ONCE = 16;

/** The first entry of a journal: everything that is needed to plan the run again, without secrets. Pure. */
function runRecord(planned: PlannedRun): RunRecord {
  const { contract, settings, narrowing, run, startedAt, redactor, whole, allChecks, needIntrusive, breadth } = planned;
  const { maxLatency } = planned;
  const { variables, minted = new Map(), extraHeaders, depth, claims, trusted } = settings;
  return {
    type: 'run',
    version: suiteVersion,
    run,
    contract: contract.digest,
    startedAt,
    target: redactor.text(settings.baseUrl),
    depth,
    claims,
    trusted,
    narrowing,
    checks: requirementsOf(allChecks),
    needIntrusive: requirementsOf(needIntrusive),
    readsRun: allChecks.flatMap(({ id, readsRun }) => (readsRun ? [id] : [])),
    breadth,
    ...(maxLatency && { maxLatency }),
    extraHeaders: extraHeaders.map(([name]) => name),
    tamperings: tamperingsIn(whole),
    variables: Object.fromEntries([...variables].map(([name, { origin }]) => [name, origin])),
    minted: Object.fromEntries([...minted].map(([key, answer]) => [key, 'token' in answer ? 'token' : answer])),
  };
}

function requirementsOf(checks: readonly CheckHead[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(checks.map(({ id, requirements }) => [id, requirements]));
}

/** How each token was tampered with. `report` has no tokens, so it cannot compute this again. */
function tamperingsIn({ credentials }: Plan): readonly Tampering[] {
  const tamperings = credentials.flatMap(({ credential }) => credential.tampering ?? []);
  return [...new Map(tamperings.map((tampering) => [tampering.from, tampering])).values()];
}

/** What a run has to judge at one moment. All of it grows, and a lockout changes exchanges. */
export type ToJudge = Required<Pick<RunToJudge, 'exchanges' | 'unsent' | 'decisions' | 'stopped'>>;

/** Judges again only if there is something new: judging twenty thousand cases takes as long as sending a thousand. */
export function judgedOnce<T>(toJudge: () => ToJudge, judge: (found: ToJudge) => T): () => T {
  let known: { readonly parts: readonly unknown[]; readonly judged: T } | undefined;
  return () => {
    const found = toJudge();
    const parts = partsOf(found);
    if (!known || !isSame(known.parts, parts)) known = { parts, judged: judge(found) };
    return known.judged;
  };
}

function partsOf({ exchanges, unsent, decisions, stopped }: ToJudge): readonly unknown[] {
  return [stopped, exchanges.length, ...exchanges, ...decisions, ...unsent.keys(), ...unsent.values()];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
