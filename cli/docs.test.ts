import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

describe('docs/variables.md', () => {
  test('lists exactly the flags of the command line', async () => {
    const page = readFileSync('docs/variables.md', 'utf8');
    const table = page.slice(page.indexOf('\n## Flags\n'), page.indexOf('\n## A part of a run\n'));
    const commands = ['run', 'plan', 'init', 'explain', 'replay', 'report', 'merge', 'serve', 'rotate-keys'];
    const written = [...table.matchAll(/^\| `(--[a-z-]+)[^`]*` \| ([^|]+) \|/gm)].flatMap(([, flag, of = '']) =>
      of.split(', ').map((command) => `${command.trim()} ${flag}`),
    );
    const helps = await Promise.all(
      commands.map(async (name) => ({ name, help: (await cli.command(name, '--help')).output })),
    );
    const real = helps.flatMap(({ name, help }) =>
      [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => `${name} ${flag}`),
    );
    expect([...written].sort()).toEqual([...real].sort());
  });
});
