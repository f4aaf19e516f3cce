import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contract } from '../testing/contract.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { specsFolder } from './package-files.ts';
import { readVariations, type VariationRow } from './variations.ts';

const { rows, sources } = contract.variations;

test('there are at least 600 names from public catalogues, without those that this project made up', () => {
  const own = new Set(sources.flatMap(({ id, type }) => (type === 'class' ? [id] : [])));
  const names = rows.filter(({ source }) => !own.has(source)).map(({ kind, name }) => `${kind} ${name.toLowerCase()}`);
  expect(new Set(names).size).toBeGreaterThan(600);
});

test('no row calls more values telling than it has', () => {
  const most = ({ values }: (typeof rows)[number]) => Math.max(1, values.length);
  expect(rows.filter((one) => one.telling > most(one))).toEqual([]);
});

test('what a row breaks is a requirement', () => {
  const known = contract.requirements.map(({ id }) => id);
  expect(rows.filter(({ breaks }) => breaks !== undefined && !known.includes(breaks))).toEqual([]);
});

test('no row breaks the exchange of messages itself', () => {
  const framing = /^(content-length|transfer-encoding|trailer|keep-alive)$/i;
  expect(rows.filter(({ kind, name }) => kind === 'header' && framing.test(name))).toEqual([]);
});

test('every header name and value can be sent', () => {
  const headers = rows.filter(({ kind }) => kind === 'header');
  // What stands in braces is the name of a documented header, or its beginning.
  const isSent = ({ name }: VariationRow) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name.replace(/\{(?:[a-z-]+-name|family)\}/, 'X'));
  expect(headers.filter((row) => !isSent(row))).toEqual([]);
  const values = headers.flatMap((row) => (row.as ? [] : row.values.map(String)));
  expect(values.filter((value) => /[^\t\x20-\x7e\x80-\xff]|^\s|\s$/.test(value))).toEqual([]);
});

test('every parameter is written as it stands in an address, so that a blank is %20', () => {
  const parameters = rows.filter((one) => one.kind === 'parameter' || one.in === 'parameter');
  const texts = parameters.flatMap(({ name, values }) => [name, ...values.map(String)]);
  expect(texts.filter((text) => /[^!-~]/.test(text))).toEqual([]);
});

/** What is wrong with the rows after a change of one file. */
function problemsWith(file: string, change: (text: string) => string): string {
  const folder = temporaryFolder();
  cpSync(join(specsFolder, 'variations'), join(folder, 'variations'), { recursive: true });
  const path = join(folder, 'variations', file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  try {
    readVariations(folder);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(join(folder, 'variations'), '') : '';
  }
}

const row = (text: string) => (before: string) => `${before}      - ${text}\n`;

test('a row is one line, and to add one is that line and nothing else', () => {
  expect(problemsWith('methods.yaml', row('{ name: DANCE }'))).toBe('');
});

test.each<[string, string, (text: string) => string, RegExp]>([
  [
    'an unknown key',
    'methods.yaml',
    row('{ name: DANCE, vlaues: [body] }'),
    /line \d+: .*unknown key "vlaues"; did you mean values\?/,
  ],
  [
    'an unknown source',
    'methods.yaml',
    row('{ name: DANCE, source: rfc-911 }'),
    /methods\.yaml: DANCE has the unknown source "rfc-911"; did you mean rfc-9110\?/,
  ],
  [
    'an unknown placeholder',
    'methods.yaml',
    row('{ name: DANCE, values: ["{persn}"] }'),
    /DANCE has the unknown placeholder \{persn\}; did you mean person\?/,
  ],
  [
    'a placeholder of another kind',
    'methods.yaml',
    row('{ name: DANCE, values: ["{folder}"] }'),
    /DANCE has the unknown placeholder \{folder\}/,
  ],
  ['a name that is there already', 'methods.yaml', row('{ name: PURGE }'), /two rows for method PURGE/],
  ['a header in another case', 'headers-http.yaml', row('{ name: EXPECT, values: [a] }'), /two rows for header expect/],
  [
    'a source that nothing is from',
    'sources.yaml',
    (text) => `${text}  - { id: nobody, title: Nobody, url: "https://nobody.invalid/" }\n`,
    /sources\.yaml: no row is from nobody/,
  ],
  [
    'a source without an address',
    'sources.yaml',
    (text) => `${text}  - { id: nobody, title: Nobody }\n`,
    /lacks "url"/,
  ],
  [
    'a row without a value',
    'headers-http.yaml',
    row('{ name: X-Nothing }'),
    /headers-http\.yaml: X-Nothing has no values/,
  ],
  ['a value that is no list', 'methods.yaml', row('{ name: DANCE, values: body }'), /"body", wanted a list/],
])('%s is refused', (_what, file, change, problem) => {
  expect(problemsWith(file, change)).toMatch(problem);
});
