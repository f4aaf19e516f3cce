import { counted, firstShown } from '../contract/amounts.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { visible } from '../contract/visible-text.ts';
import {
  type Decision,
  decisionId,
  type Exchange,
  entriesOf,
  type JournalEntry,
  type Role,
} from '../record/exchange.ts';
import { headOf, viewOf } from '../render/finding-view.ts';
import { responseLines, sectionLines, stepLines, WHOLE } from '../render/step-lines.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import { reportResponse } from '../report/steps.ts';
import { type Section, section, sectionIfAny } from './explain-case.ts';

/** Requests and decisions that are shown. The journal has all of them. */
const MOST_SHOWN = 20;

/** What a run recorded under an id: requests to a case, or decisions of a check with their steps (`isolation/search/USER`). */
export function aboutRecorded(entries: readonly JournalEntry[], id: string): readonly Section[] {
  const exchanges = entriesOf(entries, 'exchange');
  const sent = exchanges.filter((exchange) => exchange.case === id && exchange.step === undefined);
  const decided = entriesOf(entries, 'decision').filter((decision) =>
    [decision.check, decisionId(decision)].includes(id),
  );
  const [run] = entriesOf(entries, 'run');
  const from = run ? `of run ${run.run} against ${run.target}, ${run.startedAt}` : '';
  return [
    ...recorded(`Recorded: ${counted(sent.length, 'request')} ${from}`, sent.map(sentLines)),
    ...recorded(
      `Recorded: ${counted(decided.length, 'decision')} ${from}`,
      decided.map(({ requirement, operation, kind, verdict, detail }) => [
        `${verdict} ${requirement} on ${operation}/${kind}: ${detail}`,
      ]),
    ),
    ...recorded('Steps of these decisions', stepsOf(decided, exchanges)),
  ];
}

function recorded(title: string, items: readonly (readonly string[])[]): readonly Section[] {
  const lines = firstShown(items, MOST_SHOWN, (more) => [`and ${more} more in the journal`]).flat();
  // The journal may come from somebody else.
  return sectionIfAny(visible(title), lines.map(visible));
}

const SENT_AS: Readonly<Record<Role, string>> = {
  cell: 'sent to test the case',
  control: 'sent as a control of other cases',
  confirmation: 'sent again to see whether a wrong answer comes again',
  recurrence: 'sent again because no answer came',
  check: 'sent by a check',
  preflight: 'sent before the first case',
};

function sentLines({ seq, role, credential, observation, ms }: Exchange): readonly string[] {
  const token = credential === '' ? '' : ` with ${credential}`;
  return [
    `${seq}. ${SENT_AS[role]}${token}`,
    ...responseLines(reportResponse(observation, ms), WHOLE).map((line) => `  ${line}`),
  ];
}

/** The steps of some decisions, each once. */
function stepsOf(decided: readonly Decision[], exchanges: readonly Exchange[]): readonly (readonly string[])[] {
  const broke = new Set(decided.flatMap((decision) => decision.broke ?? []));
  const steps = new Set(decided.flatMap((decision) => decision.steps));
  const commands = new Map(decided.flatMap((decision) => Object.entries(decision.commands ?? {})));
  return exchanges
    .filter(({ seq }) => steps.has(seq))
    .map(({ seq, case: id, step, observation, ms }) => {
      const curl = commands.get(`${seq}`);
      return stepLines({
        shows: `${seq}. ${step?.shows ?? id}`,
        wanted: step?.wanted ?? 'either',
        ...(curl !== undefined && { curl }),
        response: reportResponse(observation, ms),
        failed: broke.has(seq),
      });
    });
}

/** Cases that are named. The report has all of them. */
const MOST_CASES = 10;

/** Whether an id is that of a finding: `F2`, in any case, as somebody types it. */
export function isFindingId(id: string): boolean {
  return /^F[1-9]\d*$/i.test(id);
}

type FindingSource = Pick<Report, 'findings' | 'run' | 'checks'>;

/** @throws a configuration error if the report has no finding with this id. */
export function findingIn({ findings, run }: Pick<Report, 'findings' | 'run'>, id: string): ReportedFinding {
  const found = findings.find((finding) => finding.id === id.toUpperCase());
  if (found) return found;
  const [first, last] = [findings[0]?.id, findings.at(-1)?.id];
  const known = first === last ? (first ?? 'no findings') : `${first} to ${last}`;
  throw configurationError(`the report of run ${run} has no finding ${id}: it has ${known}`);
}

/** A finding with every step of its example, and the text of the sections that it cites. @throws if the report has no such finding. */
export function aboutFinding(id: string, report: FindingSource): readonly Section[] {
  const finding = findingIn(report, id);
  const { cases, example, sections } = finding;
  const view = viewOf(finding, report);
  return [
    section(`Finding ${headOf(view)}`, [view.text]),
    section('What is wrong', view.facts),
    section(`The steps of ${example}`, view.steps.flatMap(stepLines)),
    ...sectionIfAny('The specification', sectionLines(sections)),
    section(
      'Where it was seen (explain each of them for more)',
      firstShown(cases, MOST_CASES, (more) => `and ${more} more in the report`),
    ),
  ];
}
