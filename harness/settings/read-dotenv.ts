import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';

/**
 * The variables of a `.env` file; none when there is no such file.
 * dotenv passes over what it cannot read and cuts values where it sees a comment, which would lose a token without a word:
 * such lines are errors here.
 * @throws a configuration error with the file and line, never with the line's content (it may hold a secret).
 */
export function readDotenvFile(file: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = errorCause(error);
    if (code === 'ENOENT') return {};
    throw configurationError(`${file}: cannot be read (${code})`);
  }
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
    const at = `line ${index + 1}`;
    const [, name, value = ''] = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    // The end of a value that was wrapped has the form of a name as well, so only what looks like one is shown.
    if (name === undefined || !/^[A-Z][A-Z0-9_]*$/.test(name)) {
      problems.push(`${at} is not NAME=value${name === undefined ? '' : ' with a name in capitals'}`);
      continue;
    }
    const shown = name.length > 3 && name.includes('_') ? name : 'a name';
    const first = names.get(name);
    if (first !== undefined) problems.push(`${at} sets ${shown} again (first on line ${first})`);
    names.set(name, first ?? index + 1);
    const quote = value[0] ?? '';
    if (!QUOTES.includes(quote)) {
      if (/[^\s#]#/.test(value))
        problems.push(`${at} has a # in the value of ${shown} that would cut it; put it in quotes`);
      continue;
    }
    let rest = value.slice(1);
    while (closing(rest, quote) < 0 && index < lines.length - 1) {
      index += 1;
      rest = lines[index] ?? '';
    }
    const end = closing(rest, quote);
    if (end < 0) problems.push(`${at} opens a ${quote} for ${shown} that never closes`);
    else if (!/^\s*(#.*)?$/.test(rest.slice(end + 1)))
      problems.push(`${at} has something behind the closing ${quote} of ${shown}`);
  }
  return problems;
}

const QUOTES = ['"', "'", '`'];

/** Where a quote closes in a text, passing over escaped ones; -1 where it does not. */
function closing(text: string, quote: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}
