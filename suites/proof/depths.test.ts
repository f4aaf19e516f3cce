import { expect, test } from 'vitest';
import { withDepth } from './depths.ts';
import type { Proof } from './prove.ts';

const deviant = (id: string, caughtBy: Proof['caughtBy'], cases = 440, depth: Proof['depth'] = 'core'): Proof => ({
  depth,
  id,
  what: 'breaks something',
  family: 'deviant',
  breaks: 'token.expired',
  blamed: [],
  causes: 1,
  cases,
  caughtBy,
  checks: [],
  problems: [],
});

test('a row says how many deviants the depth catches, how many only by checks, and which it misses', () => {
  const proofs = [deviant('one', 'matrix'), deviant('two', 'checks'), deviant('three', undefined)];
  expect(withDepth('', 'core', proofs).split('\n')[1]?.split(/ {2,}/)).toEqual(['core', '440', '3', '2', '1', 'three']);
});

test('the rows of other depths are kept, in the order of the depths', () => {
  const full = withDepth('', 'full', [deviant('one', 'matrix', 21_104, 'full')]);
  const both = withDepth(full, 'core', [deviant('one', 'matrix')]);
  expect(both.split('\n').map((line) => line.split(' ')[0])).toEqual(['depth', 'core', 'full']);
  expect(both).toContain('21104');
  expect(withDepth(both, 'core', [deviant('one', 'matrix')])).toBe(both);
});
