import { describe, expect, test } from 'vitest';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { type Change, decide, messageIn, wrong } from '../../testing/remote-mcp.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user global mcp' };
const query = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
type Tool = Readonly<Record<string, unknown>>;
interface Page {
  readonly tools: unknown;
  readonly nextCursor?: string;
}

/** A server that lists these tools, and refuses calls of any other tool than the one with this name. */
function listing(pageAt: (cursor: unknown) => Page, callable?: string): Change {
  const withResult = (answer: RawAnswer, result: unknown) => ({
    ...answer,
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, result }),
  });
  return (answer, request) => {
    const { method, params } = messageIn(request) ?? {};
    const { cursor, name } = Object(params);
    if (answer.status !== 200) return answer;
    if (method === 'tools/list') return withResult(answer, pageAt(cursor));
    const unknown = { content: [{ type: 'text', text: `Unknown tool: ${name}` }], isError: true };
    return method === 'tools/call' && name !== callable ? withResult(answer, unknown) : answer;
  };
}
const tools = (listed: readonly Tool[], callable?: string) => listing(() => ({ tools: listed }), callable);

/** The tools that were called. */
async function calledOn(change: Change) {
  const found = await decide(change, claimed);
  const called = found.requests.flatMap((request) => {
    const { method, params } = messageIn(request) ?? {};
    return method === 'tools/call' ? [Object(params).name] : [];
  });
  return { ...found, called: [...new Set(called)] };
}

describe('the tool that searches', () => {
  test.each<[string, readonly Tool[], string]>([
    [
      'the one of the name search',
      [
        { name: 'people_search', inputSchema: query },
        { name: 'search', inputSchema: query },
      ],
      'search',
    ],
    [
      'one whose name has search in it',
      [
        { name: 'chat', inputSchema: query },
        { name: 'Company_Search', inputSchema: query },
      ],
      'Company_Search',
    ],
    [
      'search, if the server does not say what it takes',
      [{ name: 'search', inputSchema: { type: 'object' } }],
      'search',
    ],
    [
      'one that needs nothing but a query',
      [
        { name: 'search', inputSchema: { ...query, required: ['query', 'datasource'] } },
        { name: 'web_search', inputSchema: query },
      ],
      'web_search',
    ],
  ])('is %s', async (_what, listed, name) => {
    const { decisions, called } = await calledOn(tools(listed, name));
    expect(called).toContain(name);
    // The name is also written in another letter case, and with a blank.
    expect(called.filter((one) => one !== 'chat' && one.toLowerCase().trim() !== name.toLowerCase())).toEqual([]);
    expect(wrong(decisions)).toEqual([]);
  });

  test('is looked for on further pages', async () => {
    const pages = listing(
      (cursor) =>
        cursor === 'second'
          ? { tools: [{ name: 'company_search', inputSchema: query }] }
          : { tools: [{ name: 'chat', inputSchema: query }], nextCursor: 'second' },
      'company_search',
    );
    const { decisions, called } = await calledOn(pages);
    expect([called, wrong(decisions)]).toEqual([['company_search', 'COMPANY_SEARCH', 'company_search ', 'chat'], []]);
  });

  test('is not looked for without an end', async () => {
    const endless = listing((cursor) => ({ tools: [], nextCursor: `${cursor}.` }));
    const { requests, called } = await calledOn(endless);
    const cursors = requests.filter((request) => request.body?.includes('"cursor"'));
    expect(called).toEqual([]);
    // Three checks read the list with two kinds of token.
    expect(cursors.length).toBe(3 * 2 * 7);
  });

  test.each<[string, unknown]>([
    ['lists no tool', []],
    ['lists other tools only', [{ name: 'chat', inputSchema: query }]],
    ['lists one that takes no query', [{ name: 'search', inputSchema: { type: 'object', properties: { q: {} } } }]],
    ['lists one that needs more', [{ name: 'search', inputSchema: { ...query, required: ['query', 'datasource'] } }]],
    ['lists something else', 'search'],
    ['lists nothing that is a tool', [null, 'search', { name: 5 }]],
  ])('is not called if the server %s, and that is said and blamed on nobody', async (_what, listed) => {
    const { decisions, requirements, called } = await calledOn(listing(() => ({ tools: listed })));
    expect(called).toEqual([]);
    expect(wrong(decisions)).toEqual(
      ['mcp.accepted USER', 'mcp.accepted GLOBAL', 'mcp.isolation USER', 'mcp.isolation GLOBAL'].map(
        (what) => `observed ${what}`,
      ),
    );
    expect(decisions.find(({ verdict }) => verdict === 'observed')?.detail).toBe(
      'the server lists no tool that can be called with a query alone and has search in its name',
    );
    const verdicts = ['mcp.token', 'mcp.scope', 'mcp.isolation'].map(
      (id) => requirements.find(({ requirement }) => requirement.id === id)?.verdict,
    );
    expect(verdicts).toEqual(['pass', 'pass', 'observed']);
  });

  test('leaves open what a tool shows that does not do its work', async () => {
    const { decisions } = await calledOn(tools([{ name: 'search', inputSchema: query }], 'nothing'));
    expect(wrong(decisions).filter((line) => /^(fail|warn)/.test(line))).toEqual([]);
    const found = decisions.find(
      ({ requirement, verdict }) => requirement === 'mcp.token' && verdict === 'inconclusive',
    );
    expect(found?.detail).toContain('(200 "Unknown tool: search")');
  });
});
