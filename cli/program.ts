import { Command } from 'commander';
import { configurationError, headingOf, isConfigurationError } from '../harness/contract/configuration-error.ts';
import { didYouMean } from '../harness/contract/did-you-mean.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { suiteVersion } from '../harness/record/suite-version.ts';
import { DEFECT_EXIT, describeDefect } from './defect.ts';
import { ignoreLostOutput, print, printError } from './terminal.ts';

const CONFIGURATION_EXIT = 2;

/** A command line that ends with exit code 2 for its own errors, such as an unknown flag. */
export function createProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(suiteVersion)
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => printError(text.trimEnd()) })
    .exitOverride((error) => {
      process.exit(error.exitCode === 0 ? 0 : CONFIGURATION_EXIT);
    });
}

/**
 * Runs the command that the arguments name. A configuration error prints its message and ends with exit code 2. Any other
 * error is a defect of ours, and ends with exit code 70.
 */
export async function runProgram(program: Command): Promise<void> {
  ignoreLostOutput();
  process.on('uncaughtException', endWithDefect).on('unhandledRejection', endWithDefect);
  try {
    const [, , word] = process.argv;
    // A run sends requests. It never starts because somebody looked what the program does.
    if (word === undefined) return program.outputHelp();
    refuseUnknownCommand(program, word);
    await program.parseAsync();
  } catch (error) {
    if (!isConfigurationError(error)) return endWithDefect(error);
    printConfigurationError(error);
    process.exitCode = CONFIGURATION_EXIT;
  }
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
  printError(`${headingOf(error)}\n${error.message.replace(/^/gm, '  ')}`);
}
