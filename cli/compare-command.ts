import { renderSince } from '../harness/render/terminal-since.ts';
import { readReport } from '../harness/report/read-report.ts';
import { earlierRun, type Since, sinceEarlier } from '../harness/report/since.ts';
import { colorsFor } from './colors.ts';
import { asJson } from './json.ts';

/** Prints what changed between two reports. Returns the exit code. */
export function compareCommand(
  earlier: string,
  later: string,
  { json = false }: { json?: boolean },
  print: (text: string) => void,
): number {
  const since = sinceEarlier(earlierRun(readReport(earlier)), readReport(later));
  print(json ? asJson(since) : renderSince(since, colorsFor()).join('\n'));
  return exitCodeOf(since);
}

/** 1 if something new fails, 3 if something is no longer decided, otherwise 0 (docs/ci.md). */
function exitCodeOf({ new: added, noLongerDecided }: Since): number {
  if (added.length > 0) return 1;
  return noLongerDecided.length > 0 ? 3 : 0;
}
