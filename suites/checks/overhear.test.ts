import { expect, test } from 'vitest';
import { succeedingAt } from '../../fixtures/deviants/build.ts';
import { bodyField, chatPath, type PlainRequest } from '../../fixtures/plain/request.ts';
import { tellingOnPlain, withoutPauses } from '../testing/one-check.ts';
import { remembering } from '../testing/remembering.ts';
import { conversations } from './conversations.ts';

test.each<[string, string[], (request: PlainRequest) => boolean]>([
  ['that is shown as a stream', ['act-as.effective', 'user.isolation'], (one) => bodyField(one, 'stream') === true],
  ['that stays with its owner', [], () => false],
])('on another machine, a conversation %s: %j', async (_what, blamed, isOpen) => {
  const found = (await tellingOnPlain([conversations], remembering(isOpen))).filter(
    ({ verdict }) => verdict === 'fail',
  );
  expect(found.map(({ requirement }) => requirement).sort()).toEqual(blamed);
});

test.each<[string, (request: PlainRequest) => boolean]>([
  ['in which somebody spoke last', () => true],
  ['that began last', (request) => bodyField(request, 'conversationId') === undefined],
])('an id that stands for any conversation does not open the one %s', async (_what, isKept) => {
  let last: unknown;
  const options = succeedingAt(chatPath, (answer, request) => {
    const isAny = /' *OR/.test(String(bodyField(request, 'conversationId')));
    const history = isAny ? last : undefined;
    if (isKept(request)) last = bodyField(request, 'query');
    return { ...answer, body: { ...answer.body, history } };
  });
  const failed = (await withoutPauses(conversations, options)).filter(({ verdict }) => verdict === 'fail');
  expect([...new Set(failed.map(({ influence }) => influence))]).toEqual(['field conversationId']);
});
