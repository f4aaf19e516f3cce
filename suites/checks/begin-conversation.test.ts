import { expect, test } from 'vitest';
import { succeed } from '../../fixtures/plain/answers.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { runOnPlain, shownOnPlain } from '../testing/one-check.ts';
import { conversations } from './conversations.ts';

/** What it says that the check had nothing to try with, by requirement. */
async function untriedOn(options: PlainOptions) {
  const { decisions } = await runOnPlain(conversations, options);
  return decisions.flatMap(({ requirement, detail, untried }) => (untried ? [`${requirement}: ${detail}`] : []));
}

test('a conversation without an id is not tried, and the run says so', async () => {
  const nameless: PlainOptions = {
    succeed: (request, person) => ({ ...succeed(request, person), body: { messages: [] } }),
  };
  const found = await untriedOn(nameless);
  for (const requirement of ['chat.conversation', 'user.isolation', 'act-as.effective'])
    expect(found).toContain(
      `${requirement}: no answer has the id of its conversation, so no conversation can be continued`,
    );
});

test('the key of a session is tried as an id, and shown nowhere', async () => {
  const key = 'q7Rt2Zk9LmN4pR5sTuV8wX3y';
  const keyed: PlainOptions = {
    succeed: (request, person) => ({ ...succeed(request, person), body: { session: { key } } }),
  };
  const text = JSON.stringify(await shownOnPlain(conversations, keyed));
  expect(text).toContain('conversationId');
  expect(text).not.toContain(key);
});

test('what was said before is not looked for if no answer shows it, and the run says so', async () => {
  expect(new Set(await untriedOn({}))).toEqual(
    new Set(
      ['user.isolation', 'act-as.effective'].map(
        (requirement) =>
          `${requirement}: no answer shows what was said before, not even to the owner of the conversation`,
      ),
    ),
  );
});
