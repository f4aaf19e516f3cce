import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { type FileScore, type MutationReport, scoresOf, survivors } from '../../suites/proof/mutation/score.ts';
import { print } from '../terminal.ts';
import { install, nodeFor, type PinnedPackages, run } from './pinned-packages.ts';

export interface MutateFlags {
  readonly only?: string;
}

const tester: PinnedPackages = {
  source: 'suites/proof/mutation/tester',
  installed: 'node_modules/.cache/mutation',
  // It runs the tests in its own process, so it needs a Node that reads TypeScript.
  leastNode: '22.18',
};
const REPORT = '.mutate/report.json';

/** Changes the judge and token verification one place at a time. Returns 1 if too many changes survive the fast tests. */
export async function mutateCommand({ only }: MutateFlags): Promise<number> {
  install(tester);
  const stryker = join(tester.installed, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const flags = ['run', join(tester.source, 'stryker.config.json'), ...(only === undefined ? [] : ['--mutate', only])];
  const { code } = await run(nodeFor(tester), [stryker, ...flags]);
  if (code !== 0) return 1;
  const report: MutationReport = JSON.parse(readFileSync(REPORT, 'utf8'));
  const { files, unexplained, problems } = scoresOf(report, survivors);
  print(files.map(row).join('\n'));
  for (const survivor of unexplained) print(survivor);
  for (const problem of problems) print(pc.red(problem));
  return problems.length > 0 ? 1 : 0;
}

function row({ file, killed, explained, survived, score }: FileScore): string {
  const counts = `${killed} killed, ${survived} survived, ${explained} explained`;
  return `${score.toFixed(1).padStart(5)} %  ${file.padEnd(44)}  ${counts}`;
}
