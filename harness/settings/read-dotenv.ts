import { lstatSync } from 'node:fs';
import { parse } from 'dotenv';
import { configurationError, errorCause, errorCode } from '../contract/configuration-error.ts';
import { readOwnFile } from '../contract/read-file.ts';
import type { Sources } from './settings.ts';

/**
 * The variables of a `.env` file; none if the file does not exist. dotenv skips lines that it cannot parse, and cuts a
 * value at a `#`. Both could lose a token silently, so they are errors here.
 * @throws a configuration error with the file and line of each problem. It never shows a value, which may be a secret.
 */
export function readDotenvFile(file: string): Pick<Sources, 'dotenv' | 'lines'> {
  let text: string;
  try {
    text = readOwnFile(file).toString();
  } catch (error) {
    const isAbsent = errorCode(error) === 'ENOENT';
    if (isAbsent && !lstatSync(file, { throwIfNoEntry: false })) return { dotenv: {} };
    const cause = isAbsent ? 'a link to a file that does not exist' : errorCause(error);
    throw configurationError(`${file}: cannot be read (${cause})`);
  }
  // What is no UTF-8 was read as U+FFFD, and would be sent so.
  if (/[\0\ufffd]/.test(text))
    throw configurationError(`${file} is not text in UTF-8, but perhaps in UTF-16 or Latin-1; save it again as UTF-8`);
  const { problems, lines } = linesOf(text);
  if (problems.length > 0) throw configurationError(problems.map((problem) => `${file}: ${problem}`));
  return { dotenv: parse(text), lines };
}

/** The line of each name, and what dotenv would skip or cut, one line for each problem. */
function linesOf(text: string) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const problems: string[] = [];
  const firstLines = new Map<string, number>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]?.trim() ?? '';
    if (line === '' || line.startsWith('#')) continue;
    const at = `line ${index + 1}`;
    const [, name, value = ''] = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    // The second line of a wrapped token can look like NAME=value. So a name is shown only if it looks like a variable.
    if (name === undefined || !/^[A-Z][A-Z0-9_]*$/.test(name)) {
      problems.push(`${at} is not NAME=value${name === undefined ? '' : ' with a name in upper case'}`);
      continue;
    }
    const shown = name.length > 3 && name.includes('_') ? name : 'a name';
    const first = firstLines.get(name);
    if (first !== undefined) problems.push(`${at} sets ${shown} again (first on line ${first})`);
    firstLines.set(name, first ?? index + 1);
    const quote = value[0] ?? '';
    if (!QUOTES.includes(quote)) {
      if (/[^\s#]#/.test(value))
        problems.push(`${at} has a # in the value of ${shown}, which would start a comment; put the value in quotes`);
      continue;
    }
    const { lastIndex, textAfter } = endOfQuoted(lines, index, value.slice(1), quote);
    index = lastIndex;
    if (textAfter === undefined) problems.push(`${at} has no closing ${quote} for the value of ${shown}`);
    else if (!/^\s*(#.*)?$/.test(textAfter))
      problems.push(`${at} has text after the closing ${quote} of the value of ${shown}`);
  }
  return { problems, lines: firstLines };
}

const QUOTES = ['"', "'", '`'];

/**
 * Finds the end of a quoted value, which may span lines.
 * @param index the index of the line with the opening quote.
 * @param rest the text of that line after the quote.
 * @returns the index of the last line of the value, and the text after the closing quote; undefined if it is missing.
 */
function endOfQuoted(
  lines: readonly string[],
  index: number,
  rest: string,
  quote: string,
): { readonly lastIndex: number; readonly textAfter: string | undefined } {
  let lastIndex = index;
  let lastLine = rest;
  while (closingQuote(lastLine, quote) < 0 && lastIndex < lines.length - 1) {
    lastIndex += 1;
    lastLine = lines[lastIndex] ?? '';
  }
  const end = closingQuote(lastLine, quote);
  return { lastIndex, textAfter: end < 0 ? undefined : lastLine.slice(end + 1) };
}

/** The position of the first quote that is not escaped; -1 if there is none. */
function closingQuote(text: string, quote: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}
