#!/usr/bin/env node
import type { Command } from 'commander';
import type { PlanFlags } from './plan-command.ts';
import { createProgram, print, runProgram } from './program.ts';
import type { RotateKeysFlags } from './rotate-keys-command.ts';
import type { RunFlags } from './run-command.ts';
import type { ServeFlags } from './serve-command.ts';

const BASELINE = 'known deviations and accepted gaps';
const collect = (value: string, earlier: readonly string[]) => [...earlier, value];

// Each command loads what it needs when it is called: nine tenths of the time to start went into all the others.
const program = createProgram(
  'client-api-conformance',
  "Conformance suite for the client API's authentication contract",
);

/** What decides what is sent: flags of `run`, and of `plan`, which foretells it. */
function withSending(command: Command): Command {
  return command
    .option('--embedded', 'the embedded reference service whatever is set')
    .option('--depth <depth>', 'core, pairwise or full')
    .option('--claims <claims>', 'what the target claims to implement')
    .option('--only <glob>', 'only the cases and checks whose id matches; repeatable', collect, [])
    .option('--except <glob>', 'none of the cases and checks whose id matches; repeatable', collect, [])
    .option('--requirement <id>', 'only what can decide this requirement; repeatable', collect, [])
    .option('--shard <i/n>', 'one of n parts of the run; merge joins their folders')
    .option('--rate <n>', 'requests a second')
    .option('--concurrency <n>', 'requests at once')
    .option('--intrusive', 'also bursts and fuzzed requests to a remote target')
    .option('--insecure', 'allow plain http to a host that is not loopback');
}

withSending(program.command('run', { isDefault: true }))
  .description('test the implementation at TARGET_BASE_URL; the embedded reference service when nothing is set')
  .option('--baseline <file>', BASELINE)
  .option('--timeout <ms>', 'milliseconds to wait for an answer')
  .option('--report-dir <folder>', 'where the report is written')
  .action(async (flags: RunFlags) => {
    process.exitCode = await (await import('./run-command.ts')).runCommand(flags, print);
  });

program
  .command('init')
  .description('write a .env to fill in: which tokens to create and how, the cheapest useful set first')
  .option('--claims <claims>', 'what the target claims to implement', 'user global')
  .action(async (flags: { claims: string }) => {
    process.exitCode = await (await import('./init-command.ts')).initCommand(flags, print);
  });

withSending(program.command('plan'))
  .description('say what a run would send and decide, and which variable to set next; sends nothing')
  .option('--json', 'for programs')
  .action(async (flags: PlanFlags) => {
    process.exitCode = await (await import('./plan-command.ts')).planCommand(flags, print);
  });

program
  .command('explain')
  .description('say in words what a requirement, a case or a check is about, with a curl line')
  .argument('<id>', 'as the report names it, such as token.expired')
  .action(async (id: string) => {
    process.exitCode = await (await import('./explain-command.ts')).explainCommand(id, print);
  });

program
  .command('report')
  .description('judge the journal of an earlier run again, without any traffic, and write its reports anew')
  .argument('[folder]', 'the report folder of the run')
  .option('--baseline <file>', BASELINE)
  .action(async (folder: string | undefined, { baseline }: { baseline?: string }) => {
    process.exitCode = await (await import('./report-command.ts')).reportCommand(folder, baseline, print);
  });

program
  .command('merge')
  .description('join the shards of one run and judge them as one')
  .argument('<folders...>', 'the report folders of all shards')
  .option('--report-dir <folder>', 'where the merged journal and its reports are written', 'conformance-report')
  .option('--baseline <file>', BASELINE)
  .action(async (folders: string[], { reportDir, baseline }: { reportDir: string; baseline?: string }) => {
    process.exitCode = await (await import('./merge-command.ts')).mergeCommand(folders, reportDir, baseline, print);
  });

program
  .command('serve')
  .description('run the reference service with demo people and tokens')
  .option('--port <port>', 'where the client API listens, 0 for any free port', '8080')
  .option('--write-env <file>', 'write every variable that a run against it needs')
  .action(async (flags: ServeFlags) => (await import('./serve-command.ts')).serveCommand(flags, print));

program
  .command('rotate-keys')
  .description('create new keys for a reference service, which may be running; what was signed before stays valid')
  .option('--discard-old', 'forget the old keys at once, as after a leak: everything signed with them ends')
  .action(async (flags: RotateKeysFlags) => (await import('./rotate-keys-command.ts')).rotateKeysCommand(flags, print));

await runProgram(program);
