import { configurationError } from '../contract/configuration-error.ts';
import { isCommandLine } from '../record/command-line.ts';
import { sectionLines, stepLines, WHOLE } from '../render/step-lines.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import type { ReportedStep } from '../report/steps.ts';
import type { Section } from './explain-context.ts';

/** Cases that are named. The report has all of them. */
const MOST_CASES = 10;

/** Whether an id is that of a finding: `F2`. */
export function isFindingId(id: string): boolean {
  return /^F[1-9]\d*$/.test(id);
}

/**
 * The finding with this id.
 * @throws a configuration error if the report has no such finding.
 */
export function findingIn({ findings, run }: Report, id: string): ReportedFinding {
  const found = findings.find((finding) => finding.id === id);
  if (found) return found;
  const known = findings.length === 0 ? 'no findings' : `${findings[0]?.id} to ${findings.at(-1)?.id}`;
  throw configurationError(`the report of run ${run} has no finding ${id}: it has ${known}`);
}

/** A finding with every step of its example, and the text of the sections that it cites. */
export function aboutFinding(finding: ReportedFinding): readonly Section[] {
  const { id, verdict, requirements, text, where, wanted, got, interpretation, caveat, cases, steps } = finding;
  const more = cases.length - MOST_CASES;
  return [
    { title: `Finding ${id}: ${verdict} ${requirements.join(', ')}`, rows: [['', text]] },
    {
      title: 'What is wrong',
      rows: [
        ['where', where],
        ['wanted', wanted],
        ['got', got],
        ...(interpretation === null ? [] : [['reading', interpretation] as const]),
        ...(caveat === null ? [] : [['caveat', caveat] as const]),
      ],
    },
    {
      title: `The steps of ${finding.example}`,
      rows: steps.map(withPastableCurl).flatMap((step) => stepLines(step, WHOLE).map(unnamed)),
    },
    { title: 'The specification', rows: sectionLines(finding.sections).map(unnamed) },
    {
      title: 'Where it was seen (explain each of them for more)',
      rows: [...cases.slice(0, MOST_CASES), ...(more > 0 ? [`and ${more} more in the report`] : [])].map(unnamed),
    },
  ];
}

/** A report may come from somebody else, and people paste its command lines. */
function withPastableCurl({ curl, ...step }: ReportedStep): ReportedStep {
  return curl !== undefined && isCommandLine(curl) ? { ...step, curl } : step;
}

function unnamed(text: string): readonly [string, string] {
  return ['', text];
}
