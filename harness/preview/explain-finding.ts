import { configurationError } from '../contract/configuration-error.ts';
import { headOf, viewOf } from '../render/finding-view.ts';
import { sectionLines, stepLines, WHOLE } from '../render/step-lines.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import type { Section } from './explain-context.ts';

/** Cases that are named. The report has all of them. */
const MOST_CASES = 10;

/** Whether an id is that of a finding: `F2`. */
export function isFindingId(id: string): boolean {
  return /^F[1-9]\d*$/.test(id);
}

/** What an explanation of a finding needs of its report. */
type FindingSource = Pick<Report, 'findings' | 'run' | 'checks'>;

/**
 * The finding with this id.
 * @throws a configuration error if the report has no such finding.
 */
export function findingIn({ findings, run }: Pick<Report, 'findings' | 'run'>, id: string): ReportedFinding {
  const found = findings.find((finding) => finding.id === id);
  if (found) return found;
  const known = findings.length === 0 ? 'no findings' : `${findings[0]?.id} to ${findings.at(-1)?.id}`;
  throw configurationError(`the report of run ${run} has no finding ${id}: it has ${known}`);
}

/**
 * A finding with every step of its example, and the text of the sections that it cites.
 * @throws a configuration error if the report has no finding with this id.
 */
export function aboutFinding(id: string, report: FindingSource): readonly Section[] {
  const finding = findingIn(report, id);
  const { cases, example, sections } = finding;
  const view = viewOf(finding, report);
  const more = cases.length - MOST_CASES;
  return [
    { title: `Finding ${headOf(view)}`, rows: [['', view.text]] },
    { title: 'What is wrong', rows: view.facts },
    {
      title: `The steps of ${example}`,
      rows: view.steps.flatMap((step) => stepLines(step, WHOLE).map(unnamed)),
    },
    { title: 'The specification', rows: sectionLines(sections).map(unnamed) },
    {
      title: 'Where it was seen (explain each of them for more)',
      rows: [...cases.slice(0, MOST_CASES), ...(more > 0 ? [`and ${more} more in the report`] : [])].map(unnamed),
    },
  ];
}

function unnamed(text: string): readonly [string, string] {
  return ['', text];
}
