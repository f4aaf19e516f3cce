import { Command, CommanderError } from 'commander';
import {
  configurationError,
  didYouMean,
  errorCode,
  headingOf,
  isConfigurationError,
} from '../harness/contract/configuration-error.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { suiteVersion } from '../harness/record/journal.ts';
import { workflowCommand } from '../harness/render/workflow-commands.ts';
import { withoutTokens } from './hide-secrets.ts';
import { ignoreLostOutput, print, printError } from './terminal.ts';

const CONFIGURATION_EXIT = 2;

/** A command line that ends with exit code 2 for its own errors, such as an unknown flag. */
export function createProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(suiteVersion)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => printError(withoutTokens(text.trimEnd())),
      // What commander refuses looks like what we refuse.
      outputError: (text, write) =>
        write(
          `configuration error\n${text
            .trimEnd()
            .replace(/^error: /, '')
            .replace(/^/gm, '  ')}`,
        ),
    })
    .hook('preAction', (_program, command) => refuseEmpty(command))
    .showHelpAfterError('  --help after the command shows what it takes')
    .exitOverride();
}

/** Runs the command that the arguments name. A configuration error ends with exit code 2, a defect of ours with 70. */
export async function runProgram(program: Command): Promise<void> {
  ignoreLostOutput(CONFIGURATION_EXIT);
  process.on('uncaughtException', endWithDefect).on('unhandledRejection', endWithDefect);
  // Nothing is left to do, but the command has not ended: its parts wait for each other.
  const endStuck = () => endWithDefect(new Error('the command waits for itself'));
  process.once('beforeExit', endStuck);
  try {
    refuseLostFolder();
    const word = process.argv.slice(2).find((one) => one !== 'help');
    // A run sends requests. It never starts because somebody looked what the program does.
    if (word === undefined) return program.outputHelp();
    refuseUnknownCommand(program, word);
    await program.parseAsync();
  } catch (error) {
    // To end at once would keep from us that --help could not be written.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : CONFIGURATION_EXIT;
    else if (!isConfigurationError(error)) endWithDefect(error);
    else {
      printConfigurationError(error);
      process.exitCode = CONFIGURATION_EXIT;
    }
  } finally {
    process.off('beforeExit', endStuck);
  }
}

function refuseLostFolder(): void {
  try {
    process.cwd();
  } catch {
    throw configurationError('the current folder does not exist any more; change to one that does');
  }
}

/** A shell makes an empty word of a variable that is not set, as in `--baseline "$FILE"`. No flag and no argument means anything empty. */
function refuseEmpty(command: Command): void {
  const flags = command.options.flatMap((option) => {
    const values: readonly unknown[] = [command.getOptionValue(option.attributeName())].flat();
    return values.some(isBlank) ? [option.long ?? option.flags] : [];
  });
  const [blank] = [...flags, ...(command.args.some(isBlank) ? [`an argument of ${command.name()}`] : [])];
  if (blank !== undefined) throw configurationError(`${blank} is empty; give it a value or leave it out`);
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** Says what was meant in place of a word that is no command, or of a flag that needs a command before it. */
function refuseUnknownCommand(program: Command, word: string): void {
  const known = [...program.commands.map((command) => command.name()), 'help'];
  if (known.includes(word) || OWN_FLAGS.includes(word)) return;
  if (word.startsWith('-'))
    throw configurationError(`${visible(word)} needs a command before it, such as run ${visible(word)}`);
  throw configurationError(
    `there is no command ${visible(word)}${didYouMean(word, known) || `; there are ${known.join(', ')}`}`,
  );
}

/** The flags that go without a command. */
const OWN_FLAGS = ['-h', '--help', '-V', '--version'];

/** An error that nothing caught leaves the program in an unknown state, so it ends at once. */
function endWithDefect(error: unknown): never {
  // A timer or a listener can meet a mistake of the operator too, such as a full disk.
  if (isConfigurationError(error)) printConfigurationError(error);
  else printError(describeDefect(error));
  process.exit(isConfigurationError(error) ? CONFIGURATION_EXIT : DEFECT_EXIT);
}

function printConfigurationError(error: Error): void {
  printError(withoutTokens(`${headingOf(error)}\n${error.message.replace(/^/gm, '  ')}`));
  // Beside a pull request, nothing else says why the step failed.
  if (process.env['GITHUB_ACTIONS'] === 'true')
    printError(workflowCommand('error', headingOf(error), withoutTokens(error.message)));
}

/** The exit code for a mistake in this program (EX_SOFTWARE of sysexits.h). */
export const DEFECT_EXIT = 70;

/** Our own files in a stack trace, and the names of packages, without the folders of this machine. */
const OWN = /.*\/((?:cli|harness|suites|fixtures|service)\/[\w./-]+:\d+):\d+/;
const PACKAGE = /.*\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//;
const MOST_PLACES = 5;

/**
 * What to say about an error that nobody foresaw. It shows neither the message of the error, which may quote a token, nor
 * any argument or variable.
 */
export function describeDefect(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const places = lines.flatMap((line) => PACKAGE.exec(line)?.[1] ?? OWN.exec(line)?.[1] ?? []);
  const name = error instanceof Error ? error.constructor.name : typeof error;
  const code = errorCode(error);
  return [
    'defect of the suite',
    '  This is a mistake in client-api-conformance. It says nothing about your target. Please send the lines below to the',
    '  maintainers: privately, as SECURITY.md describes, if a target or a file of somebody else may have caused it, and',
    '  as an issue otherwise. They contain no token, no address and nothing that the target said. A report folder helps',
    '  too, but look through it first.',
    `  version  ${suiteVersion}, Node ${process.version}, ${process.platform}`,
    `  error    ${name}${code === undefined ? '' : ` (${code})`}`,
    `  where    ${[...new Set(places)].slice(0, MOST_PLACES).join(' < ') || 'not in a file of the suite'}`,
  ].join('\n');
}
