import { describe, expect, test } from 'vitest';
import type { Level } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import { answer, messageText, reset, SEARCH_BODY } from '../testing/small-world.ts';
import { answerKey } from './judge-answer.ts';
import { highestLevel } from './miss.ts';

describe('two answers count as the same', () => {
  test('if they have one status, one message and the same errors in their bodies', () => {
    expect(answerKey(answer(401, 'no'))).toBe(answerKey(answer(401, 'refused')));
    expect(answerKey(answer(401, messageText('invalid-identity')))).toBe(
      answerKey(answer(401, `<p>${messageText('invalid-identity')}</p>`)),
    );
    expect(answerKey(undefined)).toBe(answerKey(undefined));
  });

  test('but not if one of these differs', () => {
    const timeout = { kind: 'failure', failure: 'timeout', detail: 'timeout' } as const;
    const all = [
      answer(401),
      answer(403),
      answer(401, messageText('invalid-identity')),
      answer(401, messageText('act-as-missing')),
      answer(200, SEARCH_BODY),
      answer(200, '{}'),
      reset,
      timeout,
      undefined,
    ];
    expect(new Set(all.map(answerKey)).size).toBe(all.length);
  });
});

test.each<[Level, readonly Level[]]>([
  ['must', ['advisory', 'must', 'should']],
  ['should', ['advisory', 'should', 'advisory']],
  ['advisory', ['advisory', 'advisory']],
])('the level of a miss is the highest of its suspects: %s of %j', (highest, levels) => {
  const suspects = levels.map((level): Suspect => {
    return { rule: 'a', template: 'a', requirement: 'a', level, attribution: { basis: 'stated' } };
  });
  expect(highestLevel(suspects)).toBe(highest);
});
