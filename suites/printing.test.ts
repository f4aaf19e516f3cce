import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { visible, visibleIn, visibleLines } from '../harness/contract/visible-text.ts';

/** They write to standard output, and no other file does: a text that goes past `cli/terminal.ts` is not made visible. */
const MAY_PRINT: Readonly<Record<string, RegExp>> = {
  'cli/terminal.ts': /[\s\S]*/,
  // Runs commands for tests, and captures what they print.
  'cli/testing/warm-commands.ts': /process\.std(out|err)/,
  // A program of its own, whose output the suite reads.
  'service/embedded/administration-command.ts': /answer\.pipe\(process\.stdout\)/,
};

test('only cli/terminal.ts writes to the terminal', () => {
  const writes =
    /.*(?:process\.std(?:out|err)\b|\bconsole\.(?:log|warn|error|info|debug|dir|table|trace)\b|\/dev\/(?:tty|std)|writeSync\([12]\b).*/g;
  const found = ['cli', 'harness', 'suites', 'fixtures'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`)
      .flatMap((file) => (readFileSync(file, 'utf8').match(writes) ?? []).map((line) => ({ file, line })))
      .filter(({ file, line }) => !MAY_PRINT[file]?.test(line)),
  );
  expect(found).toEqual([]);
});

const HIDDEN: readonly (readonly [what: string, text: string])[] = [
  ['a control character', '\u0007'],
  ['an escape sequence', '\u001b[2J'],
  ['an escape sequence of C1', '\u009b2J'],
  ['a carriage return', '\r'],
  ['a line separator', '\u2028'],
  ['a change of direction', '\u202e'],
  ['an isolate', '\u2066'],
  ['a space without width', '\u200b'],
  ['a soft hyphen', '\u00ad'],
  ['a filler of Hangul', '\u3164'],
  ['a tag', '\u{e0041}'],
  ['a variation selector', '\ufe0f'],
  ['half a surrogate pair', '\ud800'],
  ['no character', '\uffff'],
];

test.each(HIDDEN)('%s becomes visible in a text, in a report and in what is printed', (_what, text) => {
  const shown = visible(`a${text}b`);
  expect(shown).toMatch(/^a\\u\{[0-9a-f]+\}[ -~]*b$/);
  expect([visibleIn({ a: [`a${text}b`] }), visibleLines(`a${text}b`), visible(shown)]).toEqual([
    { a: [shown] },
    shown,
    shown,
  ]);
});

test('a line feed is visible in a text, and begins a line of what is printed', () => {
  expect([visible('a\nb'), visibleLines('a\nb')]).toEqual(['a\\u{a}b', 'a\nb']);
});

test('our own colours are printed, and no other sequence', () => {
  expect(visibleLines('\u001b[31m✘ no\u001b[39m')).toBe('\u001b[31m✘ no\u001b[39m');
  expect(visibleLines('\u001b[8mno\u001b[5m')).toBe('\\u{1b}[8mno\\u{1b}[5m');
});

test.each(['uma', 'Größe', '日本語', 'a 👍 b', 'e\u0301'])('%s stays as it is', (text) => {
  expect([visible(text), visibleLines(text)]).toEqual([text, text]);
});
