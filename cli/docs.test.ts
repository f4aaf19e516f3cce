import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine, commandsOf } from './testing/command-line.ts';

const cli = commandLine();

describe('docs/variables.md', () => {
  test('lists exactly the flags of the command line', async () => {
    const page = readFileSync('docs/variables.md', 'utf8');
    const table = page.slice(page.indexOf('\n## Flags\n'), page.indexOf('\n## A part of a run\n'));
    const written = [...table.matchAll(/^\| `(--[a-z-]+)[^`]*` \| ([^|]+) \|/gm)].flatMap(([, flag, of = '']) =>
      of.split(', ').map((command) => `${command.trim()} ${flag}`),
    );
    const real = (await commandsOf(cli)).flatMap(({ name, flags }) => flags.map((flag) => `${name} ${flag}`));
    expect([...written].sort()).toEqual([...real].sort());
  });
});

test('the README says what its example of a .env lets a run decide', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, example = ''] = /```sh\n(TARGET_BASE_URL=.*?)```/s.exec(readme) ?? [];
  writeFileSync(cli.file('.env'), example.replace('...', 'f3q8Zk1LmN0pR5sTuV7w'));
  const { claimed, decidable } = JSON.parse((await cli.command(['plan', '--json'])).output).requirements;
  expect(readme).toContain(`(${decidable} of ${claimed} with the four lines above)`);
});

test('a hint that names a command can be pasted', () => {
  const files = ['cli', 'harness', 'suites'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  );
  const commands = '(explain|replay|plan|compare|report|statement|verify|init|merge|serve|run)';
  // In a text of ours, a backtick is escaped or stands between quotes.
  const bare = new RegExp(`\\\\\`${commands}\\b|'[^'\`]*\`${commands}[\` ]|the command ${commands}\\b`);
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^ *(\*|\/[/*])/.test(line) && bare.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('no page, hint or pipeline installs the package by its name, which anyone could register', () => {
  const folders = ['.', 'docs', '.github', 'cli', 'harness', 'specs', 'service'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' })
      .filter((file) => /\.(md|yml|yaml|mjs|ts)$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  const installing =
    /npx (?!--no )\S*client-api|npm (install|i|exec|add)\b.* client-api-conformance(?!\S*\.tgz)|client-api-conformance@/;
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (installing.test(line) ? [`${file}: ${line}`] : [])),
  );
  expect(files).toContain('action.yml');
  expect(found).toEqual([]);
});
