import { expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

test('no arguments print the help and send nothing', async () => {
  const { code, output } = await cli.command([], await cli.plain());
  expect(output).toMatch(/^Usage: client-api-conformance/);
  expect(code).toBe(0);
});

test('a flag without a command ends with exit 2 and the command that was meant', async () => {
  const { code, output } = await cli.command(['--embedded']);
  expect(output).toContain('--embedded needs a command before it, such as run --embedded');
  expect(code).toBe(2);
});

test('a misspelled command ends with exit 2 and the one that was meant', async () => {
  const { code, output } = await cli.command(['runn', '--depth', 'core']);
  expect(output).toContain('there is no command runn; did you mean run?');
  expect(code).toBe(2);
});

test('an unknown command ends with exit 2 and the commands that there are', async () => {
  const { code, output } = await cli.command(['conformance']);
  expect(output).toContain('there is no command conformance; there are run, init, plan');
  expect(code).toBe(2);
});

test('a wrong value of a flag is said by the name of the flag', async () => {
  const { code, output } = await cli.command(['run', '--embedded', '--depth', 'ful']);
  expect(output).toContain('--depth must be one of core, pairwise, triples, full, not "ful"; did you mean full?');
  expect(code).toBe(2);
});
