import type { Check } from '../checks/check.ts';
import type { Depth, Values } from '../contract/contract.ts';
import type { Baseline } from '../judge/baseline.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { type Narrowing, WHOLE } from '../plan/narrowing.ts';
import type { Decision } from '../record/exchange.ts';
import { noJournal } from '../record/journal.ts';
import type { Observation } from '../record/observation.ts';
import { noRedactor } from '../record/redact.ts';
import { makeReport, type Report } from '../report/report.ts';
import { startSession } from '../run/start-session.ts';
import { answer, casesAt, contract, rightAnswer, sendAll, settingsWith } from './small-world.ts';

export interface Scenario {
  readonly depth?: Depth;
  /** Changed variables. Undefined removes one. */
  readonly changes?: Readonly<Record<string, string | undefined>>;
  /** The answer to some cases. The others get the right answer. */
  readonly instead?: (values: Values) => Observation | undefined;
  readonly decisions?: readonly Decision[];
  /** The checks that there are. None of them is run. */
  readonly checks?: readonly Check[];
  /** Why cases were not sent, by their ids. */
  readonly unsent?: ReadonlyMap<string, string>;
  readonly narrowing?: Narrowing;
  readonly baseline?: Baseline;
}

/** A text from a hostile target that tries to break out of a terminal, HTML, XML and a line. */
export const HOSTILE =
  '\u0000\u001b[31m</script><script>window.broken = 1</script><img src=x onerror="broken=1">&]]>\u202e\ud800\uffff';

export const expiredUser = ({ kind, validity }: Values) => kind === 'USER' && validity === 'expired';

/** The report of a run without a network. */
export async function reportOf({
  depth = 'core',
  changes = {},
  instead,
  decisions = [],
  checks = [],
  unsent = new Map(),
  narrowing = WHOLE,
  baseline,
}: Scenario = {}): Promise<Report> {
  const settings = settingsWith({ ...changes, CONFORMANCE_DEPTH: depth });
  const session = startSession(settings, { journal: noJournal, casesAt, redactor: noRedactor, checks, narrowing });
  const { plan } = session;
  const exchanges = sendAll(plan, ({ values }) => instead?.(values) ?? rightAnswer(values)).filter(
    (exchange) => !unsent.has(exchange.case),
  );
  const { trusted } = settings;
  const judged = judgeRun({ contract, plan, exchanges, unsent, decisions, trusted, narrowed: false, baseline });
  await session.close();
  return makeReport(session, judged, null);
}

/** The same report with its cases repeated, each with another id. */
export function multiplied(report: Report, count: number): Report {
  const { cases } = report;
  const times = Math.ceil(count / cases.length);
  const again = Array.from({ length: times }, (_, time) =>
    cases.map((found) => (time === 0 ? found : { ...found, id: `${found.id}/header-case:${time}` })),
  );
  return { ...report, cases: again.flat().slice(0, count) };
}

/** The report on a target with hostile texts, in the answers to expired USER tokens and in a failing check. */
export function hostileReport(scenario: Scenario = {}): Promise<Report> {
  return reportOf({
    instead: (values) => (expiredUser(values) ? answer(404, HOSTILE, { 'content-type': 'text/html' }) : undefined),
    decisions: [decision('fail', HOSTILE)],
    ...scenario,
  });
}

/** A baseline with an entry for expired USER tokens, and entries that do not occur. */
export const BASELINE: Baseline = {
  deviations: [
    { requirement: 'token.expired', reason: `until the gateway is replaced ${HOSTILE}`, review: '2027-01-31' },
    { requirement: 'token.unknown', reason: 'was the gateway as well', review: '2026-10-31' },
  ],
  gaps: [{ cases: '*/GLOBAL/expired/**', reason: 'nobody may create one', review: '2027-01-31' }],
  today: '2026-11-21',
};

export function decision(verdict: Decision['verdict'], detail = 'saw the marker of another'): Decision {
  return {
    type: 'decision',
    steps: [],
    check: 'isolation',
    requirement: 'user.isolation',
    operation: 'search',
    kind: 'USER',
    verdict,
    detail,
  };
}

/** Clients that a run could not remove. One has markup in its name. */
export const LEFT_CLIENTS: Report['left'] = [
  {
    what: 'client',
    created: 5,
    removed: 0,
    ids: ['c1', '<b>', 'c3', 'c4', 'c5'],
    reasons: ['the run was interrupted'],
  },
];

/** A check that decides nothing. */
export function idleCheck(id: string, requirements: readonly string[], intrusive = false): Check {
  return { id, title: id, requirements, intrusive, run: async () => [] };
}
