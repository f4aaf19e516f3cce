import type { Replayed, ReplayVerdict } from '../report/replayed.ts';
import { counted } from './amounts.ts';
import { stepLines, WHOLE } from './step-lines.ts';
import type { Colors } from './terminal-table.ts';

/** Steps are shown of this many that still fail. The others have a line. */
const MOST_SHOWN = 3;

/** What came of everything that was sent again, and at the end whether it still fails. */
export function renderReplayed(
  id: string,
  verdict: ReplayVerdict,
  replayed: readonly Replayed[],
  colors: Colors,
): string {
  const shown = replayed.filter((one) => one.verdict !== 'no longer fails').slice(0, MOST_SHOWN);
  const lines = replayed.flatMap((one) => [
    `${painted(one.verdict, one.verdict, colors)}  ${colors.bold(one.id)}: ${one.detail}`,
    ...(shown.includes(one) ? one.steps.flatMap((step) => stepLines(step, WHOLE)).map((line) => `  ${line}`) : []),
  ]);
  const count = replayed.filter((one) => one.verdict === verdict).length;
  const of = replayed.length > 1 ? ` (${count} of ${counted(replayed.length, 'answer')})` : '';
  return [...lines, '', painted(verdict, `${id} ${WORDS[verdict]}${of}`, colors)].join('\n');
}

const WORDS: Readonly<Record<ReplayVerdict, string>> = {
  'still fails': 'still fails',
  undecided: 'is undecided',
  'no longer fails': 'no longer fails',
};

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
