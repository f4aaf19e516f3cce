#!/usr/bin/env node
import { createProgram, runProgram } from '../program.ts';
import type { PeerFlags } from './bench-peers.ts';
import type { MutateFlags } from './mutate-command.ts';
import type { ProveFlags } from './prove-command.ts';
import type { StrengthFlags } from './strength-command.ts';

// Tools for maintainers of the suite. The published package does not contain them.
const program = createProgram('proof', 'Prove and measure the conformance suite itself');

program
  .command('prove')
  .description(
    'judge deviants, which each break one rule and must be caught, and variants, which use a freedom and must not be blamed',
  )
  .option('--only <glob>', 'only the deviants and variants whose id matches')
  .option('--depth <depth>', 'core, pairwise, triples or full')
  .option('--thorough', 'run intrusive checks even against deviants that are caught without them')
  .option('--remote', 'what a target on another machine gets by default, beside the list of what that does not catch')
  .option('--write', 'write the kill matrix and the table of depths; with --remote, the list')
  .action(async (flags: ProveFlags) => {
    process.exitCode = await (await import('./prove-command.ts')).proveCommand(flags);
  });

program
  .command('strength')
  .description(
    'draw faults that depend on one to three values, and check that a run sees what its plan says that it sees',
  )
  .option('--depth <depth>', 'core, pairwise, triples or full')
  .option('--faults <count>', 'how many faults to draw')
  .option('--seed <number>', 'the first seed')
  .action(async (flags: StrengthFlags) => {
    process.exitCode = await (await import('./strength-command.ts')).strengthCommand(flags);
  });

program
  .command('bench')
  .description('measure the harness against the plain target, and the reference service')
  .option('--memory <times>', 'only run the full matrix with this many times the operations, and print the peak memory')
  .option('--peers', 'only compare the suite with programs that others wrote, on the same requests')
  .option('--depth <depth>', 'with --peers: core, pairwise, triples (the default) or full')
  .option('--only <glob>', 'with --peers: only the programs whose name matches')
  .action(async ({ peers, ...flags }: { memory?: string; peers?: true } & PeerFlags) => {
    process.exitCode = peers
      ? await (await import('./bench-peers.ts')).benchPeers(flags)
      : await (await import('./bench-command.ts')).benchCommand(flags);
  });

program
  .command('mutate')
  .description(
    'change the judge and token verification one place at a time, and list the changes that no fast test notices',
  )
  .option(
    '--only <files>',
    'only these files: globs separated by commas, each with an optional range of lines (file.ts:10-20)',
  )
  .action(async (flags: MutateFlags) => {
    process.exitCode = await (await import('./mutate-command.ts')).mutateCommand(flags);
  });

program
  .command('foreign')
  .description(
    'let foreign programs judge the remote MCP server and the authorization server of the reference service, and judge servers that others wrote',
  )
  .option('--only <what>', 'only `judges` or `servers`, or the server with this name')
  .action(async ({ only }: { only?: string }) => {
    const isOf = (what: string) => only === undefined || only === what;
    const judges = isOf('judges') ? await (await import('./foreign-command.ts')).foreignCommand() : 0;
    const { judgeServers } = await import('./servers/judge-servers.ts');
    const servers = only === 'judges' ? 0 : await judgeServers(isOf('servers') ? undefined : only);
    process.exitCode = Math.max(judges, servers);
  });

await runProgram(program);
