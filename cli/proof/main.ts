#!/usr/bin/env node
import { createProgram, print, runProgram } from '../program.ts';
import type { ProveFlags } from './prove-command.ts';

// Tools for maintainers of the suite; the published package leaves them out.
const program = createProgram('proof', 'Proof and measurements of the conformance suite itself');

program
  .command('prove')
  .description(
    'judge deliberately broken and deliberately different implementations: the suite must catch the one and spare the other',
  )
  .option('--only <glob>', 'deviants and variants to judge')
  .option('--depth <depth>', 'core, pairwise or full')
  .option('--thorough', 'intrusive checks too against deviants that the rest has caught already')
  .option('--write', 'write the kill matrix, and the row of this depth in the table of depths')
  .action(async (flags: ProveFlags) => {
    process.exitCode = await (await import('./prove-command.ts')).proveCommand(flags, print);
  });

program
  .command('bench')
  .description('measure the harness against the plain target: ratios, memory, requests')
  .option('--memory <times>', 'only run the full matrix over so many times the operations, and print the peak memory')
  .action(async (flags: { memory?: string }) => {
    process.exitCode = await (await import('./bench-command.ts')).benchCommand(flags, print);
  });

await runProgram(program);
