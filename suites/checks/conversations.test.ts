import { expect, test } from 'vitest';
import { conversations as deviants } from '../../fixtures/deviants/conversations.ts';
import { send } from '../../fixtures/plain/answers.ts';
import { bodyField, chatPath, isObject, type PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { conversations } from './conversations.ts';

/** What is decided of chats, in order: of who hears whom, of chats without a query, and of those without the scope. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(conversations, options);
  return decisions.map(({ kind, requirement, verdict }) => `${kind} ${requirement}: ${verdict}`);
}
/** Other answers to chats, where this is so. */
const answeringChats = (status: number, where: (request: PlainRequest) => boolean) =>
  answering((request) => request.path === chatPath && where(request), saying(status));
const continues = (request: PlainRequest) => bodyField(request, 'conversationId') !== undefined;
const asks = (request: PlainRequest) => bodyField(request, 'query') !== undefined;
const isGlobal = ({ record }: PlainRequest) => record?.kind === 'GLOBAL';

const unheard = [
  'USER user.isolation: pass',
  'GLOBAL chat.request: pass',
  'GLOBAL scope.chat: pass',
  'GLOBAL act-as.effective: pass',
  'USER chat.request: pass',
  'USER scope.chat: pass',
  'GLOBAL act-as.effective: pass',
];

test('nobody hears another person on the plain target, which takes no chat without a query', async () => {
  expect(await decide()).toEqual(unheard);
});

test('who hears another person is blamed', async () => {
  for (const deviant of deviants) {
    if (deviant.base !== 'plain') continue;
    const found = await decide(deviant.replace(() => {}, tokens.env));
    expect(new Set(found.filter((line) => line.endsWith('fail')).map((line) => line.split(' ')[1]))).toEqual(
      new Set([`${deviant.breaks}:`]),
    );
    expect(found.length).toBe(unheard.length);
  }
});

test("another person's conversation may be refused, by whoever accepts that person's own", async () => {
  expect(await decide(answeringChats(404, (request) => continues(request) && asks(request)))).toEqual(unheard);
});

test('whose own chat is refused as well shows nothing by refusing that of another', async () => {
  const found = await decide(answeringChats(403, (request) => isGlobal(request) && asks(request)));
  expect(found).toEqual([
    'USER user.isolation: inconclusive',
    'GLOBAL act-as.effective: inconclusive',
    ...unheard.slice(4, 6),
  ]);
});

test('what is not answered is undecided, the chat without a query too', async () => {
  expect(await decide(answeringChats(504, continues))).toEqual(
    unheard.map((line) => line.replace('pass', 'inconclusive')),
  );
  expect(await decide(answeringChats(502, isGlobal))).toEqual([
    'USER user.isolation: inconclusive',
    'GLOBAL act-as.effective: inconclusive',
    ...unheard.slice(4, 6),
  ]);
});

test('where no answer names a conversation that is recorded', async () => {
  const nameless: PlainOptions = {
    send: (reply, response, request) => {
      const isAnswered = request.path === chatPath && reply.status === 200;
      const body: unknown = isAnswered ? JSON.parse(String(reply.body)) : undefined;
      return send(isObject(body) ? { ...reply, body: JSON.stringify({ text: body.text }) } : reply, response);
    },
  };
  expect(await decide(nameless)).toEqual([
    'USER user.isolation: observed',
    'GLOBAL scope.chat: pass',
    'GLOBAL act-as.effective: observed',
    'USER scope.chat: pass',
  ]);
});
