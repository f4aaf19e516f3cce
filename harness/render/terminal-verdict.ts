import { visible } from '../contract/visible-text.ts';
import { type RefusedToken, refusedInWords } from '../report/refused-tokens.ts';
import type { Report } from '../report/report.ts';
import { hasWarnings, verdictLine } from '../report/verdict-words.ts';
import { durationInWords } from './amounts.ts';
import { type Colors, table } from './terminal-table.ts';

/** The full tokens that were refused, with a command line for each. They lead the output. */
export function renderRefusedTokens(refused: readonly RefusedToken[], colors: Colors): string[] {
  return refused.flatMap((token) => [
    colors.red(colors.bold(`✘ ${refusedInWords(token)}`)),
    ...table([['reproduce', token.curl]], colors, '   '),
  ]);
}

/**
 * How the run ended. It is the last thing on the screen.
 * @param file where the report is, or why it was not written. Undefined if there is none.
 */
export function renderVerdict(report: Report, file: string | undefined, colors: Colors): string[] {
  const { narrowed, stopped, trouble, exitCode } = report;
  const duration = durationInWords(report.durationMs);
  return [
    `${colors.bold(painted(report, colors))} ${colors.dim(`(exit code ${exitCode})`)}`,
    ...(narrowed === null ? [] : [`  narrowed: ${visible(narrowed)}`]),
    ...(stopped === null ? [] : [colors.yellow(`  stopped: ${visible(stopped)}`)]),
    ...trouble.map((sentence) => colors.yellow(`  trouble: ${visible(sentence)}`)),
    ...(duration === undefined ? [] : [`  duration: ${duration}`]),
    ...(file === undefined ? [] : [`  report: ${visible(file)}`]),
  ];
}

function painted(report: Report, colors: Colors): string {
  const line = visible(verdictLine(report));
  switch (report.ending) {
    case 'conforms':
    case 'conforms-except':
    case 'partial':
      return hasWarnings(report) ? colors.yellow(`! ${line}`) : colors.green(`✔ ${line}`);
    case 'deviates':
    case 'too-slow':
      return colors.red(`✘ ${line}`);
    case 'inconclusive':
    case 'incomplete':
      return colors.yellow(`? ${line}`);
  }
}
