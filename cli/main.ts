#!/usr/bin/env node
import { type Command, Option } from 'commander';
import { chooseContract } from './chosen-contract.ts';
import type { CompareFlags } from './compare-command.ts';
import type { ExplainFlags } from './explain-command.ts';
import type { PlanFlags } from './plan-command.ts';
import { createProgram, runProgram } from './program.ts';
import type { ReplayFlags } from './replay-command.ts';
import type { BaselineFlags } from './report-command.ts';
import type { RotateKeysFlags } from './rotate-keys-command.ts';
import type { RunFlags } from './run-flags.ts';
import type { ServeFlags } from './serve-command.ts';
import { print } from './terminal.ts';

const BASELINE = 'a file with known deviations and accepted gaps';
const WRITE_BASELINE = 'write what fails to a new baseline file, with reasons to fill in';
const JSON_MEANS = 'print JSON';
const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value];
/** `user global` may be one argument or two. */
const words = (value: string, earlier?: string) => (earlier === undefined ? value : `${earlier} ${value}`);

// Each command imports its modules when it is called: to import those of all commands takes ten times as long.
const program = createProgram(
  'client-api-conformance',
  "Conformance suite for the client API's authentication contract",
).hook('preAction', (_program, command) => chooseContract(command.opts<{ contract?: string }>().contract));

/** A command about a contract: ours, or that of a file. */
function contractCommand(name: string): Command {
  return program
    .command(name)
    .option('--contract <file>', 'the file of a contract of your own; by default that of the client API');
}

/** Adds the flags of `run` that change what is sent. `plan` has them too. */
function withSendingFlags(command: Command): Command {
  return command
    .option('--embedded', 'test the embedded reference service, whatever variables are set')
    .option('--depth <depth>', 'how much of the matrix to send: core, pairwise, triples or full')
    .option('--claims <claims...>', 'what the target claims to implement', words)
    .option('--only <glob>', 'only the cases and checks whose id matches; repeatable', collect)
    .option('--except <glob>', 'leave out the cases and checks whose id matches; repeatable', collect)
    .option('--requirement <id>', 'only the cases and checks that can decide this requirement; repeatable', collect)
    .option('--shard <i/n>', 'run one of n parts; merge joins their report folders')
    .option('--rate <n>', 'requests a second')
    .option('--refused-per-minute <n>', 'the most refused tokens a minute')
    .option('--concurrency <n>', 'requests at the same time')
    .option('--intrusive', 'send bursts and random requests to a remote target too, and try every way')
    .option('--no-intrusive', 'send a target on this machine only what a remote one gets')
    .option('--insecure', 'allow plain http, or a certificate that nobody checks, to another machine');
}

withSendingFlags(contractCommand('run'))
  .description('test the implementation at TARGET_BASE_URL, or the embedded reference service with --embedded')
  .option('--baseline <file>', BASELINE)
  .option('--write-baseline <file>', WRITE_BASELINE)
  .option('--budget <n>', 'the most requests of the run')
  .option('--timeout <ms>', 'milliseconds to wait for an answer')
  .option(
    '--max-latency <limit>',
    'end as too slow if accepted requests take longer, such as p95=500; repeatable',
    collect,
  )
  .option('--watch', 'after the run, send again what failed whenever the target comes back from a restart')
  .option('--quiet', 'print only how the run ended')
  .option('--open', 'open the report in a browser after the run')
  .option('--since <file>', 'the report of an earlier run to compare with; by default the one in the report folder')
  .option('--run <id>', 'the id of the run; the same for all its shards')
  .option('--report-dir <folder>', 'the folder to write the report to')
  .action(async (flags: RunFlags) => {
    process.exitCode = await (await import('./run-command.ts')).runCommand(flags);
  });

contractCommand('init')
  .description('write a .env to fill in: which tokens to create and how, the most useful first')
  .option(
    '--claims <claims...>',
    'what the target claims to implement; by default user global, or every kind of your own contract',
    words,
  )
  .addOption(
    new Option('--openapi <file>', 'write a first contract for this OpenAPI document instead').conflicts([
      'contract',
      'claims',
    ]),
  )
  .action(async (flags: { claims?: string; openapi?: string }) => {
    process.exitCode = await (await import('./init-command.ts')).initCommand(flags);
  });

withSendingFlags(contractCommand('plan'))
  .description('show what a run would send and decide, and which variable to set next; sends nothing')
  .option('--json', JSON_MEANS)
  .action(async (flags: PlanFlags) => {
    process.exitCode = await (await import('./plan-command.ts')).planCommand(flags);
  });

contractCommand('prove')
  .description(
    'judge imagined servers of your own contract (--contract), each with one fault, to see that all are caught; sends nothing',
  )
  .action(async () => {
    process.exitCode = await (await import('./prove-contract-command.ts')).proveContractCommand();
  });

contractCommand('explain')
  .description('explain in words what a report names: a finding, requirement, case, check, rule, scope, variable ...')
  .argument('<id...>', 'a word from a report, such as F1, token.expired, observed or 401')
  .option('--report-dir <folder>', 'the report folder of the run that has the finding')
  .option('--markdown', 'print a finding as a ticket to paste into an issue tracker')
  .option('--json', JSON_MEANS)
  .action(async (words: string[], flags: ExplainFlags) => {
    process.exitCode = await (await import('./explain-command.ts')).explainCommand(words, flags);
  });

contractCommand('replay')
  .description('send just one finding, case or check again, and say whether it still fails; writes nothing')
  .argument('<id>', 'an id from a report, such as F1')
  .option('--report-dir <folder>', 'the report folder of the run that has the finding')
  .option('--embedded', 'send to the embedded reference service, whatever variables are set')
  .option('--intrusive', 'send bursts and random requests to a remote target too, and try every way')
  .option('--insecure', 'allow plain http, or a certificate that nobody checks, to another machine')
  .action(async (id: string, flags: ReplayFlags) => {
    process.exitCode = await (await import('./replay-command.ts')).replayCommand(id, flags);
  });

contractCommand('report')
  .description('judge the journal of an earlier run again and write its reports again; sends nothing')
  .argument('[folder]', 'the report folder of the run')
  .option('--baseline <file>', BASELINE)
  .option('--write-baseline <file>', WRITE_BASELINE)
  .option('--json', 'print the report as JSON, with the state of each entry of the baseline')
  .action(async (folder: string | undefined, flags: BaselineFlags) => {
    process.exitCode = await (await import('./report-command.ts')).reportCommand(folder, flags);
  });

contractCommand('merge')
  .description('join the shards of one run and judge them as one')
  .argument('<folders...>', 'the report folders of all shards')
  .option('--report-dir <folder>', 'the folder to write the merged journal and its reports to')
  .option('--baseline <file>', BASELINE)
  .action(async (folders: string[], { reportDir, baseline }: { reportDir?: string; baseline?: string }) => {
    process.exitCode = await (await import('./merge-command.ts')).mergeCommand(folders, reportDir, baseline);
  });

program
  .command('compare')
  .description('show what changed between two runs, or list the runs that a report folder remembers')
  .argument(
    '[earlier]',
    'a report.json, or the report folder that it is in; with --history a number or the id of a run',
  )
  .argument('[later]', 'the same of the later run; with --history by default the last run')
  .option('--history', 'list the last runs into the report folder, or compare two of them, as in --history 3 1')
  .option('--report-dir <folder>', 'the report folder whose history to read')
  .option('--json', JSON_MEANS)
  .action(async (earlier: string | undefined, later: string | undefined, flags: CompareFlags) => {
    process.exitCode = (await import('./compare-command.ts')).compareCommand(earlier, later, flags);
  });

contractCommand('statement')
  .description('write what to hand to others of a finished run: one page, statement.html, and statement.json')
  .argument('[folder]', 'the report folder of the run')
  .action(async (folder: string | undefined) => {
    process.exitCode = await (await import('./statement-command.ts')).statementCommand(folder);
  });

contractCommand('verify')
  .description('check a statement that somebody handed over: judge its journal again and compare; sends nothing')
  .argument('<folder>', 'the folder with statement.json, report.json and journal.ndjson')
  .option('--json', JSON_MEANS)
  .action(async (folder: string, flags: { json?: boolean }) => {
    process.exitCode = await (await import('./verify-command.ts')).verifyCommand(folder, flags);
  });

program
  .command('serve')
  .description('run the reference service with demo people and tokens')
  .option('--port <port>', 'the port of the client API; 0 for any free port', '8080')
  .option('--write-env <file>', 'write a file with every variable that a run against the service needs')
  .action(async (flags: ServeFlags) => (await import('./serve-command.ts')).serveCommand(flags));

program
  .command('rotate-keys')
  .description('create new keys for a reference service, which may be running; what was signed before stays valid')
  .option('--discard-old', 'forget the old keys at once, as after a leak: everything signed with them ends')
  .action(async (flags: RotateKeysFlags) => (await import('./rotate-keys-command.ts')).rotateKeysCommand(flags));

program
  .command('completion')
  .description('print the script that completes commands and flags in a shell: bash, zsh or fish')
  .argument('<shell>', 'bash, zsh or fish')
  .action(async (shell: string) => print((await import('./completion.ts')).completionFor(shell, program)));

await runProgram(program);
