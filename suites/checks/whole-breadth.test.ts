import { expect, test } from 'vitest';
import { passing } from '../../fixtures/deviants/build.ts';
import { send, succeed } from '../../fixtures/plain/answers.ts';
import { peopleEnv } from '../../fixtures/plain/people.ts';
import {
  bodyField,
  chatPath,
  headerOf,
  type PlainRequest,
  parseJson,
  readToken,
} from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import type { CheckRun } from '../../harness/checks/check.ts';
import { answering, blameOnPlain, saying } from '../testing/one-check.ts';
import { conversations } from './conversations.ts';
import { influences } from './influences.ts';
import { sequences } from './repetition.ts';
import { spellings } from './spellings.ts';

type Parts = Parameters<typeof passing>;
/** The plain target that accepts what it should refuse, for the requests that `where` selects. */
const lifting = (...[check, where]: Parts): PlainOptions => passing(check, where)(() => {});
const named = (request: PlainRequest) => headerOf(request, 'x-service-actas') ?? '';

/** An answer names everybody's document to who accepts a stream of events and looks for it. */
const streaming: PlainOptions = {
  succeed: (request, person) => {
    const answer = succeed(request, person);
    const isAsked = request.path === chatPath && bodyField(request, 'query') === peopleEnv.ACT_AS_PRIVATE_QUERY;
    const isTold = isAsked && request.record?.kind === 'USER' && headerOf(request, 'accept') === 'text/event-stream';
    return isTold ? { ...answer, body: { answer: peopleEnv.ACT_AS_PRIVATE_MARKER } } : answer;
  },
};

/** What was said last in a conversation is shown to its owner, and that of the id that this finds in a request to everybody. */
const conversationsFoundBy = (find: (request: PlainRequest) => unknown): PlainOptions => {
  const begun = new Map<unknown, { readonly owner: string; readonly said: unknown }>();
  return {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      if (request.path !== chatPath) return answer;
      const id = bodyField(request, 'conversationId') ?? Object(answer.body)['conversationId'];
      const { owner, said } = begun.get(id) ?? { owner: person, said: undefined };
      const known = { owner, said };
      if (owner === person) begun.set(id, { owner, said: bodyField(request, 'query') });
      const found = begun.get(find(request)) ?? (known.owner === person ? known : undefined);
      return found ? { ...answer, body: { ...Object(answer.body), history: found.said } } : answer;
    },
  };
};
const idOf = (request: PlainRequest) => String(bodyField(request, 'conversationId'));
/** The ids in a body that has the field twice. */
const twoIds = ({ body }: PlainRequest): readonly (string | undefined)[] => {
  const ids = [...body.matchAll(/"conversationId":"([^"]+)"/g)].map(([, id]) => id);
  return ids.length === 2 ? ids : [];
};
/** The id in another form than that by which it is stored. */
const otherForm = (id: string | undefined, stored: string | undefined) => (id === stored ? undefined : stored);

/** Who continues the conversation of another person gets a copy, under another id. */
const copying = (): PlainOptions => {
  const told = new Map<unknown, { readonly owner: string; readonly said: unknown }>();
  let copies = 0;
  return {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      if (request.path !== chatPath) return answer;
      const body = Object(answer.body);
      const known = told.get(body.conversationId);
      const said = known?.said ?? bodyField(request, 'query');
      const conversationId = known && known.owner !== person ? `copy-${++copies}` : body.conversationId;
      told.set(conversationId, { owner: person, said });
      return { ...answer, body: { ...body, conversationId, ...(known?.owner === person && { history: known.said }) } };
    },
  };
};

/** What was said in a conversation is shown to who began it, and to whom `reads` lets in; `loses` ends it for a refused try. */
const remembering = (reads: (request: PlainRequest) => boolean, loses = false): PlainOptions => {
  const begun = new Map<unknown, { readonly owner: string; readonly said: unknown; isLost?: boolean }>();
  return {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      if (request.path !== chatPath) return answer;
      const id = bodyField(request, 'conversationId') ?? Object(answer.body).conversationId;
      const known = begun.get(id) ?? { owner: person, said: bodyField(request, 'query') };
      begun.set(id, known);
      if (known.owner === person ? known.isLost : !reads(request)) {
        if (loses) known.isLost = true;
        return { status: 404, message: 'No such conversation' };
      }
      return { ...answer, body: { ...Object(answer.body), history: known.said } };
    },
  };
};

/** Only the server's own conversations are somebody's. Those with an id that a client chose are shown to everybody. */
const sharingChosen = (): PlainOptions => {
  const begun = new Set<unknown>();
  const said = new Map<unknown, unknown>();
  return {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      if (request.path !== chatPath) return answer;
      const id = bodyField(request, 'conversationId');
      if (id === undefined) begun.add(Object(answer.body).conversationId);
      if (id === undefined || begun.has(id)) return answer;
      if (!said.has(id)) said.set(id, bodyField(request, 'query'));
      return { ...answer, body: { ...Object(answer.body), history: said.get(id) } };
    },
  };
};

/** Requests that `where` selects get the list of what is found alone, and a check lets them pass. */
const listing = (check: Parts[0], where: (request: PlainRequest) => boolean): PlainOptions => ({
  ...lifting(check, where),
  send: (reply, response, request) => {
    const { results } = Object(parseJson(String(reply.body)));
    const list = { 'Content-Type': 'text/csv' };
    return send(
      where(request) && results ? { ...reply, headers: list, body: JSON.stringify(results) } : reply,
      response,
    );
  },
});

const afterOptions: PlainOptions = {
  ...lifting('token.expired', ({ connection }) => connection.get('last') === 'OPTIONS'),
  send: (reply, response, request) => {
    request.connection.set('last', request.method);
    return send(reply, response);
  },
};

test.each<[what: string, check: CheckRun, requirements: readonly string[], options: PlainOptions]>([
  [
    'tokens in an object of JavaScript',
    spellings,
    ['token.unknown'],
    lifting('token.unknown', ({ token }) => token === 'constructor'),
  ],
  [
    'people in an object of JavaScript',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => named(one) === 'toString'),
  ],
  [
    'names that are cut after 64 characters',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => /^\S+@\S+ {60,}x$/.test(named(one))),
  ],
  [
    'tokens that end at a tilde',
    spellings,
    ['authorization.malformed'],
    { readToken: (request) => readToken(request)?.split('~')[0] },
  ],
  [
    'a proxy that obeys Connection',
    influences,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => /actas/i.test(headerOf(one, 'connection') ?? '')),
  ],
  [
    'bodies of more than 100 kB',
    influences,
    ['token.expired'],
    lifting('token.expired', ({ body }) => body.length > 100_000),
  ],
  ['chats for who accepts a stream of events', influences, ['user.isolation'], streaming],
  ['what OPTIONS leaves behind', sequences, ['token.expired'], afterOptions],
  [
    'former people in capitals',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => named(one) === peopleEnv.FORMER_EMAIL.toUpperCase()),
  ],
  [
    'former people in angle brackets',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => named(one) === `<${peopleEnv.FORMER_EMAIL}>`),
  ],
  [
    'results as a table',
    influences,
    ['token.expired'],
    listing('token.expired', (one) => headerOf(one, 'accept') === 'text/csv'),
  ],
])('the whole breadth shows a fault of %s', async (_what, check, requirements, options) => {
  expect((await blameOnPlain(check, options)).blamed).toEqual(requirements);
});

test.each<[what: string, find: (request: PlainRequest) => unknown]>([
  ['by its id in any case', (one) => otherForm(idOf(one), idOf(one).toLowerCase())],
  ['by its id before a NUL', (one) => otherForm(idOf(one), idOf(one).split('\0')[0])],
  ['by a path with its id', (one) => otherForm(idOf(one), idOf(one).split('/').at(-1))],
  ['by the last id of a list', (one) => idOf(one).split(',')[1]],
  ['by the first of two ids', (one) => twoIds(one)[0]],
  ['by the second of two ids', (one) => twoIds(one)[1]],
  ['by a field of another name', (one) => bodyField(one, 'thread_id')],
  ['by a parameter', ({ query }) => new URLSearchParams(query).get('conversationId')],
  ['by a cookie', (one) => /\bconversationId=([^;]+)/.exec(headerOf(one, 'cookie') ?? '')?.[1]],
  ['by a header', (one) => headerOf(one, 'x-conversation-id')],
  ['to who wants a stream', (one) => bodyField(one, 'stream') === true && idOf(one)],
  ['to who accepts events', (one) => headerOf(one, 'accept') === 'text/event-stream' && idOf(one)],
])('the whole breadth shows a conversation that is found %s', async (_what, find) => {
  const { blamed } = await blameOnPlain(conversations, conversationsFoundBy(find));
  expect(blamed).toEqual(['act-as.effective', 'user.isolation']);
});

test('the whole breadth shows a conversation that is copied for who continues it', async () => {
  expect((await blameOnPlain(conversations, copying())).blamed).toEqual(['act-as.effective', 'user.isolation']);
});

test('the whole breadth shows a conversation whose id its owner chose', async () => {
  expect((await blameOnPlain(conversations, sharingChosen())).blamed).toEqual(['user.isolation']);
});

test('the whole breadth shows a conversation to a token with the one needed scope', async () => {
  const isNarrow = ({ record }: PlainRequest) => record?.scopes.size === 1;
  expect((await blameOnPlain(conversations, remembering(isNarrow))).blamed).toEqual(['user.isolation']);
  expect(
    (
      await blameOnPlain(
        conversations,
        remembering(() => false),
      )
    ).blamed,
  ).toEqual([]);
});

test('the whole breadth shows a conversation that its owner loses when another person is refused', async () => {
  const { blamed, why } = await blameOnPlain(
    conversations,
    remembering(() => false, true),
  );
  expect(blamed).toEqual(['chat.conversation']);
  expect(why).toMatch(/that another person tried to continue: got 404/);
});

test('the whole breadth shows a server error for a conversation that nobody began', async () => {
  const begun = new Set<unknown>([undefined]);
  const failing: PlainOptions = {
    succeed: (request, person) => {
      const answer = succeed(request, person);
      if (request.path !== chatPath) return answer;
      if (!begun.has(bodyField(request, 'conversationId'))) return { status: 500, message: 'Oops' };
      begun.add(Object(answer.body).conversationId);
      return answer;
    },
  };
  expect((await blameOnPlain(conversations, failing)).blamed).toEqual(['chat.success']);
});

test('the whole breadth shows that a conversation takes a scope more than its beginning', async () => {
  const isNarrow = ({ record }: PlainRequest) => record?.scopes.size === 1;
  const strict = answering((one) => isNarrow(one) && bodyField(one, 'conversationId') !== undefined, saying(403));
  expect((await blameOnPlain(conversations, strict)).blamed).toEqual(['scope.sole']);
});
