import { describe, expect, test } from 'vitest';
import { type Confirmed, confirmed, type Look } from './ask-again.ts';

describe('what an answer counts for', () => {
  test.for<readonly [came: readonly Look[], kind: Confirmed<Look>['kind'], asked: number, what: string]>([
    [['right'], 'right', 1, 'a right one as it is'],
    [['lost'], 'lost', 1, 'none as none'],
    [['wrong at once'], 'wrong', 1, 'a wrong acceptance at once'],
    [['wrong', 'wrong'], 'wrong', 2, 'a wrong one when it comes again'],
    [['wrong', 'wrong at once'], 'wrong', 2, 'a wrong one when an acceptance follows that is wrong as well'],
    [['wrong', 'right'], 'fleeting', 2, 'a wrong one nothing when it went'],
    [['wrong', 'lost'], 'fleeting', 2, 'a wrong one nothing when it could not be confirmed'],
  ])('%s: %s', async ([came, kind, most]) => {
    let asked = 0;
    const ask = async () => came[asked++] ?? 'right';
    expect((await confirmed(ask, (look) => look)).kind).toBe(kind);
    expect(asked).toBe(most);
  });
});
