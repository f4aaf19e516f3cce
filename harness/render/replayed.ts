import type { Replayed, ReplayVerdict } from '../report/replayed.ts';
import { counted } from './amounts.ts';
import { stepLines, WHOLE } from './step-lines.ts';
import type { Colors } from './terminal-table.ts';

/** Steps are shown of this many that still fail. The others have a line. */
const MOST_SHOWN = 3;

/**
 * What came of everything that was sent again, and at the end whether it still fails.
 * @param hasFailed false for what no report says to have failed.
 */
export function renderReplayed(
  id: string,
  verdict: ReplayVerdict,
  replayed: readonly Replayed[],
  { colors, hasFailed }: { readonly colors: Colors; readonly hasFailed: boolean },
): string {
  const words = (one: ReplayVerdict) => (one === 'no longer fails' && !hasFailed ? 'does not fail' : one);
  const shown = replayed.filter((one) => one.verdict !== 'no longer fails').slice(0, MOST_SHOWN);
  const lines = replayed.flatMap((one) => [
    `${painted(one.verdict, words(one.verdict), colors)}  ${colors.bold(one.id)}: ${one.detail}`,
    ...(shown.includes(one) ? one.steps.flatMap((step) => stepLines(step, WHOLE)).map((line) => `  ${line}`) : []),
  ]);
  const count = replayed.filter((one) => one.verdict === verdict).length;
  const of = replayed.length > 1 ? ` (${count} of ${counted(replayed.length, 'answer')})` : '';
  return [
    ...lines,
    '',
    painted(verdict, `${id} ${verdict === 'undecided' ? 'is ' : ''}${words(verdict)}${of}`, colors),
  ].join('\n');
}

function painted(verdict: ReplayVerdict, text: string, colors: Colors): string {
  switch (verdict) {
    case 'still fails':
      return colors.red(`✘ ${text}`);
    case 'undecided':
      return colors.yellow(`? ${text}`);
    case 'no longer fails':
      return colors.green(`✔ ${text}`);
  }
}
