import { expect, test } from 'vitest';
import { conversations as deviants } from '../../fixtures/deviants/conversations.ts';
import { identify, send, succeed } from '../../fixtures/plain/answers.ts';
import { bodyField, chatPath, isObject, type PlainRequest } from '../../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../../fixtures/plain/target.ts';
import { answering, runCheck, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { conversations } from './conversations.ts';

/** The decisions in order: what each speaker may do with their own conversation, and then hearing the other. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(conversations, options);
  return decisions.map(({ kind, requirement, verdict }) => `${kind} ${requirement}: ${verdict}`);
}
/** The plain target with another answer to the chats that `where` selects. */
const answeringChats = (status: number, where: (request: PlainRequest) => boolean) =>
  answering((request) => request.path === chatPath && where(request), saying(status));
const continues = (request: PlainRequest) => bodyField(request, 'conversationId') !== undefined;
const asks = (request: PlainRequest) => bodyField(request, 'query') !== undefined;
const isGlobal = ({ record }: PlainRequest) => record?.kind === 'GLOBAL';

const OWN = ['GLOBAL', 'USER'].flatMap((kind) =>
  ['chat.conversation', 'chat.request', 'scope.chat'].map((requirement) => `${kind} ${requirement}: pass`),
);
const heard = (verdict: string) =>
  ['USER user.isolation', 'GLOBAL act-as.effective', 'GLOBAL act-as.effective'].map((unit) => `${unit}: ${verdict}`);
const unheard = [...OWN, ...heard('observed')];

/** The plain target that remembers who began each conversation, and refuses others with this status. */
const refusingOthers = (status: number): PlainOptions => {
  const owners = new Map<unknown, string>();
  const speaker = (request: PlainRequest) => `${identify(request)}`;
  return {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      const body = isObject(answer.body) ? answer.body : {};
      const owner = owners.get(body.conversationId) ?? speaker(request);
      owners.set(body.conversationId, owner);
      return owner === speaker(request) ? answer : { status, body: {} };
    },
  };
};

test('a target is only observed if it shows nothing of conversations, not even to their owners', async () => {
  expect(await decide()).toEqual(unheard);
});

test('a target is blamed if somebody hears another person', async () => {
  for (const deviant of deviants) {
    if (deviant.base !== 'plain') continue;
    const found = await decide(deviant.replace(() => {}, tokens.env));
    expect(new Set(found.filter((line) => line.endsWith('fail')).map((line) => line.split(' ')[1]))).toEqual(
      new Set([`${deviant.breaks}:`]),
    );
  }
});

test("a target passes if it refuses another person's conversation, and its owner may continue it", async () => {
  expect(await decide(refusingOthers(404))).toEqual([...OWN, ...heard('pass')]);
});

test('a target that refuses every conversation is blamed for that, and passes nothing', async () => {
  const found = await decide(answeringChats(404, continues));
  expect(found.filter((line) => line.includes('chat.conversation'))).toEqual([
    'GLOBAL chat.conversation: fail',
    'USER chat.conversation: fail',
  ]);
  expect(found.filter((line) => line.endsWith('pass'))).toEqual([]);
});

test("refusing another person's conversation proves nothing if the own chat is refused too", async () => {
  const found = await decide(answeringChats(403, (request) => isGlobal(request) && asks(request)));
  expect(found).toEqual([
    'GLOBAL chat.conversation: inconclusive',
    ...OWN.slice(3),
    'USER user.isolation: inconclusive',
    'GLOBAL act-as.effective: inconclusive',
  ]);
});

test('a chat without an answer is inconclusive', async () => {
  expect(await decide(answeringChats(504, continues))).toEqual(
    [...OWN, ...heard('pass')].map((line) => line.replace('pass', 'inconclusive')),
  );
});

test('a token without the scope gets 403 in a conversation, and not just any refusal', async () => {
  const unscoped = ({ token }: PlainRequest) => token === tokens.env.USER_TOKEN_UNSCOPED;
  expect(await decide(answeringChats(404, unscoped))).toContain('USER scope.chat: fail');
});

test('a claimed kind without a token is not testable, and the variable is named', async () => {
  const target = await startPlainTarget({ tokens });
  const { GLOBAL_TOKEN: _left, ...env } = target.env;
  const { decisions } = await runCheck(conversations, { env: { ...env, CONFORMANCE_CLAIMS: 'user global' } });
  await target.close();
  expect(decisions.filter(({ kind }) => kind === 'GLOBAL')).toMatchObject([
    { requirement: 'act-as.effective', verdict: 'not-testable', variable: 'GLOBAL_TOKEN' },
  ]);
});

test('a target whose answers have no conversationId is observed', async () => {
  const nameless: PlainOptions = {
    send: (reply, response, request) => {
      const isAnswered = request.path === chatPath && reply.status === 200;
      const body: unknown = isAnswered ? JSON.parse(String(reply.body)) : undefined;
      return send(isObject(body) ? { ...reply, body: JSON.stringify({ text: body.text }) } : reply, response);
    },
  };
  expect(await decide(nameless)).toEqual([
    'GLOBAL chat.conversation: observed',
    'GLOBAL scope.chat: pass',
    'USER chat.conversation: observed',
    'USER scope.chat: pass',
    'USER user.isolation: observed',
    'GLOBAL act-as.effective: observed',
  ]);
  // A made-up conversation may be unknown, so that another refusal shows nothing about the scope.
  const unscoped = ({ token }: PlainRequest) => token === tokens.env.USER_TOKEN_UNSCOPED;
  const unknown = answering((request) => request.path === chatPath && unscoped(request), saying(404));
  const both: PlainOptions = {
    send: (reply, response, request) =>
      unscoped(request) && request.path === chatPath
        ? unknown.send?.(reply, response, request)
        : nameless.send?.(reply, response, request),
  };
  expect(await decide(both)).toContain('USER scope.chat: observed');
});
