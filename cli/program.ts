import { Command } from 'commander';
import { configurationError, isConfigurationError } from '../harness/contract/configuration-error.ts';
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
    refuseUnknownCommand(program, process.argv[2]);
    await program.parseAsync();
  } catch (error) {
    if (!isConfigurationError(error)) return endWithDefect(error);
    printConfigurationError(error);
    process.exitCode = CONFIGURATION_EXIT;
  }
}

/** With a default command, commander takes an unknown command for an argument of that one. */
function refuseUnknownCommand({ commands }: Command, word: string | undefined): void {
  const known = [...commands.map((command) => command.name()), 'help'];
  if (word === undefined || word.startsWith('-') || known.includes(word)) return;
  throw configurationError(
    `there is no command ${visible(word)}${didYouMean(word, known) || `; there are ${known.join(', ')}`}`,
  );
}

/** An error that nothing caught leaves the program in an unknown state, so it ends at once. */
function endWithDefect(error: unknown): never {
  // A timer or a listener can meet a mistake of the operator too, such as a full disk.
  if (isConfigurationError(error)) printConfigurationError(error);
  else printError(describeDefect(error));
  process.exit(isConfigurationError(error) ? CONFIGURATION_EXIT : DEFECT_EXIT);
}

function printConfigurationError({ message }: Error): void {
  printError(`configuration error\n${message.replace(/^/gm, '  ')}`);
}
