import { describe, expect, test } from 'vitest';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { type Change, decide, header, messageIn, wrong } from '../../testing/remote-mcp.ts';

const error = (message: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_602, message } });
const claimed = { CONFORMANCE_CLAIMS: 'user global mcp' };

/** Changes the right answers to the messages of one method. */
const onMethod =
  (method: string, change: (answer: RawAnswer) => ReturnType<Change>): Change =>
  (answer, request) =>
    messageIn(request)?.method === method ? change(answer) : answer;

describe('a remote MCP server', () => {
  test('is told that the client is ready, in the revision that the server answers with, before its first request', async () => {
    const older = onMethod('initialize', (answer) => ({
      ...answer,
      text: answer.text.replace('"result":{', '"result":{"protocolVersion":"2025-06-18",'),
    }));
    const { decisions, requests } = await decide(older, claimed);
    expect(wrong(decisions)).toEqual([]);
    const said = requests.map((request) => [messageIn(request)?.method, header(request, 'MCP-Protocol-Version')]);
    expect(said.slice(0, 4)).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', '2025-06-18'],
      ['tools/list', '2025-06-18'],
      ['tools/call', '2025-06-18'],
    ]);
    const later = said.flatMap(([method, revision]) => (method === 'initialize' ? [] : [revision]));
    // The others are variations and forms of calls of tools.
    const forms = ['2024-11-05', '2025-03-26', '2026-07-28', undefined];
    expect(new Set(later)).toEqual(new Set(['2025-06-18', ...forms]));
  });

  test('that names no revision gets the one that was asked for', async () => {
    const { requests } = await decide(undefined, claimed);
    const list = requests.find((request) => messageIn(request)?.method === 'tools/list');
    expect(list && header(list, 'MCP-Protocol-Version')).toBe('2025-11-25');
  });

  test.each([400, 404, 405, 501])('may refuse with %d that the client says that it is ready', async (status) => {
    const refusing = onMethod('notifications/initialized', (answer) => ({ ...answer, status }));
    expect(wrong((await decide(refusing, claimed)).decisions)).toEqual([]);
  });

  test('may not answer when the client says that it is ready', async () => {
    const silent = { kind: 'failure', failure: 'timeout', detail: 'no answer within 3 s' } as const;
    const ignoring = onMethod('notifications/initialized', () => silent);
    const { decisions, requests } = await decide(ignoring, claimed);
    expect(wrong(decisions)).toEqual([]);
    const told = requests.filter((request) => messageIn(request)?.method === 'notifications/initialized');
    const begun = requests.filter((request) => messageIn(request)?.method === 'tools/list');
    expect(told.length).toBeLessThan(begun.length);
  });

  test('that keeps no sessions gets no message about them', async () => {
    const { requests, journal } = await decide(undefined, claimed);
    const named = requests.flatMap((request) => header(request, 'Mcp-Session-Id') ?? []);
    // A variation of calls of tools.
    expect(new Set(named)).toEqual(new Set(['00000000-0000-4000-8000-000000000000']));
    expect(journal).not.toContain('MCP session');
  });
});

describe('a remote MCP server that accepts no request after it began', () => {
  const unready =
    (change: (answer: RawAnswer) => RawAnswer): Change =>
    (answer, request) =>
      answer.status === 200 && messageIn(request)?.method.startsWith('tools/') ? change(answer) : answer;

  test.each<[string, (answer: RawAnswer) => RawAnswer, string]>([
    ['an error', (answer) => ({ ...answer, text: error('Not initialized') }), '200 "Not initialized"'],
    ['400', (answer) => ({ ...answer, status: 400, text: error('No valid session') }), '400 "No valid session"'],
    ['404 without a body', (answer) => ({ ...answer, status: 404, text: '' }), '404'],
  ])('and answers with %s is undecided, with the reason', async (_what, change, reason) => {
    const { decisions, requirements } = await decide(unready(change), claimed);
    expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
    for (const id of ['mcp.token', 'mcp.scope', 'mcp.accepted', 'mcp.isolation']) {
      const found = requirements.find(({ requirement }) => requirement.id === id);
      expect([id, found?.verdict]).toEqual([id, 'inconclusive']);
      const lacks = JSON.stringify(found?.undecided.map(({ lack }) => lack));
      expect(lacks).toContain(JSON.stringify(`not accepted with a token with every scope (${reason})`).slice(1, -1));
    }
    const units = requirements.flatMap(({ requirement, undecided }) =>
      requirement.id === 'mcp.token' ? undecided.map(({ unit }) => unit) : [],
    );
    expect(units.sort()).toEqual([
      'mcp-tools-call/GLOBAL',
      'mcp-tools-call/USER',
      'mcp-tools-list/GLOBAL',
      'mcp-tools-list/USER',
    ]);
  });

  test.each([401, 403])('and refuses the token with %d gets a warning, and the rest is undecided', async (status) => {
    const { decisions, requirements } = await decide(
      unready((answer) => ({ ...answer, status })),
      claimed,
    );
    expect(wrong(decisions)).toContain('warn mcp.accepted USER');
    const found = requirements.find(({ requirement }) => requirement.id === 'mcp.token');
    expect(found?.verdict).toBe('inconclusive');
  });
});

describe('a remote MCP server that wants no token', () => {
  /** Answers without a token as with one. */
  const open = (...methods: readonly string[]): Change => {
    const accepted = new Map<string, RawAnswer>();
    return (answer, request) => {
      const { method = '' } = messageIn(request) ?? {};
      if (answer.status === 200) accepted.set(method, answer);
      const isBare = header(request, 'Authorization') === undefined;
      return isBare && methods.includes(method) ? (accepted.get(method) ?? answer) : answer;
    };
  };

  test('to begin and to list tools is blamed for nothing', async () => {
    const { decisions, requirements } = await decide(open('initialize', 'tools/list'), claimed);
    expect(wrong(decisions).filter((line) => !line.startsWith('observed'))).toEqual([]);
    const verdicts = ['mcp.token', 'mcp.scope', 'mcp.accepted'].map(
      (id) => requirements.find(({ requirement }) => requirement.id === id)?.verdict,
    );
    expect(verdicts).toEqual(['pass', 'pass', 'pass']);
  });

  test.each([
    ['for a tool', ['initialize', 'tools/list', 'tools/call']],
    ['after it began', ['tools/list']],
  ])('%s fails mcp.token', async (_what, methods) => {
    const { decisions } = await decide(open(...methods), claimed);
    expect(wrong(decisions)).toContain('fail mcp.token USER');
  });
});
