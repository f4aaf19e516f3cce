import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { answering, passing } from '../../fixtures/deviants/build.ts';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import { type PlainOptions, type PlainTarget, startPlainTarget } from '../../fixtures/plain/target.ts';
import type { Report } from '../../harness/report/report.ts';
import { type Ended, warmProcess } from './warm-process.ts';

const main = resolve('dist/cli/main.js');
export const tokens = mintPlainTokens(plainOperations);
const isUser = ({ record }: PlainRequest) => record?.kind === 'USER';
/** A target that accepts expired USER tokens. */
export const acceptsExpired = passing('token.expired', isUser)(() => {});
/** A target that refuses expired USER tokens with 404 and this message. */
export const refusesExpired = (message: string) =>
  answering('token.expired', { status: 404, message }, isUser)(() => {});

/** One process for all test files of a worker: its first command takes a second longer than those after it. */
const warm = warmProcess();

type Environment = Readonly<Record<string, string | undefined>>;

/** The built command line, in an empty folder for each test. Targets are closed after the last test of the file. */
export interface CommandLine {
  readonly folder: string;
  /** The path of a file in the folder, and its text. */
  file(...path: readonly string[]): string;
  text(...path: readonly string[]): string;
  /** Starts the plain target and returns the variables that describe it. */
  plain(options?: PlainOptions): Promise<Record<string, string>>;
  /** Starts a command in a process of its own, for tests that end it or look at it while it runs. @param uid who runs it. */
  start(
    args: readonly string[],
    env?: Environment,
    uid?: number,
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended> };
  /** A run that sends what a remote target gets, which is enough to see what a command does. */
  run(env: Environment, args?: readonly string[]): Promise<Ended>;
  command(args: readonly string[], env?: Environment): Promise<Ended>;
  /** Runs the command line in a shell, after a shell command that sets a limit. */
  limited(limit: string, args: readonly string[], env: Environment): Promise<Ended>;
  /** Waits until the journal of the run has this many lines, and returns its path. */
  journalHolds(lines: number): Promise<string>;
  report(reportFolder?: string): Report;
  /** Writes a program that makes tokens, and returns the line of TOKEN_COMMAND. @param program it knows the fields of the request. */
  tokenCommand(program: string): string;
}

export function commandLine(): CommandLine {
  const targets: PlainTarget[] = [];
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  afterAll(async () => {
    await Promise.all(targets.map((target) => target.close()));
  });

  const file = (...path: readonly string[]) => join(folder, ...path);
  const complete = (env: Environment): Environment => ({ PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env });
  const launch = (command: string, args: readonly string[], env: Environment, uid?: number) => {
    const child = spawn(command, args, { cwd: folder, env: complete(env), ...(uid !== undefined && { uid }) });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, output })));
    return { child, ended };
  };
  const start: CommandLine['start'] = (args, env = {}, uid) => launch(process.execPath, [main, ...args], env, uid);
  const command: CommandLine['command'] = (args, env = {}) => {
    // Node reads its options when a process starts.
    const needsOwnProcess = env['NODE_OPTIONS'] !== undefined;
    const ended = needsOwnProcess ? undefined : warm.run({ args, cwd: folder, env: complete(env) });
    return ended ?? start(args, env).ended;
  };
  return {
    get folder() {
      return folder;
    },
    file,
    text: (...path) => readFileSync(file(...path), 'utf8'),
    async plain(options = {}) {
      const target = await startPlainTarget({ tokens, ...options });
      targets.push(target);
      return target.env;
    },
    start,
    run: (env, args = []) => command(['run', '--no-intrusive', ...args], env),
    command,
    limited: (limit, args, env) =>
      launch('sh', ['-c', `${limit} && exec "$@"`, 'sh', process.execPath, main, ...args], env).ended,
    async journalHolds(lines) {
      const journal = file('conformance-report', 'journal.ndjson');
      while (!existsSync(journal) || readFileSync(journal, 'utf8').split('\n').length < lines)
        await new Promise((done) => setTimeout(done, 20));
      return journal;
    },
    report: (reportFolder = 'conformance-report') =>
      JSON.parse(readFileSync(file(reportFolder, 'report.json'), 'utf8')),
    tokenCommand(program) {
      const read = `import { appendFileSync, readFileSync } from 'node:fs';
const { kind, scopes, validity, email } = JSON.parse(readFileSync(0, 'utf8'));`;
      writeFileSync(file('mint.mjs'), `${read}\n${program}`);
      return `"${process.execPath}" mint.mjs`;
    },
  };
}

/** The commands that the help lists, and the flags of each. */
export async function commandsOf({ command }: CommandLine) {
  const { output } = await command(['--help']);
  const listed = [...(output.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)];
  const names = listed.map(([, name = '']) => name).filter((name) => name !== 'help');
  return Promise.all(
    names.map(async (name) => {
      const { output: text } = await command([name, '--help']);
      return { name, flags: [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = '']) => flag) };
    }),
  );
}

/** The variables except these. */
export function without(env: Readonly<Record<string, string>>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
