import { describe, expect, test } from 'vitest';
import { isCommandLine } from '../../../harness/record/journal.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { type Change, decide, header, refusingWith403, wrong } from '../../testing/remote-mcp.ts';

const isStatus = (status: number) => (answer: RawAnswer) => answer.status === status;

describe('a remote MCP server', () => {
  test('passes everything but the decisions of the reference service', async () => {
    const { decisions } = await decide();
    expect(wrong(decisions)).toEqual([]);
    const decided = new Set(decisions.map(({ requirement }) => requirement));
    expect([...decided].filter((id) => id.startsWith('reference.'))).toEqual([]);
    expect(decided.size).toBeGreaterThanOrEqual(9);
  });

  test('may be at another address than the client API', async () => {
    const elsewhere = { MCP_URL: 'http://127.0.0.1:7/elsewhere/mcp' };
    const { decisions, origins } = await decide(undefined, elsewhere);
    const { lines } = await decide(refusingWith403, elsewhere);
    expect(lines.filter((line) => line.includes('"$MCP_URL"')).length).toBeGreaterThan(10);
    // The address of the metadata is one that the server names.
    const told = lines.filter((line) => !line.includes('/.well-known/'));
    expect(told.filter((line) => line.includes('elsewhere') || !isCommandLine(line))).toEqual([]);
    expect(wrong(decisions)).toEqual([]);
    expect(origins).toContain('http://127.0.0.1:7/elsewhere/mcp');
  });

  test('may answer in a stream of events', async () => {
    const streamed: Change = (answer) =>
      answer.status === 200
        ? {
            ...answer,
            headers: { 'content-type': 'text/event-stream' },
            text: `event: message\ndata: ${answer.text}\n\n`,
          }
        : answer;
    expect(wrong((await decide(streamed)).decisions)).toEqual([]);
  });

  test('that refuses with an error of JSON-RPC and status 200 gets advice only', async () => {
    const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'no' } });
    const always200: Change = (answer) => (answer.status < 300 ? answer : { ...answer, status: 200, text: error });
    const verdicts = new Set((await decide(always200)).decisions.map(({ verdict }) => verdict));
    expect(verdicts).not.toContain('fail');
  });

  test('that refuses tokens so, and answers in a stream of events, is advised', async () => {
    const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'no' } });
    const changed: Change = (answer, request) => {
      if (answer.status === 200)
        return { ...answer, headers: { 'content-type': 'text/event-stream' }, text: `data: ${answer.text}\n\n` };
      const isOfToken = answer.status === 401 && header(request, 'Authorization') !== undefined;
      return isOfToken ? { ...answer, status: 200, text: error } : answer;
    };
    const { decisions } = await decide(changed, { CONFORMANCE_CLAIMS: 'user mcp' });
    expect(decisions.find(({ verdict }) => verdict === 'warn')?.detail).toContain('gets 200, wanted 401');
    expect(decisions.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  });

  test.each([
    [401, 'mcp.token'],
    [403, 'mcp.scope'],
  ])('that accepts what gets %d elsewhere fails %s', async (status, requirement) => {
    let accepted: RawAnswer | undefined;
    const accepting: Change = (answer, request) => {
      if (answer.status === 200) accepted = answer;
      return isStatus(status)(answer) && header(request, 'Authorization') !== undefined ? (accepted ?? answer) : answer;
    };
    expect(wrong((await decide(accepting)).decisions)).toContain(`fail ${requirement} USER`);
  });

  test('that refuses everything is inconclusive', async () => {
    const { decisions } = await decide((answer) => ({ ...answer, status: 403 }));
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  test('that gives no answer is inconclusive', async () => {
    const reset = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' } as const;
    const { decisions } = await decide(() => reset, { CONFORMANCE_CLAIMS: 'user mcp' });
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  test('needs OAuth tokens of its own audience', async () => {
    const { decisions } = await decide(undefined, { OKTA_MCP_TOKEN: undefined });
    const missing = decisions.filter(({ kind }) => kind === 'OKTA');
    expect(missing.map(({ verdict, variable }) => `${verdict} ${variable}`)).toEqual([
      'not-testable OKTA_MCP_TOKEN',
      'not-testable OKTA_MCP_TOKEN',
      'not-testable OKTA_MCP_TOKEN',
    ]);
  });
});
