import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../harness/testing/contract.ts';

/** The tests of harness/, and what stands for the console and the authorization server that only the client API has. */
const LEFT_OUT = /\.test\.ts$|^testing\/|^preview\/imagined-administration\.ts$/;
/** A person and a token kind of the client API have one name: the variables of every contract begin with the person. */
const OF_PEOPLE = ['USER'];

const { matrix, rules, operations, mcp } = contract;
const { authorization: _common, ...headers } = matrix.headers;
const kinds = Object.keys(matrix.kinds).filter((kind) => !['none', 'unknown', ...OF_PEOPLE].includes(kind));
const names = [
  ...kinds,
  ...matrix.scopes,
  ...Object.values(headers).flatMap((header) => header?.name ?? []),
  ...[...operations, ...mcp].flatMap(({ id, path }) => [id, path]),
  ...Object.values(rules.messages).map(({ text }) => text),
];

test('nothing in harness/ knows a kind, a scope, a header, an operation or a message of the client API', () => {
  expect(names.length).toBeGreaterThan(35);
  const files = readdirSync('harness', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(path));
  const literals = files.flatMap((path) => {
    const code = readFileSync(`harness/${path}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const texts = [...code.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, quoted, template]) => quoted ?? template ?? '');
    return texts.map((text) => ({ path, text }));
  });
  const anyOf = (texts: readonly string[]) =>
    texts.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
  // A word such as `search` is also English, so such a name stands alone. The others are found in a longer text too.
  const isEnglish = (name: string) => /^[a-z]+$/i.test(name) && !kinds.includes(name);
  const alone = new RegExp(`^(?:${anyOf(names)})$`);
  const within = new RegExp(`\\b(?:${anyOf(names.filter((name) => !isEnglish(name) && !name.startsWith('/')))})\\b`);
  const named = literals.filter(({ text }) => alone.test(text) || within.test(text));
  expect(named.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
});
