import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../harness/contract/amounts.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { type Narrowing, WHOLE } from '../harness/plan/narrowing.ts';
import { INTERRUPTED } from '../harness/record/exchange.ts';
import { noJournal } from '../harness/record/journal.ts';
import { type Again, againOf, replayedIn, worstReplayed } from '../harness/report/replayed.ts';
import type { Report } from '../harness/report/report.ts';
import type { Session } from '../harness/run/session.ts';
import { type SessionOptions, startSession } from '../harness/run/start-session.ts';
import { socketHost } from '../harness/send/proxy.ts';
import type { Settings } from '../harness/settings/settings.ts';
import { print } from './terminal.ts';

/** What is sent again together, and said in one part of a line: a finding, or everything that is undecided. */
interface Open {
  readonly name: string;
  readonly again: Again;
}
export interface Watching {
  readonly settings: Settings;
  readonly options: Required<Pick<SessionOptions, 'checks' | 'casesAt' | 'intrusive' | 'narrowing'>>;
  /** Runs everything and writes the reports. Undefined if nothing could be tested. */
  readonly runWhole: (settings: Settings) => Promise<Report | undefined>;
  /**
   * The settings with new tokens of TOKEN_COMMAND, because the target may have forgotten those from before its restart, and
   * they may have expired. Undefined if there are none; it has said why.
   */
  readonly renew: (again?: Narrowing) => Promise<Settings | undefined>;
  readonly ended: AbortSignal;
}

/**
 * Sends again what failed or was undecided each time the target comes back from a restart, and says in a line what changed. Once
 * all of it passes, everything is run again. Ends when the operator ends it.
 */
export async function watch(first: Report | undefined, watching: Watching): Promise<void> {
  const { runWhole, ended } = watching;
  let report = first;
  while (!ended.aborted) {
    const open = report ? openIn(report, watching) : [];
    if (open.length > 0) await untilNothingIsOpen(open, watching);
    else {
      print(`nothing is left to send again: after the next restart${OR_ENTER} everything is run again`);
      await awaitChange(watching.settings.baseUrl, process.stdin, ended);
    }
    const settings = ended.aborted ? undefined : await watching.renew();
    if (settings) report = (await runWhole(settings)) ?? report;
  }
}

async function untilNothingIsOpen(all: readonly Open[], watching: Watching): Promise<void> {
  const { settings, ended } = watching;
  let open = all;
  while (open.length > 0 && !ended.aborted) {
    const only = [...new Set(open.flatMap(({ again }) => [...again.cases, ...again.checks, ...again.beside]))];
    const narrowing = { ...WHOLE, only };
    const options = { ...watching.options, narrowing, breadth: 'whole', journal: noJournal } as const;
    const begin = (now: Settings) => startSession({ ...now, depth: 'full' }, options);
    // The plan is made while the target restarts, so that the verdict follows at once, unless it waits for new tokens.
    let session = settings.minted?.size ? undefined : begin(settings);
    const end = () => session?.gate.close(INTERRUPTED);
    ended.addEventListener('abort', end);
    try {
      print(`waiting for a restart of the target${OR_ENTER} to send ${namesOf(open)} again`);
      const change = await awaitChange(settings.baseUrl, process.stdin, ended);
      if (change === 'ended') return;
      if (!session) {
        const renewed = await watching.renew(narrowing);
        if (!renewed || ended.aborted) continue;
        session = begin(renewed);
      }
      open = await sendAgain(session, open);
      // A minute has its limit of refused tokens, whatever asks (outcomes 6).
      if (!settings.loopback && open.length > 0)
        await sleep(60_000, undefined, { signal: ended }).catch(() => undefined);
    } finally {
      ended.removeEventListener('abort', end);
      await session?.close();
    }
  }
}

/** Sends what is open, says what came of it, and returns what still is. */
async function sendAgain(session: Session, open: readonly Open[]): Promise<readonly Open[]> {
  const problem = await session.preflight();
  if (session.gate.closed === INTERRUPTED) return open;
  if (problem) {
    print(visible(session.redactor.text(problem.line)));
    return open;
  }
  await session.sendMatrix();
  for (const check of session.checks) await session.runCheck(check);
  // What was cut short says nothing of what failed.
  if (session.gate.closed === INTERRUPTED) return open;
  const judged = session.judge();
  const found = open.map((one) => {
    const replayed = replayedIn(session, judged, one.again);
    const verdict = worstReplayed(replayed);
    const detail = verdict === 'still fails' ? ` (${replayed[0]?.detail})` : '';
    return { one, verdict, line: visible(`${one.name}: ${verdict}${detail}`) };
  });
  print(`${new Date().toTimeString().slice(0, 8)}  ${found.map(({ line }) => line).join('; ')}`);
  return found.filter(({ verdict }) => verdict !== 'no longer fails').map(({ one }) => one);
}

/** What failed or was undecided in a run. A warning changes no exit code, and is not sent again. */
function openIn({ findings, cases, checks }: Report, { options }: Watching): readonly Open[] {
  const checkIds = options.checks.map(({ id }) => id);
  const failing = findings.filter(({ verdict, listed }) => verdict === 'fail' && !listed);
  const undecided = cases.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  const ofChecks = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const left: Again = {
    cases: undecided,
    checks: [...new Set(ofChecks.map(({ check }) => check))],
    beside: [],
    counts: ({ check, requirement }) => ofChecks.some((one) => one.check === check && one.requirement === requirement),
  };
  return [
    ...failing.map((finding) => {
      const again = againOf(finding, checkIds);
      return {
        name: `${finding.id} ${finding.requirements.join(', ')}`,
        // Cases answer at once. The whole run that follows has the checks, which send many requests each.
        again: again.cases.length > 0 ? { ...again, checks: [], beside: [] } : again,
      };
    }),
    ...(left.cases.length + left.checks.length > 0 ? [{ name: 'what was undecided', again: left }] : []),
  ];
}

function namesOf(open: readonly Open[]): string {
  const more = open.length - MOST_NAMED;
  const names = open.slice(0, MOST_NAMED).map(({ name }) => name);
  return `${names.join('; ')}${more > 0 ? ` and ${counted(more, 'more cause')}` : ''}`;
}
const MOST_NAMED = 3;

/** Why a watched target is asked again. */
type Change = 'restarted' | 'key' | 'ended';

/** Only a terminal says that somebody pressed a key. */
const OR_ENTER = process.stdin.isTTY ? ', or Enter,' : '';

/** How often a target that is down is asked whether it is back. */
const POLL_MS = 100;

/**
 * Waits until the target has been down and accepts connections again, until somebody presses Enter, or until `ended`. It
 * holds a connection open, which ends when the process behind it does, and sends nothing over it.
 */
export async function awaitChange(base: string, input: NodeJS.ReadStream, ended: AbortSignal): Promise<Change> {
  const over = new AbortController();
  const stop = AbortSignal.any([ended, over.signal]);
  try {
    return await Promise.race([untilRestarted(base, stop), untilKey(input, stop)]);
  } finally {
    over.abort();
  }
}

/** Its last connection ends with `stop`, and so does this. */
async function untilRestarted(base: string, stop: AbortSignal): Promise<Change> {
  let wasDown = false;
  while (!stop.aborted) {
    const socket = await connected(base, stop);
    // `once` of node:events would reject where the connection is reset, as by a process that is killed.
    const closed = socket && new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
    // What stands in front of a target that is down may take a connection, and close it at once.
    const isUp = closed && (await Promise.race([closed.then(() => false), sleep(POLL_MS, true)]));
    if (isUp && wasDown) {
      socket.destroy();
      return 'restarted';
    }
    // A server also closes a connection that nobody uses. Then the next one is accepted at once, and it was never down.
    if (isUp) await closed;
    else {
      wasDown = true;
      await sleep(POLL_MS);
    }
  }
  return 'ended';
}

/** A connection to the target. Undefined if it accepts none. */
function connected(base: string, stop: AbortSignal): Promise<Socket | undefined> {
  const url = new URL(base);
  const socket = connect({ host: socketHost(url), port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) });
  // The option `signal` of a socket leaves a listener behind, and a target that is down is asked many times.
  const destroy = () => socket.destroy();
  stop.addEventListener('abort', destroy);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
    socket.once('close', () => {
      stop.removeEventListener('abort', destroy);
      resolve(undefined);
    });
  });
}

function untilKey(input: NodeJS.ReadStream, stop: AbortSignal): Promise<Change> {
  return new Promise((resolve) => {
    if (!input.isTTY) return;
    const press = () => resolve('key');
    input.once('data', press).resume();
    stop.addEventListener('abort', () => input.off('data', press).pause(), { once: true });
  });
}
