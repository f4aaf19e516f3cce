import { expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import { plain } from '../../../harness/preview/read-request.ts';
import { catalogue } from '../../../harness/testing/contract.ts';
import { type Change, decide, header, messageIn } from '../../testing/remote-mcp.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user global mcp' };
const { ACT_AS_PRIVATE_MARKER = '', ACT_AS_EMAIL = '', USER_TOKEN } = everyVariable(catalogue);

const isOfUser = (request: WireRequest) => header(request, 'Authorization') === `Bearer ${USER_TOKEN}`;
const told = (text: string) => ({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } });
const answerOf = (message: object) => plain(200, { 'content-type': 'application/json' }, JSON.stringify(message));
const leak = answerOf(told(ACT_AS_PRIVATE_MARKER));

const problemsOf = async (change: Change) => {
  const { decisions } = await decide(change, claimed);
  const found = decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return found.map(({ requirement, detail }) => `${requirement}: ${detail}`);
};

test.each<[string, (request: WireRequest) => boolean, string]>([
  ['in a batch', ({ body = '' }) => body.startsWith('['), 'the message in a batch'],
  [
    'for _meta',
    ({ body = '' }) => body.includes(`"_meta":{`) && body.includes(ACT_AS_EMAIL),
    'the other person in _meta',
  ],
])('a tool that finds the document of another person %s breaks mcp.isolation', async (_what, leaks, how) => {
  const found = await problemsOf((right, request) => (isOfUser(request) && leaks(request) ? leak : right));
  expect(found).toEqual([`mcp.isolation: with the USER token and ${how}, $ACT_AS_PRIVATE_MARKER was returned`]);
});

/** Lists one more tool, and answers its calls. */
const serving =
  (name: string, properties: object, answer: (given: Fields, request: WireRequest) => object): Change =>
  (right, request) => {
    const { method, params } = messageIn(request) ?? {};
    if (right.status !== 200) return right;
    const tool = JSON.stringify({ name, inputSchema: { properties } });
    if (method === 'tools/list') return { ...right, text: right.text.replace('"tools":[', `$&${tool},`) };
    const isCalled = method === 'tools/call' && Object(params).name === name;
    return isCalled ? answerOf(told(JSON.stringify(answer(Object(params).arguments, request)))) : right;
  };
type Fields = Readonly<Record<string, unknown>>;
const talk = { query: { type: 'string' }, conversation_id: {} };

test('a tool that shows a conversation of another person breaks mcp.isolation', async () => {
  const showing = serving('talk', talk, ({ conversation_id }, request) =>
    isOfUser(request) ? { shown: conversation_id && ACT_AS_PRIVATE_MARKER } : { conversation_id: 'talk-1' },
  );
  expect(new Set(await problemsOf(showing))).toEqual(
    new Set(['mcp.isolation: with a token of USER, a tool shows what only the person may see who asked before']),
  );
});

test('a tool that finds what another person asked for in a conversation breaks mcp.isolation', async () => {
  const { USER_PRIVATE_QUERY, USER_PRIVATE_MARKER } = everyVariable(catalogue);
  let last: unknown;
  const leading = serving('talk', talk, ({ conversation_id, query }, request) => {
    const isLed = conversation_id !== undefined && last === USER_PRIVATE_QUERY && isOfUser(request);
    if (conversation_id !== undefined) last = query;
    return { conversation_id: 'talk-1', shown: isLed && USER_PRIVATE_MARKER };
  });
  expect(new Set(await problemsOf(leading))).toEqual(
    new Set(["mcp.isolation: a tool that continued another person's conversation looked for what was said in it"]),
  );
});

test('a tool that names a conversation and takes no query, as one that deletes it may, is not called', async () => {
  const { requests } = await decide(
    serving('forget', { conversationId: { type: 'string' } }, () => ({})),
    claimed,
  );
  expect(requests.filter(({ body = '' }) => body.includes('"forget"'))).toEqual([]);
});

test('a list of tools that shows the document of another person breaks mcp.isolation', async () => {
  const found = await problemsOf((right, request) =>
    isOfUser(request) && messageIn(request)?.method === 'tools/list' && right.status === 200
      ? { ...right, text: right.text.replace('"result":{', `"result":{"seen":"${ACT_AS_PRIVATE_MARKER}",`) }
      : right,
  );
  expect(new Set(found)).toEqual(new Set(['mcp.isolation: mcp-tools-list shows what only another person may see']));
});

test.each<[string, (request: WireRequest) => boolean, string]>([
  [
    'nobody',
    (request) => header(request, 'Authorization') === undefined,
    'mcp.token: the stream of a call is resumed without a token',
  ],
  ['another person', isOfUser, 'mcp.isolation: the stream of a call is resumed with a token of USER'],
])('a stream that %s resumes is blamed', async (_who, isTheirs, problem) => {
  const found = await problemsOf((right, request) => {
    if (request.method === 'GET')
      return header(request, 'Last-Event-ID') === 'event-7' && isTheirs(request) ? leak : plain(405);
    const isStream = right.status === 200 && messageIn(request)?.method === 'tools/call';
    const headers = { 'content-type': 'text/event-stream' };
    return isStream ? { ...right, headers, text: `id: event-7\ndata: ${right.text}\n\n` } : right;
  });
  expect(found).toEqual([problem]);
});
