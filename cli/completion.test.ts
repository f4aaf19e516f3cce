import { describe, expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

/** The commands that the help lists, and the flags of each. */
async function help() {
  const { output } = await cli.command(['--help']);
  const commands = [...(output.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name);
  const known = commands.flatMap((name) => (name === undefined || name === 'help' ? [] : [name]));
  return Promise.all(
    known.map(async (name) => {
      const { output: text } = await cli.command([name, '--help']);
      const flags = [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag ?? '');
      return { name, flags };
    }),
  );
}

/** How a shell writes that a command has a flag. */
const SHELLS: Readonly<Record<string, (name: string, flag: string) => RegExp>> = {
  bash: (name, flag) => new RegExp(` ${name}\\) words='[^']*${flag}[ ']`),
  zsh: (name, flag) => new RegExp(` ${name}\\) words_here=\\([^\n]*'${flag}:`),
  fish: (name, flag) => new RegExp(`_from ${name}' -l ${flag.slice(2)} `),
};

describe('completion', () => {
  test('for bash, zsh and fish has every command and every flag', async () => {
    const commands = await help();
    expect(commands.map(({ name }) => name)).toContain('completion');
    for (const [shell, pattern] of Object.entries(SHELLS)) {
      const { code, output } = await cli.command(['completion', shell]);
      for (const { name, flags } of commands) {
        expect(output, shell).toContain(name);
        for (const flag of flags) expect(output, `${shell}: ${name} ${flag}`).toMatch(pattern(name, flag));
      }
      // A quotation mark without its partner would be an error in every new shell.
      expect((output.replaceAll("'\\''", '').replaceAll("\\'", '').match(/'/g)?.length ?? 0) % 2, shell).toBe(0);
      expect(code).toBe(0);
    }
  });

  test('for another shell ends with exit 2 and the shells that there are', async () => {
    const { code, output } = await cli.command(['completion', 'tcsh']);
    expect(output).toContain('completion is for bash, zsh, fish, and not for "tcsh"');
    expect(code).toBe(2);
  });
});
