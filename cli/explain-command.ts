import { loadContract } from '../harness/contract/load-contract.ts';
import { explainer } from '../harness/preview/explain.ts';
import { table } from '../harness/render/terminal-table.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { checks } from '../suites/checks/index.ts';
import { colorsFor } from './colors.ts';

/** Explains a requirement, a case or a check in words. */
export async function explainCommand(id: string, print: (text: string) => void): Promise<number> {
  const sections = explainer(catalogueOf(await loadContract()), checks)(id);
  const colors = colorsFor();
  print(sections.map(({ title, rows }) => [colors.bold(title), ...table(rows, colors)].join('\n')).join('\n\n'));
  return 0;
}
