import type { CitedSection } from '../contract/sections.ts';
import { type ReportedResponse, type ReportedStep, wantedInWords } from '../report/steps.ts';

/** How much of a response is shown. */
export interface Extent {
  readonly lines: number;
  /** Of one line. */
  readonly characters: number;
}
/** Where several findings are below each other, the output of a target must not bury that of the suite. */
export const SHORT: Extent = { lines: 8, characters: 300 };
/** Everything that is recorded of a response: 2 KiB of a body, in lines that are not too many to read. */
export const WHOLE: Extent = { lines: 100, characters: 4096 };

/** A response in lines: status, headers, and what may be shown of the body. */
export function responseLines(response: ReportedResponse, { lines: most, characters }: Extent): readonly string[] {
  const lines = allLines(response).map((line) => (line.length <= characters ? line : `${line.slice(0, characters)}…`));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines in report.json`];
}

function allLines(response: ReportedResponse): readonly string[] {
  const time = response.ms === undefined ? '' : ` after ${response.ms} ms`;
  if (response.kind === 'failure') return [`no answer${time}: ${response.detail}`];
  const { status, headers, excerpt = [], skeleton, schemaErrors = [], places = [] } = response;
  return [
    `${status}${time}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    // A line of the target must not begin a line of the output, where it could be a command of a CI server.
    ...excerpt.map((line) => `| ${line}`),
    ...(skeleton === undefined ? [] : [`the form of the body: ${skeleton}`]),
    ...schemaErrors.map((error) => `not as documented: ${error}`),
    ...places.map(({ variable, at }) => `${at} shows <${variable}>`),
  ];
}

/** A step in lines: what it was to show, what was wanted, the request as a command line, and the response. */
export function stepLines({ shows, wanted, curl, response, failed }: ReportedStep): readonly string[] {
  return [
    `${failed ? '✕' : '·'} ${shows}`,
    `  wanted: ${wantedInWords(wanted)}`,
    ...(curl === undefined ? [] : [`  ${curl}`]),
    ...responseLines(response, WHOLE).map((line) => `  ${line}`),
  ];
}

export function sectionLines(sections: readonly CitedSection[]): readonly string[] {
  return sections.flatMap((section) =>
    'link' in section
      ? [`${section.source}: ${section.link}`]
      : [`${section.source} ${section.title}`, ...section.lines.map((line) => `  ${line}`)],
  );
}
