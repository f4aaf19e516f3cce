import { describe, expect, test } from 'vitest';
import { commandLine, commandsOf } from './testing/command-line.ts';

const cli = commandLine();

/** How a shell writes that a command has a flag. */
const SHELLS: Readonly<Record<string, (name: string, flag: string) => RegExp>> = {
  bash: (name, flag) => new RegExp(` ${name}\\) words='[^']*${flag}[ ']`),
  zsh: (name, flag) => new RegExp(` ${name}\\) words_here=\\([^\n]*'${flag}:`),
  fish: (name, flag) => new RegExp(`_from ${name}' -l ${flag.slice(2)} `),
};

describe('completion', () => {
  test('for bash, zsh and fish has every command and every flag', async () => {
    const commands = await commandsOf(cli);
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
});
