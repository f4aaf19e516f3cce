import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { imaginedTarget } from '../../../harness/preview/imagined-target.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import { rehearsalClock } from '../../../harness/preview/rehearsal-clock.ts';
import { isCommandLine } from '../../../harness/record/command-line.ts';
import type { Decision, JournalEntry } from '../../../harness/record/exchange.ts';
import { noJournal } from '../../../harness/record/journal.ts';
import type { Failure, RawAnswer } from '../../../harness/record/observation.ts';
import { startSession } from '../../../harness/run/start-session.ts';
import { readSettings } from '../../../harness/settings/read-settings.ts';
import { casesAt, catalogue } from '../../../harness/testing/contract.ts';
import { mcpAdmission } from './admission.ts';
import { mcpDiscovery } from './discovery.ts';
import { mcpHeaders } from './headers.ts';
import { mcpTools } from './tools.ts';

const all = [mcpAdmission, mcpHeaders, mcpDiscovery, mcpTools];
type Answer = RawAnswer | Failure;
/** Changes the right answer to a message. */
type Change = (answer: RawAnswer, request: WireRequest) => Answer;

/** Runs the checks against an imagined server, below the client API or at MCP_URL. */
async function decide(change: Change = (answer) => answer, changes: Readonly<Record<string, string | undefined>> = {}) {
  const { MCP_URL: _elsewhere, ...variables } = everyVariable(catalogue);
  const claimed = { CONFORMANCE_CLAIMS: 'user global oauth okta mcp', CONFORMANCE_RATE: '1000' };
  const settings = readSettings(catalogue, { environment: { ...variables, ...claimed, ...changes }, dotenv: {} });
  const origins = new Set<string>();
  const entries: JournalEntry[] = [];
  const session = startSession(settings, {
    casesAt,
    checks: all,
    clock: rehearsalClock(),
    journal: { ...noJournal, append: (entry) => void entries.push(entry) },
    transport(input) {
      const right = imaginedTarget(input);
      const changed = async (answering: Promise<Answer>, request: WireRequest) => {
        const answer = await answering;
        const isMessage = request.body?.includes('"jsonrpc"') === true;
        return isMessage && !('kind' in answer) ? change(answer, request) : answer;
      };
      return {
        ...right,
        connect() {
          const { send, close } = right.connect();
          return { send: (request, ...more) => changed(send(request, ...more), request), close };
        },
        visit(origin, request, timeoutMs) {
          origins.add(`${origin}${request.path}`);
          return changed(right.visit(origin, request, timeoutMs), request);
        },
      };
    },
  });
  const decisions: Decision[] = [];
  for (const check of session.checks) decisions.push(...(await session.runCheck(check)));
  await session.close();
  const lines = entries.flatMap((entry) => (entry.type === 'exchange' && entry.step?.curl ? [entry.step.curl] : []));
  return { decisions, origins: [...origins], lines };
}

/** Every verdict but a pass, once. */
const wrong = (decisions: readonly Decision[]) => [
  ...new Set(
    decisions
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ verdict, requirement, kind }) => `${verdict} ${requirement} ${kind}`),
  ),
];
const isStatus = (status: number) => (answer: RawAnswer) => answer.status === status;
const header = ({ headers }: WireRequest, name: string) =>
  headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];

describe('a remote MCP server', () => {
  test('passes everything but the decisions of the reference service', async () => {
    const { decisions } = await decide();
    expect(wrong(decisions)).toEqual([]);
    const decided = new Set(decisions.map(({ requirement }) => requirement));
    expect([...decided].filter((id) => id.startsWith('reference.'))).toEqual([]);
    expect(decided.size).toBeGreaterThanOrEqual(9);
  });

  test('may be at another address than the client API', async () => {
    const { decisions, origins, lines } = await decide(undefined, { MCP_URL: 'http://127.0.0.1:7/elsewhere/mcp' });
    expect(lines.filter((line) => line.includes('"$MCP_URL"')).length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.includes('elsewhere') || !isCommandLine(line))).toEqual([]);
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

  test('may keep sessions', async () => {
    const withSessions: Change = (answer, request) => {
      if (answer.status !== 200) return answer;
      if (request.body?.includes('"initialize"'))
        return { ...answer, headers: { ...answer.headers, 'mcp-session-id': 'a-session' } };
      return header(request, 'Mcp-Session-Id') === 'a-session' ? answer : { ...answer, status: 404 };
    };
    expect(wrong((await decide(withSessions)).decisions)).toEqual([]);
  });

  test('that refuses with an error of JSON-RPC and status 200 gets advice only', async () => {
    const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'no' } });
    const always200: Change = (answer) => (answer.status < 300 ? answer : { ...answer, status: 200, text: error });
    const verdicts = new Set((await decide(always200)).decisions.map(({ verdict }) => verdict));
    expect(verdicts).not.toContain('fail');
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
