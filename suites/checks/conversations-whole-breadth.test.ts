import { describe, expect, test } from 'vitest';
import { succeedingAt } from '../../fixtures/deviants/build.ts';
import { jsonReply, send, succeed } from '../../fixtures/plain/answers.ts';
import { findDocuments } from '../../fixtures/plain/people.ts';
import {
  bodyField,
  chatPath,
  headerOf,
  type PlainRequest,
  plainOperations,
  searchPath,
} from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, blameOnPlain, saying } from '../testing/one-check.ts';
import { remembering } from '../testing/remembering.ts';
import { conversations } from './conversations.ts';

/** What was said last in a conversation is shown to its owner, and that of the id that this finds in a request to everybody. */
const conversationsFoundBy = (find: (request: PlainRequest) => unknown): PlainOptions => {
  const begun = new Map<unknown, { readonly owner: string; readonly said: unknown }>();
  return succeedingAt(chatPath, (answer, request, person) => {
    const id = bodyField(request, 'conversationId') ?? answer.body.conversationId;
    const { owner, said } = begun.get(id) ?? { owner: person, said: undefined };
    const known = { owner, said };
    if (owner === person) begun.set(id, { owner, said: bodyField(request, 'query') });
    const found = begun.get(find(request)) ?? (known.owner === person ? known : undefined);
    const body = { ...answer.body, messageId: `message-${id}` };
    return { ...answer, body: found ? { ...body, history: found.said } : body };
  });
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
  return succeedingAt(chatPath, (answer, request, person) => {
    const body = Object(answer.body);
    const known = told.get(body.conversationId);
    const said = known?.said ?? bodyField(request, 'query');
    const conversationId = known && known.owner !== person ? `copy-${++copies}` : body.conversationId;
    told.set(conversationId, { owner: person, said });
    return { ...answer, body: { ...body, conversationId, ...(known?.owner === person && { history: known.said }) } };
  });
};

/** Only the server's own conversations are somebody's. Those with an id that a client chose are shown to everybody. */
const sharingChosen = (): PlainOptions => {
  const begun = new Set<unknown>();
  const said = new Map<unknown, unknown>();
  return succeedingAt(chatPath, (answer, request) => {
    const id = bodyField(request, 'conversationId');
    if (id === undefined) begun.add(answer.body.conversationId);
    if (id === undefined || begun.has(id)) return answer;
    if (!said.has(id)) said.set(id, bodyField(request, 'query'));
    return { ...answer, body: { ...answer.body, history: said.get(id) } };
  });
};

describe('the whole breadth', () => {
  test.each<[what: string, find: (request: PlainRequest) => unknown]>([
    ['by its id in any case', (one) => otherForm(idOf(one), idOf(one).toLowerCase())],
    ['by its id before a NUL', (one) => otherForm(idOf(one), idOf(one).split('\0')[0])],
    ['by a path with its id', (one) => otherForm(idOf(one), idOf(one).split('/').at(-1))],
    ['by the last id of a list', (one) => idOf(one).split(',')[1]],
    ['by the first of two ids', (one) => twoIds(one)[0]],
    ['by the second of two ids', (one) => twoIds(one)[1]],
    ['by a field of another name', (one) => bodyField(one, 'thread_id')],
    ['by a field where its own is missing', (one) => !bodyField(one, 'conversationId') && bodyField(one, 'thread_id')],
    ['by the id of a message', (one) => String(bodyField(one, 'parentMessageId')).split('message-')[1]],
    ['by a parameter', ({ query }) => new URLSearchParams(query).get('conversationId')],
    ['by a cookie', (one) => /\bconversationId=([^;]+)/.exec(headerOf(one, 'cookie') ?? '')?.[1]],
    ['by a header', (one) => headerOf(one, 'x-conversation-id')],
    ['to who wants a stream', (one) => bodyField(one, 'stream') === true && idOf(one)],
    ['to who accepts events', (one) => headerOf(one, 'accept') === 'text/event-stream' && idOf(one)],
  ])('shows a conversation that is found %s', async (_what, find) => {
    const { blamed } = await blameOnPlain(conversations, conversationsFoundBy(find));
    expect(blamed).toEqual(['act-as.effective', 'user.isolation']);
  });

  test('shows a conversation that is found by another method', async () => {
    const get = { path: chatPath, method: 'GET', scope: 'CHAT' };
    const asked = ({ method, query }: PlainRequest) =>
      method === 'GET' && new URLSearchParams(query).get('conversationId');
    const options = { ...conversationsFoundBy(asked), operations: [...plainOperations, get] };
    expect((await blameOnPlain(conversations, options)).blamed).toEqual(['act-as.effective', 'user.isolation']);
  });

  test('shows a conversation at a path with its id', async () => {
    const said = new Map<string, string>();
    const keeping: PlainOptions = {
      succeed: (request, person) => {
        const answer = succeed(request, person);
        const id = String(Object(answer.body).conversationId);
        said.set(id, `${said.get(id)}\n${bodyField(request, 'query')}`);
        return answer;
      },
      send: (reply, response, { method, path, record }) => {
        const history = said.get(path.split('/').at(-2) ?? '');
        const isRead = method === 'GET' && path.endsWith('/messages') && history !== undefined && record !== undefined;
        send(isRead ? jsonReply({ status: 200, body: { history } }) : reply, response);
      },
    };
    const { blamed, why } = await blameOnPlain(conversations, keeping);
    expect(blamed).toEqual(['act-as.effective', 'user.isolation']);
    expect(why).toMatch(/with GET and the path .*\/messages/);
  });

  test('shows a conversation to a search with its id', async () => {
    const owners = new Map<unknown, string>();
    const searchingAsOwner: PlainOptions = {
      succeed: (request, person) => {
        const owner = owners.get(bodyField(request, 'conversationId'));
        const answer = succeed(request, request.path === searchPath ? (owner ?? person) : person);
        const { conversationId } = Object(answer.body);
        if (conversationId !== undefined && !owners.has(conversationId)) owners.set(conversationId, person);
        return answer;
      },
    };
    const { blamed, why } = await blameOnPlain(conversations, searchingAsOwner);
    expect(blamed).toEqual(['act-as.effective', 'user.isolation']);
    expect(why).toContain('/search');
  });

  test('shows a conversation that is copied for who continues it', async () => {
    expect((await blameOnPlain(conversations, copying())).blamed).toEqual(['act-as.effective', 'user.isolation']);
  });

  test('shows a conversation whose id its owner chose', async () => {
    expect((await blameOnPlain(conversations, sharingChosen())).blamed).toEqual(['user.isolation']);
  });

  test('shows a conversation to a token with the one needed scope', async () => {
    const isNarrow = ({ record }: PlainRequest) => record?.scopes.size === 1;
    const toNobody = remembering(() => false);
    expect((await blameOnPlain(conversations, remembering(isNarrow))).blamed).toEqual(['user.isolation']);
    expect((await blameOnPlain(conversations, toNobody)).blamed).toEqual([]);
  });

  test('shows a conversation that its owner loses when another person is refused', async () => {
    const ending = remembering(() => false, true);
    const { blamed, why } = await blameOnPlain(conversations, ending);
    expect(blamed).toEqual(['chat.conversation']);
    expect(why).toMatch(/that another person tried to continue: got 404/);
  });

  test('shows a conversation that belongs to whom X-Service-ActAs names', async () => {
    const owners = new Map<unknown, string>();
    const namedOwns: PlainOptions = {
      succeed: (request, person) => {
        const caller = headerOf(request, 'x-service-actas') ?? person;
        if ((owners.get(bodyField(request, 'conversationId')) ?? caller) !== caller) return { status: 404, body: {} };
        const answer = succeed(request, person);
        owners.set(Object(answer.body).conversationId, caller);
        return answer;
      },
    };
    const { blamed, why } = await blameOnPlain(conversations, namedOwns);
    expect(blamed).toEqual(['act-as.no-escalation']);
    expect(why).toContain('without X-Service-ActAs, with which it began: got 404');
    const said = new Map<unknown, number>();
    const endingSoon = answering((request) => {
      const id = bodyField(request, 'conversationId');
      said.set(id, (said.get(id) ?? 0) + 1);
      return id !== undefined && (said.get(id) ?? 0) > 1;
    }, saying(404));
    expect((await blameOnPlain(conversations, endingSoon)).blamed).not.toContain('act-as.no-escalation');
  });

  test('shows that another person says words in a conversation', async () => {
    const begun = new Map<unknown, { readonly owner: string; readonly said: unknown }>();
    const hearingAll = succeedingAt(chatPath, (answer, request, person) => {
      const body = Object(answer.body);
      const { owner, said } = begun.get(body.conversationId) ?? { owner: person, said: 'nothing' };
      begun.set(body.conversationId, { owner, said: bodyField(request, 'query') });
      // Who did not begin it sees only what they ask for.
      return owner === person ? { ...answer, body: { ...body, before: findDocuments(String(said), person) } } : answer;
    });
    const { blamed, why } = await blameOnPlain(conversations, hearingAll);
    expect(blamed).toEqual(['act-as.effective']);
    expect(why).toContain('what another person said in a conversation');
  });

  test('shows a server error for a conversation that nobody began', async () => {
    const begun = new Set<unknown>([undefined]);
    const failing = succeedingAt(chatPath, (answer, request) => {
      if (!begun.has(bodyField(request, 'conversationId'))) return { status: 500, message: 'Oops' };
      begun.add(answer.body.conversationId);
      return answer;
    });
    expect((await blameOnPlain(conversations, failing)).blamed).toEqual(['chat.success']);
  });

  test('shows that a conversation takes a scope more than its beginning', async () => {
    const isNarrow = ({ record }: PlainRequest) => record?.scopes.size === 1;
    const strict = answering((one) => isNarrow(one) && bodyField(one, 'conversationId') !== undefined, saying(403));
    expect((await blameOnPlain(conversations, strict)).blamed).toEqual(['scope.sole']);
  });
});
