import { Command } from 'commander';
import { isConfigurationError } from '../harness/contract/configuration-error.ts';
import { suiteVersion } from '../harness/record/suite-version.ts';

const CONFIGURATION_EXIT = 2;

/** A command line that ends with exit code 2 for its own errors, such as an unknown flag. */
export function createProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(suiteVersion)
    .exitOverride((error) => {
      process.exit(error.exitCode === 0 ? 0 : CONFIGURATION_EXIT);
    });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs the command that the arguments name. A configuration error prints its message and ends with exit code 2. */
export async function runProgram(program: Command): Promise<void> {
  // A reader such as head may close the pipe early. The run continues, and its exit code counts.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await program.parseAsync();
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    process.stderr.write(`configuration error\n${error.message.replace(/^/gm, '  ')}\n`);
    process.exitCode = CONFIGURATION_EXIT;
  }
}
