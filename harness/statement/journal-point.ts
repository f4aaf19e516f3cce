import type { Decision, EndRecord, Exchange } from '../record/exchange.ts';
import type { JournalLine } from '../record/journal.ts';
import { type Point, pointOf } from './point.ts';

/** Whether the entries of a journal are all there, in their order. Pure. */
export function journalPoint(lines: readonly JournalLine[]): Point {
  const exchanges = lines.flatMap(({ line, entry }) => (entry.type === 'exchange' ? [{ line, entry }] : []));
  const known = new Set(exchanges.map(({ entry }) => entry.seq));
  const problems = [
    ...beginningOf(lines),
    ...gapsIn(exchanges),
    ...lines.flatMap(({ line, entry }) =>
      entry.type === 'decision' ? missingSteps(entry, known).map((text) => at(line, text)) : [],
    ),
    ...endOf(lines),
  ];
  const count = `${lines.length.toLocaleString('en')} entries`;
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

function beginningOf(lines: readonly JournalLine[]): string[] {
  const later = lines.slice(1).filter(({ entry }) => entry.type === 'run');
  return later.map(({ line }) => at(line, 'another run begins here'));
}

/** Exchanges are numbered from 1, so that a number is missing where an entry was taken out. */
function gapsIn(exchanges: readonly { readonly line: number; readonly entry: Exchange }[]): string[] {
  return exchanges.flatMap(({ line, entry: { seq } }, index) => {
    const before = exchanges[index - 1]?.entry.seq ?? 0;
    return seq === before + 1
      ? []
      : [at(line, `exchange ${seq} comes after ${before}, so entries are missing or added`)];
  });
}

function missingSteps({ check, steps, acceptance, broke }: Decision, known: ReadonlySet<number>): string[] {
  const named = [...steps, ...[acceptance, broke].flatMap((seq) => seq ?? [])];
  return named
    .filter((seq) => !known.has(seq))
    .slice(0, 1)
    .map((seq) => `the decision of ${check} rests on exchange ${seq}, which is missing`);
}

function endOf(lines: readonly JournalLine[]): string[] {
  const index = lines.findIndex(({ entry }) => entry.type === 'end');
  const end = lines[index];
  if (!end) return [];
  const { entries = index } = end.entry as EndRecord;
  return [
    ...(entries === index
      ? []
      : [at(end.line, `the run wrote ${entries} entries before this one, and there are ${index}`)]),
    ...lines.slice(index + 1, index + 2).map(({ line }) => at(line, 'there are entries after the end of the run')),
  ];
}
