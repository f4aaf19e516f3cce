import type pc from 'picocolors';

/** The cases and requests of a run. */
interface Counts {
  readonly planned: number;
  readonly further?: number;
  readonly executed: number;
  readonly requests: number;
}

/** `20,000`. */
export function amount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 case`, `20,000 cases`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first of many lines, and how many more there are: `and 1,204 more`. */
export function firstLines(lines: readonly string[], most: number): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${amount(more)} more`] : lines;
}

/** What an entry of a baseline lists: `1 case or check`, `12 cases and checks`. */
export function listedInWords(covers: number): string {
  return `${amount(covers)} ${covers === 1 ? 'case or check' : 'cases and checks'}`;
}

/** `38 planned, 43 more to find conditions, 81 executed; 289 requests`. */
export function countsInWords({ planned, further = 0, executed, requests }: Counts): string {
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

/** A longer list of names is shown as its length. */
export const MOST_LISTED = 8;

/** Lines of two columns: names, padded to the longest, and their values. */
export function table(rows: readonly (readonly string[])[], colors: Colors, indent = '  '): string[] {
  const width = Math.max(0, ...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `${indent}${colors.dim(name.padEnd(width))}  ${value}`);
}
