import { describe, expect, test } from 'vitest';
import type { PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import type { Check } from '../../harness/checks/check.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { repetition } from './repetition.ts';
import { tampering } from './tampering.ts';

/** How often each verdict came, but for those that pass. */
async function verdictsOf(check: Check, options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(check, options);
  const found = decisions.filter(({ verdict }) => verdict !== 'pass').map(({ verdict }) => verdict);
  return { times: found.length, verdicts: [...new Set(found)] };
}
const { USER_TOKEN } = tokens.env;
const isTampered = ({ token, record }: PlainRequest) =>
  token !== undefined && record === undefined && token.length === USER_TOKEN?.length;
const isUser = ({ token }: PlainRequest) => token === USER_TOKEN;

describe('a tampered token', () => {
  test('is refused by the plain target', async () => {
    expect(await verdictsOf(tampering)).toEqual({ times: 0, verdicts: [] });
  });

  test('that gets another refusal is a failure when that comes again', async () => {
    expect(await verdictsOf(tampering, answering(isTampered, saying(500), 1))).toEqual({
      times: 1,
      verdicts: ['inconclusive'],
    });
    expect((await verdictsOf(tampering, answering(isTampered, saying(500)))).verdicts).toEqual(['fail']);
  });

  test('that is accepted is a failure at once', async () => {
    expect(await verdictsOf(tampering, answering(isTampered, saying(200), 1))).toEqual({
      times: 1,
      verdicts: ['fail'],
    });
  });

  test('proves nothing where the original is refused, or nothing answered', async () => {
    expect((await verdictsOf(tampering, answering(isUser, saying(403)))).verdicts).toEqual(['inconclusive']);
    expect((await verdictsOf(tampering, answering(isTampered, saying(504)))).verdicts).toEqual(['inconclusive']);
  });
});

describe('a request that is repeated', () => {
  /** The first of them is what it gets alone. */
  const afterTheFirst = (where: (request: PlainRequest) => boolean) => {
    let came = 0;
    return (request: PlainRequest) => where(request) && ++came > 1;
  };

  test('and refused is a failure when that comes again', async () => {
    const once = answering(afterTheFirst(isUser), saying(403), 1);
    expect(await verdictsOf(repetition, once)).toEqual({ times: 1, verdicts: ['inconclusive'] });
    expect(await verdictsOf(repetition, answering(afterTheFirst(isUser), saying(403)))).toEqual({
      times: 1,
      verdicts: ['fail'],
    });
  });

  test('and not answered any more is undecided', async () => {
    const gone = answering(afterTheFirst(isUser), saying(502));
    expect(await verdictsOf(repetition, gone)).toEqual({ times: 1, verdicts: ['inconclusive'] });
  });
});
