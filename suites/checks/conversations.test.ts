import { describe, expect, test } from 'vitest';
import { conversations as deviants } from '../../fixtures/deviants/conversations.ts';
import { identify, jsonReply, send, succeed } from '../../fixtures/plain/answers.ts';
import { actAsEmail } from '../../fixtures/plain/people.ts';
import { bodyField, chatPath, isObject, type PlainRequest } from '../../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../../fixtures/plain/target.ts';
import { conversations as variants } from '../../fixtures/variants/conversations.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { checkOf } from '../testing/checks.ts';
import {
  answering,
  runCheck,
  runOnPlain,
  saying,
  tellingOnPlain,
  tokens,
  withoutPauses,
} from '../testing/one-check.ts';
import { ofPlain } from '../testing/plain-deviants.ts';
import { conversations } from './conversations.ts';

/** The decisions in order: what each speaker may do with their own conversation, and then hearing the other. */
async function decide(options: PlainOptions = {}) {
  return inLines((await runOnPlain(conversations, options)).decisions);
}
/** Those on two kinds of token. The others speak as USER tokens do. */
const inLines = (decisions: readonly Decision[]) => linesOf(decisions).filter((line) => /^(?:GLOBAL|USER) /.test(line));
/** Each once: a speaker is kept out in several ways. */
const linesOf = (decisions: readonly Decision[]) => [
  ...new Set(decisions.map(({ kind, requirement, verdict }) => `${kind} ${requirement}: ${verdict}`)),
];
/** The plain target with another answer to the chats that `where` selects. */
const answeringChats = (status: number, where: (request: PlainRequest) => boolean) =>
  answering((request) => request.path === chatPath && where(request), saying(status));
const continues = (request: PlainRequest) => bodyField(request, 'conversationId') !== undefined;
const asks = (request: PlainRequest) => bodyField(request, 'query') !== undefined;
const isGlobal = ({ record }: PlainRequest) => record?.kind === 'GLOBAL';

const OWN = [
  ['GLOBAL', 'act-as.effective'],
  ['USER', 'user.isolation'],
].flatMap(([kind, own]) =>
  ['chat.conversation', 'chat.request', own, 'scope.sole'].map((requirement) => `${kind} ${requirement}: pass`),
);
const heard = (verdict: string, ...between: string[]) => [
  `USER user.isolation: ${verdict}`,
  ...between,
  `GLOBAL act-as.effective: ${verdict}`,
];
const ALONE = 'USER act-as.no-escalation: pass';

/** The plain target that remembers who began each conversation, and refuses others with this status. */
const refusingOthers = (status: number): PlainOptions => {
  const owners = new Map<unknown, string>();
  return {
    succeed: (request, person) => {
      if ((owners.get(bodyField(request, 'conversationId')) ?? person) !== person) return { status, body: {} };
      const answer = succeed(request, person);
      owners.set(isObject(answer.body) ? answer.body.conversationId : '', person);
      return answer;
    },
  };
};

test('a target is only observed if it shows nothing of conversations, not even to their owners', async () => {
  expect(await decide()).toEqual([...OWN, ...heard('observed', ALONE)]);
});

test('a target is blamed if somebody hears another person', async () => {
  const requirements: readonly string[] = checkOf(conversations).requirements;
  for (const { breaks, also = {}, options } of ofPlain(deviants)) {
    if (!requirements.includes(breaks)) continue;
    const found = linesOf((await runOnPlain(conversations, options())).decisions);
    expect(new Set(found.filter((line) => line.endsWith('fail')).map((line) => line.split(/[ :]/)[1]))).toEqual(
      new Set([breaks, ...Object.keys(also)]),
    );
  }
});

test('a third person may find the document of another one in any conversation', async () => {
  const assisting: PlainOptions = {
    identify: (request) => (request.record?.kind === 'OKTA' ? actAsEmail : identify(request)),
  };
  const { decisions } = await runOnPlain(conversations, assisting, { OKTA_EMAIL: 'library@example.test' });
  expect(linesOf(decisions).filter((line) => line.endsWith('fail'))).toEqual([]);
});

test("a target passes if it refuses another person's conversation, and its owner may continue it", async () => {
  expect(await decide(refusingOthers(404))).toEqual([...new Set([...OWN, ...heard('pass', ALONE)])]);
});

test('a target that refuses every conversation is blamed for that, and passes nothing', async () => {
  const found = inLines(await withoutPauses(conversations, answeringChats(404, continues)));
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
    ...OWN.slice(OWN.length / 2),
    ...heard('inconclusive', ALONE),
  ]);
});

test('a chat without an answer is inconclusive', async () => {
  expect(await decide(answeringChats(504, continues))).toEqual(
    [...OWN.filter((line) => line.includes('chat')), ...heard('pass')].map((line) =>
      line.replace('pass', 'inconclusive'),
    ),
  );
});

describe('every kind of token', () => {
  test('has a conversation of its own, and is kept out of another one', async () => {
    const found = linesOf((await runOnPlain(conversations, refusingOthers(404))).decisions);
    for (const kind of ['OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'])
      expect(found.filter((line) => line.startsWith(kind))).toEqual([
        `${kind} chat.conversation: pass`,
        `${kind} chat.request: pass`,
        `${kind} user.isolation: pass`,
      ]);
  });

  test('only one of the kinds that act as nobody chats where chats are few', async () => {
    const { decisions } = await runOnPlain(conversations, {}, { CONFORMANCE_CLAIMS: 'user oauth' });
    expect(new Set(decisions.map(({ kind }) => kind))).toEqual(new Set(['USER', 'none', 'OAUTH']));
    const telling = await tellingOnPlain([conversations], {}, { CONFORMANCE_CLAIMS: 'user oauth' });
    expect(new Set(telling.map(({ kind }) => kind))).toEqual(new Set(['USER']));
  });

  test('is blamed if it hears a conversation at a path with its id, also where chats are few', async () => {
    const said = new Map<unknown, unknown>();
    const options: PlainOptions = {
      succeed: (request, person) => {
        const answer = succeed(request, person);
        const { conversationId } = Object(answer.body);
        said.set(conversationId, said.get(conversationId) ?? bodyField(request, 'query'));
        return answer;
      },
      send: (reply, response, { path, method }) => {
        const query = method === 'GET' ? said.get(path.split('/').at(-1)) : undefined;
        return send(query === undefined ? reply : jsonReply({ status: 200, body: { query } }), response);
      },
    };
    const found = linesOf(await tellingOnPlain([conversations], options, { CONFORMANCE_CLAIMS: 'user global' }));
    expect(found.filter((line) => line.endsWith('fail')).sort()).toEqual([
      'GLOBAL act-as.effective: fail',
      'USER user.isolation: fail',
    ]);
  });

  test('of another family is blamed where chats are few if it hears a conversation', async () => {
    const said = new Map<unknown, unknown>();
    const succeeding: PlainOptions['succeed'] = (request, person) => {
      const answer = succeed(request, person);
      const id = isObject(answer.body) ? answer.body.conversationId : undefined;
      const before = said.get(bodyField(request, 'conversationId'));
      said.set(id, before ?? bodyField(request, 'query'));
      return request.record?.kind === 'GOOGLE' ? { ...answer, body: { ...Object(answer.body), before } } : answer;
    };
    const claims = { CONFORMANCE_CLAIMS: 'user global oauth google' };
    const found = linesOf(await tellingOnPlain([conversations], { succeed: succeeding }, claims));
    expect(found.filter((line) => line.endsWith('fail'))).toEqual(['GOOGLE user.isolation: fail']);
  });
});

describe('nothing is blamed', () => {
  test.each(ofPlain(variants))('$what', async ({ options }) => {
    const found = inLines(await withoutPauses(conversations, options()));
    expect(found.filter((line) => !/: (?:pass|observed)$/.test(line))).toEqual([]);
    expect(found).toContain('USER user.isolation: pass');
  });

  test('if a conversation is stored after its answer, which is observed', async () => {
    const [later] = ofPlain(variants, /^plain\.conversation-stored-later/);
    const found = inLines(await withoutPauses(conversations, later.options()));
    expect(found.filter((line) => line.endsWith('observed'))).toEqual([
      'GLOBAL chat.conversation: observed',
      'USER chat.conversation: observed',
    ]);
  });

  test('if the only conversation that an answer names cannot be continued: it may be another one', async () => {
    const naming = (body: object): PlainOptions => ({
      succeed: (request, person) => {
        if (request.path !== chatPath) return succeed(request, person);
        return continues(request) ? { status: 404, message: 'No' } : { status: 200, body };
      },
    });
    const found = async (body: object) => inLines(await withoutPauses(conversations, naming(body)));
    const named = await found({ branchedFrom: { conversationId: 'template' } });
    expect(named).toContain('USER chat.conversation: inconclusive');
    expect(named.filter((line) => line.endsWith('fail'))).toEqual([]);
    expect(await found({ message: { id: 'a1' } })).toContain('USER chat.conversation: observed');
  });
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
    'USER chat.conversation: observed',
    'USER user.isolation: observed',
    'GLOBAL act-as.effective: observed',
  ]);
});
