import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { configurationError } from './configuration-error.ts';

/**
 * The variables of a `.env` file; none when there is no such file.
 * dotenv passes over what it cannot read, which would lose a token without a word: such lines are errors here.
 * @throws a configuration error with the file and line, never with the line's content (it may hold a secret).
 */
export function readDotenvFile(file: string): Readonly<Record<string, string>> {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  const problems = malformedLines(text).map((problem) => `${file}: ${problem}`);
  if (problems.length > 0) throw configurationError(problems);
  return parse(text);
}

function malformedLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const problems: string[] = [];
  const names = new Map<string, number>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]?.trim() ?? '';
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value = ''] = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) {
      problems.push(`line ${index + 1} is not NAME=value`);
      continue;
    }
    const first = names.get(name);
    if (first !== undefined) problems.push(`line ${index + 1} sets ${name} again (first on line ${first})`);
    names.set(name, first ?? index + 1);
    const quote = value[0];
    if (quote !== '"' && quote !== "'" && quote !== '`') continue;
    const opened = index;
    let rest = value.slice(1);
    while (!rest.includes(quote) && index < lines.length - 1) {
      index += 1;
      rest = lines[index] ?? '';
    }
    if (!rest.includes(quote)) problems.push(`line ${opened + 1} opens a ${quote} for ${name} that never closes`);
  }
  return problems;
}
