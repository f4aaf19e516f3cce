import { amount, firstShown } from '../contract/amounts.ts';
import type { CheckRow } from '../contract/check-row.ts';
import { given } from '../contract/collections.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision, EndRecord, Exchange, RunRecord } from '../record/exchange.ts';
import type { JournalLine } from '../record/journal.ts';

/** One thing that `verify` checks. A point that nobody can check with this suite is `unknown`. */
export interface Point {
  readonly state: 'holds' | 'does not hold' | 'unknown';
  /** What holds, if it holds. */
  readonly text: string;
  /** What is wrong, one sentence each, with the file and the line. */
  readonly problems: readonly string[];
}

/** More problems of one point than anybody reads. */
const MOST_PROBLEMS = 5;

/** A point that holds if nothing is wrong. */
export function pointOf(text: string, problems: readonly string[]): Point {
  const shown = firstShown(problems, MOST_PROBLEMS, (more) => `${more} more of this kind`);
  return { state: problems.length === 0 ? 'holds' : 'does not hold', text, problems: shown };
}

/** Whether the entries of a journal are all there, in their order. Pure. */
export function journalPoint(lines: readonly JournalLine[]): Point {
  const exchanges = lines.flatMap(({ line, entry }) => (entry.type === 'exchange' ? [{ line, entry }] : []));
  const known = new Set(exchanges.map(({ entry }) => entry.seq));
  const problems = [
    ...gapsIn(exchanges),
    ...lines.flatMap(({ line, entry }) =>
      entry.type === 'decision' ? missingSteps(entry, known).map((text) => at(line, text)) : [],
    ),
    ...endOf(lines),
  ];
  const count = `${amount(lines.length)} entries`;
  const isEnded = lines.at(-1)?.entry.type === 'end';
  return pointOf(
    isEnded
      ? `the journal is whole: ${count}, numbered without a gap`
      : `the journal has no end, because the run was killed: ${count}, numbered without a gap up to there`,
    problems,
  );
}

function at(line: number, text: string): string {
  return `journal.ndjson: line ${line}: ${text}`;
}

/** Exchanges are numbered from 1, so that a number is missing where an entry was taken out. */
function gapsIn(exchanges: readonly { readonly line: number; readonly entry: Exchange }[]): string[] {
  return exchanges.flatMap(({ line, entry: { seq } }, index) => {
    const before = exchanges[index - 1]?.entry.seq ?? 0;
    if (seq === before + 1) return [];
    return at(line, `exchange ${seq} comes after ${before}, so entries are missing or added`);
  });
}

function missingSteps({ check, steps, acceptance, broke }: Decision, known: ReadonlySet<number>): string[] {
  const named = [...steps, ...[acceptance, broke].flatMap((seq) => seq ?? [])];
  return named
    .filter((seq) => !known.has(seq))
    .slice(0, 1)
    .map((seq) => `the decision of ${check} rests on exchange ${seq}, which is missing`);
}

function endOf(lines: readonly JournalLine[]): readonly string[] {
  const index = lines.findIndex(({ entry }) => entry.type === 'end');
  const end = lines[index];
  if (!end) return [];
  const { entries = index } = end.entry as EndRecord;
  const next = lines[index + 1];
  return given([
    entries !== index && at(end.line, `the run wrote ${entries} entries before this one, and there are ${index}`),
    next && at(next.line, 'there are entries after the end of the run'),
  ]);
}

type ListedChecks = Pick<RunRecord, 'checks' | 'needIntrusive'>;
type ChecksOfRun = NonNullable<RunRecord['checks']>;

interface PlanFacts {
  readonly lines: readonly JournalLine[];
  /** The plan that follows from the claims, the depth, the variables and the narrowing of the run. */
  readonly plan: Plan;
  readonly stopped: string | undefined;
}

/**
 * Whether the run sent its whole plan, and nothing that its tokens cannot send. A run that finds something wrong asks more
 * than its plan (run/ask-further.ts). Pure.
 */
export function planPoint({ lines, plan, stopped }: PlanFacts): Point {
  const sent = new Set<string>();
  const asked = new Set<string>();
  const left = new Set<string>();
  const strange: string[] = [];
  for (const { line, entry } of lines) {
    if (entry.type === 'unsent') left.add(entry.case);
    if (entry.type === 'exchange') asked.add(entry.case);
    if (entry.type !== 'exchange' || entry.role !== 'cell') continue;
    sent.add(entry.case);
    if (!plan.find(entry.case))
      strange.push(at(line, `${entry.case} was sent, but the claims and the variables in line 1 allow no such case`));
  }
  const due = plan.groups.flatMap(({ cases }) => cases.map(({ id }) => id));
  const missing = due.filter((id) => !sent.has(id) && !left.has(id));
  const silently = stopped === undefined ? missing : [];
  const [first] = silently;
  const lost =
    first === undefined ? [] : [`journal.ndjson: ${silently.length} cases of the plan are missing, such as ${first}`];
  const grouped = new Set(due);
  const counts = {
    planned: plan.cases.size,
    // Some cases are planned only because others need them as controls.
    controls: [...plan.cases.keys()].filter((id) => !grouped.has(id) && asked.has(id)).length,
    left: [...left].filter((id) => !sent.has(id)).length,
    missing: missing.length,
  };
  return pointOf(textOf(counts), [...lost, ...strange]);
}

type Counts = Readonly<Record<'planned' | 'controls' | 'left' | 'missing', number>>;

function textOf({ planned, controls, left, missing }: Counts): string {
  const why = given([
    left > 0 && `${amount(left)} were left out with a reason`,
    missing > 0 && `${amount(missing)} were not sent, because the run stopped early`,
  ]);
  return why.length === 0
    ? `all ${amount(planned)} cases of the plan were sent${controls === 0 ? '' : `, ${amount(controls)} of them only as controls`}`
    : `of the ${amount(planned)} cases of the plan, ${why.join(' and ')}`;
}

export type KnownCheck = Pick<CheckRow, 'id' | 'requirements' | 'intrusive'>;

/**
 * Whether the run had the checks that this suite has for its claims. Intrusive checks may be left out together, and the
 * journal lists them.
 * @param record the checks in the journal.
 * @param known the checks of this suite for the claims.
 */
export function checksPoint({ checks = {}, needIntrusive = {} }: ListedChecks, known: readonly KnownCheck[]): Point {
  const isIntrusive = known.some(({ id, intrusive }) => intrusive && id in checks);
  const wanted = known.filter(({ intrusive }) => isIntrusive || !intrusive);
  const others = known.filter((check) => !wanted.includes(check));
  return pointOf(
    `the journal lists all ${wanted.length} checks for these claims${isIntrusive ? '' : `, and ${others.length} that need --intrusive`}`,
    [...problemsOf(checks, wanted), ...problemsOf(needIntrusive, others)],
  );
}

function problemsOf(listed: ChecksOfRun, wanted: readonly KnownCheck[]): readonly string[] {
  const ids = new Set(wanted.map(({ id }) => id));
  return [
    ...wanted.flatMap(({ id, requirements }) => {
      const found = listed[id];
      if (!found) return [at(1, `the check ${id} is missing`)];
      const isSame = [...found].sort().join(' ') === [...requirements].sort().join(' ');
      return isSame ? [] : [at(1, `the check ${id} lists other requirements than in this suite`)];
    }),
    ...Object.keys(listed).flatMap((id) =>
      ids.has(id) ? [] : [at(1, `this suite has no check ${id} for these claims`)],
    ),
  ];
}
