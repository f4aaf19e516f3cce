import type { Contract } from '../contract/contract.ts';
import type { Baseline, BaselineEntry } from '../judge/baseline.ts';
import type { CasesAt } from '../plan/expand.ts';
import { entriesIn } from '../record/journal.ts';
import { reportJson } from '../render/write-reports.ts';
import type { ReportedBaseline } from '../report/baseline.ts';
import { makeReport, type Report } from '../report/report.ts';
import { sightOf } from '../report/sight.ts';
import { type JudgedAgain, judgeAgain } from '../run/judge-again.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import type { RunFolder } from './read-folder.ts';

/** What is needed to judge journals again. */
export interface Judge {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
}

/** A journal that was judged again, and the report that it gives. */
export interface JudgedFolder {
  readonly again: JudgedAgain;
  readonly report: Report;
  /** What report.json must be. */
  readonly text: string;
}

/**
 * Judges the journal of a folder again, beside the baseline that its report.json names.
 * @throws a configuration error if this suite cannot judge the journal.
 */
export function judgeFolder(
  { catalogue, casesAt }: Judge,
  { lines }: RunFolder,
  listed: ReportedBaseline | null,
): JudgedFolder {
  const baseline = listed === null ? undefined : baselineIn(catalogue.contract, listed);
  const again = judgeAgain(catalogue, entriesIn(lines), { baseline, casesAt });
  const report = makeReport(again, again.judged, sightOf(again, again.judged));
  return { again, report, text: reportJson(report) };
}

/** The baseline of a run, from its report: the name of an entry is a requirement or a glob over ids. */
function baselineIn({ requirements }: Contract, { today, entries }: ReportedBaseline): Baseline {
  const ids = new Set(requirements.map(({ id }) => id));
  const of = (list: 'deviation' | 'gap'): BaselineEntry[] =>
    entries
      .filter((entry) => entry.list === list)
      .map(({ names, reason, review }) => ({
        ...(ids.has(names) ? { requirement: names } : { cases: names }),
        reason,
        review,
      }));
  return { deviations: of('deviation'), gaps: of('gap'), today };
}
