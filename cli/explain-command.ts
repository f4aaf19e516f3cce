import { join } from 'node:path';
import { loadContract } from '../harness/contract/load-contract.ts';
import { explainer } from '../harness/preview/explain.ts';
import { aboutFinding, findingIn, isFindingId } from '../harness/preview/explain-finding.ts';
import { table } from '../harness/render/terminal-table.ts';
import { readWholeReport } from '../harness/report/read-whole-report.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { checks } from '../suites/checks/index.ts';
import { colorsFor } from './colors.ts';
import { defaultFolder } from './report-command.ts';

/** Explains whatever a report prints an id of, in words. Returns the exit code. */
export async function explainCommand(
  id: string,
  reportDir: string | undefined,
  print: (text: string) => void,
): Promise<number> {
  const sections = isFindingId(id)
    ? aboutFinding(findingIn(readWholeReport(join(reportDir ?? defaultFolder(), 'report.json')), id))
    : explainer(catalogueOf(await loadContract()), checks)(id);
  const colors = colorsFor();
  print(sections.map(({ title, rows }) => [colors.bold(title), ...table(rows, colors)].join('\n')).join('\n\n'));
  return 0;
}
