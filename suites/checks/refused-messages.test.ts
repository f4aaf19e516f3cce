import { expect, test } from 'vitest';
import { succeedingAt } from '../../fixtures/deviants/build.ts';
import type { Answer } from '../../fixtures/plain/answers.ts';
import { plainChecks } from '../../fixtures/plain/checks.ts';
import { bodyField, chatPath, type PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { withoutPauses } from '../testing/one-check.ts';
import { refusedMessages } from './refused-messages.ts';

async function blamed(options: PlainOptions, claims = 'user global') {
  const decisions = await withoutPauses(refusedMessages, options, { CONFORMANCE_CLAIMS: claims });
  return decisions
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ requirement, verdict }) => `${verdict} ${requirement}`);
}

/**
 * What was said in a conversation is shown to its owner, and others get 404 for it.
 * @param writes which refused request says its query in the conversation that it names all the same.
 */
function keeping(writes: (request: PlainRequest, refusal: Answer) => boolean): PlainOptions {
  const begun = new Map<unknown, { readonly owner: string; said: readonly unknown[] }>();
  const write = (request: PlainRequest) => {
    const known = begun.get(bodyField(request, 'conversationId'));
    if (known) known.said = [...known.said, bodyField(request, 'query')];
  };
  const noted = (request: PlainRequest, refusal: Answer | undefined) => {
    if (refusal && writes(request, refusal)) write(request);
    return refusal;
  };
  return {
    checks: plainChecks.map(({ id, check }) => ({ id, check: (request) => noted(request, check(request)) })),
    ...succeedingAt(chatPath, (answer, request, person) => {
      const id = bodyField(request, 'conversationId') ?? answer.body.conversationId;
      const known = begun.get(id) ?? { owner: person, said: [] };
      const refusal = { status: 404, message: 'There is no such conversation' };
      if (known.owner !== person) return noted(request, refusal) ?? refusal;
      const history = known.said;
      begun.set(id, known);
      known.said = [...known.said, bodyField(request, 'query')];
      return { ...answer, body: { ...answer.body, history } };
    }),
  };
}

test.each<[string, string, (request: PlainRequest, refusal: Answer) => boolean]>([
  ['another person', 'act-as.effective', (_request, { status }) => status === 404],
  ['who has no token', 'authorization.required', ({ token }, { status }) => status === 401 && token === undefined],
  [
    'who has an expired token',
    'token.expired',
    ({ record }, { status }) => status === 401 && record?.expiresAt !== undefined,
  ],
])('words of %s that are refused do not stand in a conversation', async (_who, requirement, writes) => {
  expect(await blamed(keeping(writes))).toEqual([`fail ${requirement}`]);
});

test('one person suffices to see that a refused message is not said', async () => {
  const expired = keeping(({ record }, { status }) => status === 401 && record?.expiresAt !== undefined);
  expect(await blamed(expired, 'user')).toEqual(['fail token.expired']);
});

test('another token of the same person may say something', async () => {
  expect(
    await blamed(
      keeping(() => false),
      'user oauth google',
    ),
  ).toEqual([]);
});

test('a target that writes nothing that it refuses passes, and one that repeats no word shows nothing', async () => {
  expect(await blamed(keeping(() => false))).toEqual([]);
  expect(await blamed({})).toEqual(['observed act-as.effective']);
  expect(await blamed({ checks: [{ id: 'closed', check: () => ({ status: 403, message: 'Closed' }) }] })).toEqual([]);
});
