import { randomBytes } from 'node:crypto';
import { type Check, checksFor } from '../checks/check.ts';
import { createCheckApi } from '../checks/check-api.ts';
import { runCheck } from '../checks/run-check.ts';
import type { Contract } from '../contract/contract.ts';
import type { Baseline } from '../judge/baseline.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { createCredentials, UNKNOWN_TOKEN } from '../plan/credentials.ts';
import { makePlan, type Plan } from '../plan/make-plan.ts';
import { narrow, refuseNarrowing } from '../plan/narrow.ts';
import { isNarrowed, type Narrowing, WHOLE } from '../plan/narrowing.ts';
import { peopleOf } from '../plan/people.ts';
import { commonHeaders } from '../plan/request.ts';
import type { Decision } from '../record/exchange.ts';
import { type Journal, openJournal } from '../record/journal.ts';
import { redactorFor } from '../record/redact.ts';
import { suiteVersion } from '../record/suite-version.ts';
import { createChatBudget, thinks } from '../send/chat-budget.ts';
import { type Clock, realClock } from '../send/clock.ts';
import { createGate, REMOTE_DENIALS_PER_MINUTE } from '../send/gate.ts';
import { lastAcceptance } from '../send/last-acceptance.ts';
import { createLockout } from '../send/lockout.ts';
import { createSender } from '../send/sender.ts';
import { networkTransport, type Transport, type TransportInput } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import { preflight } from './preflight.ts';
import { runGroup, sendGroup, sendLostAgain } from './send-group.ts';
import type { Session } from './session.ts';

export interface SessionOptions {
  /** The hand-written checks, in order; those that are intrusive are left out of a run that is not. */
  readonly checks?: readonly Check[];
  readonly intrusive?: boolean;
  readonly narrowing?: Narrowing;
  readonly baseline?: Baseline;
  readonly clock?: Clock;
  readonly journal?: Journal;
  /** How requests reach the target; over the network unless something stands in for it. */
  readonly transport?: (session: TransportInput) => Transport;
  /** Milliseconds without an answer after which the target counts as gone. */
  readonly patienceMs?: number;
}

/**
 * Starts a session: contract and settings -> plan, gate, journal. Nothing is sent yet.
 * @throws a configuration error for a narrowing that names nothing, before the journal of an earlier run is touched.
 */
export function startSession(contract: Contract, settings: Settings, options: SessionOptions = {}): Session {
  const {
    clock = realClock,
    patienceMs = settings.loopback ? 5_000 : 30_000,
    checks: every = [],
    intrusive = settings.loopback,
    narrowing = WHOLE,
  } = options;
  const run = randomBytes(4).toString('hex');
  const redactor = redactorFor(settings);
  const people = peopleOf(settings.variables, run);
  const credentials = createCredentials(contract, settings.variables, settings.minted);
  const whole = makePlan({ contract, depth: settings.depth, claims: settings.claims, credentials, people });
  const known = checksFor(contract, settings, every);
  const all = known.filter((check) => intrusive || !check.intrusive);
  const ids = known.map(({ id }) => id);
  refuseNarrowing(contract, whole, all, ids, narrowing);
  const { plan, checks } = narrow(contract, whole, all, narrowing);
  const journal = options.journal ?? openJournal(settings.reportDir, (reason) => gate.close(reason));
  const tokens = new Map([...whole.cases.values()].map(({ credential }) => [credential?.recipe, credential]));
  for (const credential of tokens.values()) if (credential) redactor.add(credential.recipe, credential.token);
  redactor.add('an unknown person', people.nobody);
  const gate = createGate({
    clock,
    rate: settings.rate,
    concurrency: settings.concurrency,
    patienceMs,
    denialsPerMinute: settings.loopback ? undefined : REMOTE_DENIALS_PER_MINUTE,
    async tryLastAcceptance() {
      const last = lastAcceptance(whole, sender.exchanges);
      if (last) await sender.send(last.planned, 'control');
    },
  });
  const chats = createChatBudget(settings.loopback ? undefined : settings.chatBudget, chatsWanted(contract, plan));
  const markers = new Map(
    [...settings.variables]
      .filter(([name]) => name.endsWith('_PRIVATE_MARKER'))
      .map(([name, { value }]) => [name, value]),
  );
  const observer = { messages: contract.rules.messages, redactor, markers };
  const parts = { contract, people, common: commonHeaders(run, suiteVersion), unknownToken: UNKNOWN_TOKEN };
  const { timeoutMs, chatTimeoutMs, trusted } = settings;
  const transport = (options.transport ?? networkTransport)({ contract, settings, plan: whole, people });
  const { probe } = transport;
  const sender = createSender({ contract, gate, chats, probe, journal, observer, parts, timeoutMs, chatTimeoutMs });
  const { concurrency, loopback } = settings;
  const lockout = createLockout({ plan: whole, sender, gate, concurrency });
  const sending = { contract, plan, sender, concurrency, trusted, ...(!loopback && { lockout }) };
  const decisions: Decision[] = [];
  const seed = Number.parseInt(run, 16) | 0;
  const startedAt = new Date().toISOString();
  journal.append({
    type: 'run',
    version: suiteVersion,
    run,
    contract: contract.digest,
    startedAt,
    target: redactor.text(settings.baseUrl),
    depth: settings.depth,
    claims: settings.claims,
    trusted,
    narrowing,
    checks: Object.fromEntries(all.map(({ id, requirements }) => [id, requirements])),
    extraHeaders: settings.extraHeaders.map(([name]) => name),
    tampered: Object.fromEntries(
      [...whole.cases.values()].flatMap(({ credential, values }) =>
        credential && values.validity === 'tampered' ? [[credential.recipe, credential.shell]] : [],
      ),
    ),
    variables: Object.fromEntries([...settings.variables].map(([name, { origin }]) => [name, origin])),
    minted: Object.fromEntries(
      [...(settings.minted ?? [])].map(([key, made]) => [key, 'token' in made ? 'token' : made]),
    ),
  });
  const session: Session = {
    contract,
    settings,
    plan,
    groups: plan.groups,
    checks,
    narrowing,
    gate,
    chats,
    sender,
    parts,
    redactor,
    observer,
    transport,
    clock,
    run,
    startedAt,
    preflight: () => preflight(whole, sender, settings),
    runGroup: (group) => runGroup(sending, group),
    async sendMatrix(step) {
      for (const group of plan.groups) {
        if (gate.closed !== undefined) return;
        await sendGroup(sending, group);
        step?.(group);
      }
      await sendLostAgain(sending);
    },
    async runCheck(check) {
      // A check chooses among all cases and their tokens, whatever else is narrowed.
      const connect = () => createCheckApi({ ...session, plan: whole }, `check:${check.id}`, seed);
      const found = await runCheck({ gate, redactor, connect }, check);
      for (const decision of found) journal.append(decision);
      decisions.push(...found);
      return found;
    },
    judge() {
      const { exchanges, unsent } = sender;
      const narrowed = isNarrowed(narrowing);
      const { baseline } = options;
      const evidence = { exchanges, unsent, decisions, trusted, stopped: gate.closed };
      return judgeRun({ contract, plan, narrowed, baseline, ...evidence });
    },
    ownsReportFolder: () => journal.isInPlace(),
    async close(interrupted = false) {
      journal.append({ type: 'end', interrupted, ...(gate.closed !== undefined && { stopped: gate.closed }) });
      journal.close();
      await probe.close();
    },
  };
  return session;
}

/** Cells that a target may accept on operations that think before they answer. */
function chatsWanted({ operations }: Contract, { groups }: Plan): number {
  const thinking = new Set(operations.filter(thinks).map(({ id }) => id));
  const cells = groups.flatMap(({ cases }) => cases);
  return cells.filter(({ values, expectation }) => expectation.kind !== 'refuse' && thinking.has(values.operation))
    .length;
}
