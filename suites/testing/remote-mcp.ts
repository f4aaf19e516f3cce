import type { Check } from '../../harness/checks/check.ts';
import { parsedJson } from '../../harness/contract/json-value.ts';
import type { WireRequest } from '../../harness/plan/request.ts';
import { imaginedTarget } from '../../harness/preview/imagined-target.ts';
import { everyVariable } from '../../harness/preview/made-up-values.ts';
import { plain, readRaw } from '../../harness/preview/read-request.ts';
import { rehearsalClock } from '../../harness/preview/rehearsal-clock.ts';
import type { Decision, JournalEntry } from '../../harness/record/exchange.ts';
import { noJournal } from '../../harness/record/journal.ts';
import type { Failure, RawAnswer } from '../../harness/record/observation.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { readSettings } from '../../harness/settings/read-settings.ts';
import { casesAt, catalogue } from '../../harness/testing/contract.ts';
import { mcpAdmission } from '../checks/mcp/admission.ts';
import { mcpDiscovery, mcpHeaders } from '../checks/mcp/refusals.ts';
import { mcpTools } from '../checks/mcp/tools.ts';
import { checkOf } from './checks.ts';

const all: readonly Check[] = [mcpAdmission, mcpHeaders, mcpDiscovery, mcpTools].map(checkOf);
type Answer = RawAnswer | Failure;
/** Changes the right answer to a request to the remote MCP server. */
export type Change = (answer: RawAnswer, request: WireRequest) => Answer;

/** A target that is wrong with many requests, so that their command lines are shown. */
export const refusingWith403 = (answer: RawAnswer): RawAnswer =>
  answer.status === 401 ? { ...answer, status: 403 } : answer;

/** Runs the checks against an imagined server, below the client API or at MCP_URL. */
export async function decide(
  change: Change = (answer) => answer,
  changes: Readonly<Record<string, string | undefined>> = {},
) {
  // All tokens are of the person whose document is known.
  const { MCP_URL: _elsewhere, OAUTH_EMAIL: _one, OKTA_EMAIL: _two, ...variables } = everyVariable(catalogue);
  const claimed = { CONFORMANCE_CLAIMS: 'user global oauth okta mcp', CONFORMANCE_RATE: '1000' };
  const settings = readSettings(catalogue, { environment: { ...variables, ...claimed, ...changes }, dotenv: {} });
  const origins = new Set<string>();
  const entries: JournalEntry[] = [];
  const requests: WireRequest[] = [];
  const session = startSession(settings, {
    casesAt,
    checks: all,
    clock: rehearsalClock(),
    journal: { ...noJournal, append: (entry) => void entries.push(entry) },
    transport(input) {
      const right = imaginedTarget(input);
      const changed = async (answering: Promise<Answer>, request: WireRequest) => {
        const answer = await answering;
        const isOfSession = header(request, 'Mcp-Session-Id') ?? header(request, 'Last-Event-ID');
        if (messageIn(request) === undefined && isOfSession === undefined) return answer;
        requests.push(request);
        return 'kind' in answer ? answer : change(answer, request);
      };
      return {
        ...right,
        connect(connections, origin) {
          const { send, close } = right.connect(connections, origin);
          return {
            send(request, ...more) {
              if (origin !== undefined) origins.add(`${origin}${request.path}`);
              return changed(send(request, ...more), request);
            },
            close,
          };
        },
        async raw(text, ...more) {
          let sent: WireRequest | undefined;
          const noted = (request: WireRequest) => {
            sent = request;
            return plain(404);
          };
          readRaw(text, '', noted);
          const answer = right.raw(text, ...more);
          return sent ? changed(answer, sent) : answer;
        },
        visit(origin, request, timeoutMs) {
          origins.add(`${origin}${request.path}`);
          return right.visit(origin, request, timeoutMs);
        },
      };
    },
  });
  const decisions: Decision[] = [];
  for (const check of session.checks) decisions.push(...(await session.runCheck(check)));
  const { requirements } = session.judge();
  await session.close();
  const lines = decisions.flatMap(({ commands = {} }) => Object.values(commands));
  return { decisions, requirements, origins: [...origins], lines, journal: JSON.stringify(entries), requests };
}

/** Every verdict but a pass, once. */
export const wrong = (decisions: readonly Decision[]) => [
  ...new Set(
    decisions
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ verdict, requirement, kind }) => `${verdict} ${requirement} ${kind}`),
  ),
];

export const header = ({ headers }: Pick<WireRequest, 'headers'>, name: string) =>
  headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];

/** The message in a request. Undefined if it has none. */
export function messageIn({
  body = '',
}: WireRequest): { readonly method: string; readonly params: unknown } | undefined {
  return body.includes('"jsonrpc"') ? Object(parsedJson(body)) : undefined;
}
