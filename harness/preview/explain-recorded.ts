import { visible } from '../contract/visible-text.ts';
import {
  type Decision,
  decisionId,
  type Exchange,
  entriesOf,
  type JournalEntry,
  type Role,
} from '../record/exchange.ts';
import { counted } from '../render/amounts.ts';
import { responseLines, stepLines, WHOLE } from '../render/step-lines.ts';
import { reportResponse } from '../report/response.ts';
import type { Section } from './explain-context.ts';

/** Requests and decisions that are shown. The journal has all of them. */
const MOST_SHOWN = 20;

/**
 * What the journal of a run recorded under an id: the requests to a case, or the decisions of a check with their steps
 * (`isolation/search/USER`). Empty if the run has nothing of it.
 */
export function aboutRecorded(entries: readonly JournalEntry[], id: string): readonly Section[] {
  const exchanges = entriesOf(entries, 'exchange');
  const sent = exchanges.filter((exchange) => exchange.case === id && exchange.step === undefined);
  const decided = entriesOf(entries, 'decision').filter((decision) =>
    [decision.check, decisionId(decision)].includes(id),
  );
  const [run] = entriesOf(entries, 'run');
  const from = run ? `of run ${run.run} against ${run.target}, ${run.startedAt}` : '';
  return [
    ...section(`Recorded: ${counted(sent.length, 'request')} ${from}`, sent.map(sentLines)),
    ...section(
      `Recorded: ${counted(decided.length, 'decision')} ${from}`,
      decided.map(({ requirement, operation, kind, verdict, detail }) => [
        `${verdict} ${requirement} on ${operation}/${kind}: ${detail}`,
      ]),
    ),
    ...section('Steps of these decisions', stepsOf(decided, exchanges)),
  ];
}

function section(title: string, items: readonly (readonly string[])[]): Section[] {
  if (items.length === 0) return [];
  const more = items.length - MOST_SHOWN;
  const lines = [...items.slice(0, MOST_SHOWN).flat(), ...(more > 0 ? [`and ${more} more in the journal`] : [])];
  // The journal may come from somebody else.
  return [{ title: visible(title), rows: lines.map((line) => ['', visible(line)] as const) }];
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
  return [`${seq}. ${SENT_AS[role]}${token}`, ...responseLines(reportResponse(observation, ms), WHOLE).map(indented)];
}

/** The steps of some decisions, each once. */
function stepsOf(decided: readonly Decision[], exchanges: readonly Exchange[]): readonly (readonly string[])[] {
  const broke = new Set(decided.flatMap((decision) => decision.broke ?? []));
  const steps = new Set([...decided.flatMap((decision) => decision.steps), ...broke]);
  return exchanges
    .filter(({ seq }) => steps.has(seq))
    .map(({ seq, case: id, step, observation, ms }) =>
      stepLines(
        {
          shows: `${seq}. ${step?.shows ?? id}`,
          wanted: step?.wanted ?? 'either',
          ...(step?.curl !== undefined && { curl: step.curl }),
          response: reportResponse(observation, ms),
          failed: broke.has(seq),
        },
        WHOLE,
      ),
    );
}

function indented(line: string): string {
  return `  ${line}`;
}
