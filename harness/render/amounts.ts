import type pc from 'picocolors';
import { amount, counted } from '../contract/amounts.ts';
import type { SentCounts } from '../report/report.ts';

/** What an entry of a baseline lists: `1 case or check`, `12 cases and checks`. */
export function listedInWords(covers: number): string {
  return `${amount(covers)} ${covers === 1 ? 'case or check' : 'cases and checks'}`;
}

/** `38 planned, 43 more to find conditions, 81 executed; 289 requests`. */
export function countsInWords({ planned, further = 0, executed, requests }: SentCounts): string {
  const cases = [
    `${amount(planned)} planned`,
    ...(further === 0 ? [] : [`${amount(further)} more to find conditions`]),
    `${amount(executed)} executed`,
  ];
  return `${cases.join(', ')}; ${counted(requests, 'request')}`;
}

/** `2 min 9 s`. */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [...(minutes > 0 ? [`${minutes} min`] : []), ...(rest > 0 || minutes === 0 ? [`${rest} s`] : [])].join(' ');
}

/** How long a run took: `2 min 9 s`, `less than 1 s`. Undefined if that is unknown. */
export function durationInWords(ms: number | null): string | undefined {
  if (ms === null) return undefined;
  return ms < 1000 ? 'less than 1 s' : minutesAndSeconds(ms / 1000);
}

export type Colors = ReturnType<typeof pc.createColors>;

/** Signs before a line, each with its colour, so that the colour is not all that tells. */
const MARKS = { good: ['✔', 'green'], bad: ['✘', 'red'], open: ['?', 'yellow'], warning: ['!', 'yellow'] } as const;
/** What a sign before a line says of it. */
export type Mark = keyof typeof MARKS;

export function marked(mark: Mark, line: string, colors: Colors): string {
  const [sign, color] = MARKS[mark];
  return colors[color](`${sign} ${line}`);
}

/** Lines below their title. Nothing without lines. */
export function titled(title: string, lines: readonly string[], colors: Colors): readonly string[] {
  return lines.length === 0 ? [] : [colors.bold(title), ...lines];
}

/** Sections below each other. One without lines is left out. */
export function joinedSections(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** A longer list of names is shown as its length. */
export const MOST_LISTED = 8;

/** Rows with the same name, which only the first one shows. */
export function rowsNamed(name: string, values: readonly string[]): string[][] {
  return values.map((value, index) => [index === 0 ? name : '', value]);
}

/** Lines of two columns: names, padded to the longest, and their values. */
export function table(rows: readonly (readonly string[])[], colors: Colors, indent = '  '): string[] {
  const width = Math.max(0, ...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `${indent}${colors.dim(name.padEnd(width))}  ${value}`);
}
