import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import { plain } from '../../../harness/preview/read-request.ts';
import { catalogue } from '../../../harness/testing/contract.ts';
import { type Change, decide, header, messageIn, wrong } from '../../testing/remote-mcp.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user mcp' };
const { USER_TOKEN_EXPIRED, USER_TOKEN_SEARCH } = everyVariable(catalogue);
const given = (result: object) =>
  plain(200, { 'content-type': 'application/json' }, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));

/** Answers requests without a token that `isOpen` selects with a result. */
const opening =
  (isOpen: (request: WireRequest) => boolean, result: object = { content: [] }): Change =>
  (right, request) =>
    header(request, 'Authorization') === undefined && isOpen(request) ? given(result) : right;

const revisionOf = (request: WireRequest) => header(request, 'MCP-Protocol-Version');
const isMessage = (request: WireRequest) => messageIn(request) !== undefined;
/** As this check writes one: the evidence of a run has no revision either. */
const isCall = (request: WireRequest) =>
  messageIn(request)?.method === 'tools/call' && header(request, 'Accept')?.includes('event-stream') === true;

describe('a call of a tool without a token', () => {
  test.each<[string, string, (request: WireRequest) => boolean]>([
    ['in a batch', 'the message in a batch', ({ body = '' }) => body.startsWith('[')],
    ['with a text as id', 'a text as id', ({ body = '' }) => /^\{.*"id":"/s.test(body)],
    ['with 0 as id', 'the id 0', ({ body = '' }) => body.includes('"id":0,')],
    ['in capitals', 'the method in another letter case', ({ body = '' }) => body.includes('TOOLS/CALL')],
    [
      'of a tool in capitals',
      'the name of the tool in another letter case',
      ({ body = '' }) => body.includes('"SEARCH"'),
    ],
    ['in no revision', 'no MCP-Protocol-Version', (request) => isCall(request) && revisionOf(request) === undefined],
    ['in an older revision', 'MCP-Protocol-Version: 2025-03-26', (request) => revisionOf(request) === '2025-03-26'],
    [
      'that takes JSON alone',
      'Accept: application/json',
      (request) => header(request, 'Accept') === 'application/json',
    ],
    [
      'that takes a stream alone',
      'Accept: text/event-stream',
      (request) => isMessage(request) && header(request, 'Accept') === 'text/event-stream',
    ],
    ['of the other tool', 'the tool chat', ({ body = '' }) => body.includes('"name":"chat"')],
    [
      'with a blank behind its name',
      'a blank behind the name of the tool',
      ({ body = '' }) => body.includes('search "'),
    ],
    ['with a blank behind the method', 'a blank behind the method', ({ body = '' }) => body.includes('call "')],
    ['with a progress token', 'a progress token', ({ body = '' }) => body.includes('"progressToken"')],
    [
      'behind another method',
      'the method ping before its own',
      ({ body = '' }) => body.startsWith('{"method":"ping","jsonrpc"'),
    ],
    ['before another method', 'the method ping behind its own', ({ body = '' }) => body.endsWith(',"method":"ping"}')],
    [
      'with a method in capitals',
      'the method ping under its name with a capital',
      ({ body = '' }) => body.includes('"Method"'),
    ],
    ['in lines of its own', 'extra whitespace in the body', ({ body = '' }) => body.includes('\n  "jsonrpc"')],
  ])('%s breaks mcp.token', async (_what, how, isOpen) => {
    const { decisions } = await decide(opening(isOpen), claimed);
    expect(wrong(decisions)).toEqual(['fail mcp.token USER']);
    expect(decisions.find(({ verdict }) => verdict === 'fail')?.detail).toContain(`is accepted with ${how}`);
  });

  test('of another method breaks mcp.token where nobody begins without one', async () => {
    const isPing = (request: WireRequest) => messageIn(request)?.method === 'ping';
    const { decisions } = await decide(opening(isPing, {}), claimed);
    expect(wrong(decisions)).toEqual(['fail mcp.token USER']);
    const begins = (request: WireRequest) => isPing(request) || messageIn(request)?.method === 'initialize';
    const open = await decide(opening(begins, { protocolVersion: '2025-11-25' }), claimed);
    expect(wrong(open.decisions)).toEqual(['observed mcp.accepted USER', 'observed mcp.token USER']);
  });

  test('is refused by a server that reads no doubled name and knows no other method', async () => {
    const strict: Change = (right, request) => {
      if (request.body?.match(/"method"/gi)?.length === 2) return plain(400);
      return ['ping', 'resources/list'].includes(messageIn(request)?.method ?? '') ? plain(405) : right;
    };
    expect(wrong((await decide(strict, claimed)).decisions)).toEqual([]);
  });

  test('with the cookies of an answer breaks mcp.token', async () => {
    const opens = opening((request) => header(request, 'Cookie') === 'sid=a-session-of-somebody', { content: [] });
    const { decisions, journal } = await decide((right, request) => {
      const given = opens(right, request);
      return 'kind' in given
        ? given
        : { ...given, headers: { ...given.headers, 'set-cookie': 'sid=a-session-of-somebody; Path=/' } };
    }, claimed);
    expect(wrong(decisions)).toEqual(['fail mcp.token USER']);
    expect(journal).not.toContain('a-session-of-somebody');
  });

  test('is not accepted by a result that no tool gives', async () => {
    const { decisions } = await decide(
      opening(({ body = '' }) => body.startsWith('['), { status: 'ok' }),
      claimed,
    );
    expect(wrong(decisions)).toEqual([]);
  });
});

describe('in a batch', () => {
  test('a call behind a ping is refused without a token', async () => {
    const { decisions } = await decide((right, request) => {
      const isSecond = header(request, 'Authorization') === undefined && /^\[.*\},\{/s.test(request.body ?? '');
      return isSecond ? given({ content: [] }) : right;
    }, claimed);
    expect(wrong(decisions)).toEqual(['fail mcp.token USER']);
  });

  test.each([
    ['an expired token', USER_TOKEN_EXPIRED, 'mcp.token'],
    ['a token without MCP', USER_TOKEN_SEARCH, 'mcp.scope'],
  ])('%s is refused', async (_what, token, requirement) => {
    const { decisions } = await decide((right, request) => {
      const isWith = header(request, 'Authorization') === `Bearer ${token}`;
      return isWith && request.body?.startsWith('[') ? given({ content: [] }) : right;
    }, claimed);
    expect(wrong(decisions)).toEqual([`fail ${requirement} USER`]);
  });
});
