import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globOf } from './glob.ts';

const ID = 'search/USER/valid/all/act-as:absent/auth-type:absent/header-case:documented';

test.each<[string, string, boolean]>([
  ['search/**', ID, true],
  ['search/**', 'search', true],
  ['**/auth-type:absent/**', ID, true],
  ['**', ID, true],
  ['*', ID, false],
  ['*', 'isolation', true],
  ['search/USER/*/all/**', ID, true],
  ['search/USER/*/**/header-case:*', ID, true],
  ['search/{USER,GLOBAL}/{valid,expired}/**', ID, true],
  ['search/{GLOBAL,{OKTA,AZURE}}/**', ID, false],
  ['{search,chat}/**/act-as:{blank,absent}/**', ID, true],
  ['**/*-case:d*d', ID, true],
  ['**/*-case:d*x', ID, false],
  ['**/*sent/**/a*-t?pe:*', 'x/absent/auth-type:a', true],
  ['search/USER', ID, false],
  ['search/USER/**/absent', ID, false],
  ['plain.expired-*', 'plain.expired-search', true],
  ['', ID, false],
])('the glob %s on %s: %s', (glob, id, matches) => {
  expect(globOf(glob)(id)).toBe(matches);
});

test('a glob matches what a regular expression of the same meaning matches', () => {
  const part = fc.array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
  const glob = fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 4 });
  const id = fc.array(fc.stringMatching(/^[ab]{1,5}$/), { minLength: 1, maxLength: 4 });
  const inPart = (text: string) => text.replaceAll('*', '[^/]*').replaceAll('?', '[^/]');
  fc.assert(
    fc.property(glob, id, (parts, names) => {
      const source = parts.map((one) => (one === '**' ? '(/[^/]*)*' : `/${inPart(one)}`)).join('');
      expect(globOf(parts.join('/'))(names.join('/'))).toBe(new RegExp(`^${source}$`).test(`/${names.join('/')}`));
    }),
    { seed: 20261122, numRuns: 2_000 },
  );
});

/** A regular expression for one of these takes longer than anybody waits. A journal or baseline may have them. */
test.each([
  '(([a-z]|[A-Z]|[/:-])+)+0',
  '{{[a-z]+,[A-Z]+}+,x}+0',
  `**/${'*?'.repeat(200)}0`,
  `${'**/'.repeat(100)}x`,
  `${'*a'.repeat(200)}0`,
  `${'**/*a*/'.repeat(50)}0`,
  '{'.repeat(500),
  '+('.repeat(200),
])('the glob %s ends', (glob) => {
  const matches = globOf(glob);
  for (let time = 0; time < 1_000; time += 1) expect(matches(ID)).toBe(false);
});

test('a glob that stands for too many is refused, and the error says what to do', () => {
  expect(() => globOf('{a,b}'.repeat(100))).toThrow(/more than 100 alternatives in braces; write several globs/);
  expect(() => globOf(`{${'a,'.repeat(1_000_000)}a}`)).toThrow(/more than 100 alternatives/);
});
