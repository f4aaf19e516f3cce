import { describe, expect, test } from 'vitest';
import type { PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import type { CheckRun } from '../../harness/checks/check.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { repetition } from './repetition.ts';
import { tampering } from './tampering.ts';

/** The verdicts other than pass, and how many there were. That a target reads tokens in any case is observed (outcomes 2). */
async function verdictsOf(check: CheckRun, options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(check, options, {}, 'seeded');
  const found = decisions
    .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')
    .map(({ verdict }) => verdict);
  return { times: found.length, verdicts: [...new Set(found)] };
}
const { USER_TOKEN } = tokens.env;
const isTampered = ({ token, record }: PlainRequest) =>
  token !== undefined && record === undefined && token.length === USER_TOKEN?.length;
const isUser = ({ token }: PlainRequest) => token === USER_TOKEN;
const isUserSearch = (request: PlainRequest) => isUser(request) && request.operation?.scope === 'SEARCH';

describe('a tampered token', () => {
  test('passes if it is refused', async () => {
    expect(await verdictsOf(tampering)).toEqual({ times: 0, verdicts: [] });
  });

  test('is a failure if it gets another refusal twice, and inconclusive if it gets that once', async () => {
    expect(await verdictsOf(tampering, answering(isTampered, saying(500), 1))).toEqual({
      times: 1,
      verdicts: ['inconclusive'],
    });
    expect((await verdictsOf(tampering, answering(isTampered, saying(500)))).verdicts).toEqual(['fail']);
  });

  test('is a failure at once if it is accepted', async () => {
    expect(await verdictsOf(tampering, answering(isTampered, saying(200), 1))).toEqual({
      times: 1,
      verdicts: ['fail'],
    });
  });

  test('is inconclusive if the original is refused, or if no answer comes', async () => {
    expect((await verdictsOf(tampering, answering(isUser, saying(403)))).verdicts).toEqual(['inconclusive']);
    expect((await verdictsOf(tampering, answering(isTampered, saying(504)))).verdicts).toEqual(['inconclusive']);
  });
});

describe('a repeated request', () => {
  /** The first answer is the one that the check compares the others with. */
  const afterTheFirst = (where: (request: PlainRequest) => boolean) => {
    let came = 0;
    return (request: PlainRequest) => where(request) && ++came > 1;
  };

  test('is a failure if it is refused twice, and inconclusive if it is refused once', async () => {
    const once = answering(afterTheFirst(isUserSearch), saying(403), 1);
    expect(await verdictsOf(repetition, once)).toEqual({ times: 1, verdicts: ['inconclusive'] });
    // It is asked alone and beside others. The judge makes one finding of both.
    expect(await verdictsOf(repetition, answering(afterTheFirst(isUserSearch), saying(403)))).toEqual({
      times: 2,
      verdicts: ['fail'],
    });
  });

  test('is inconclusive if it gets no answer any more', async () => {
    const gone = answering(afterTheFirst(isUserSearch), saying(502));
    expect(await verdictsOf(repetition, gone)).toEqual({ times: 2, verdicts: ['inconclusive'] });
  });
});
