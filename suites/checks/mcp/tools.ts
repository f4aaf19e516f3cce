import { type Check, type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { type Decided, fail, inconclusive, pass, warn } from '../shared/decision.ts';
import { linesOf, messageOf, type Place, tell } from './message.ts';
import { tokensOf } from './tokens.ts';
import { advise, challenged, decide, OWN } from './verdicts.ts';

/** The tools, and what they show to whom. */
export const mcpTools: Check = {
  id: 'mcp-tools',
  title: 'The tools of the remote MCP server do what the operations do, for the person behind the token',
  requirements: ['mcp.isolation', 'reference.mcp-tools', 'reference.mcp-tool-scope', OWN],
  capability: 'mcp',
  intrusive: false,
  async run(api) {
    const [list, callTool] = ['tools/list', 'tools/call'].map((method) => messageOf(api, method));
    if (!list || !callTool) return [];
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds) {
      const { full, onlyMcp } = tokensOf(api, kind);
      if (!full) continue;
      const lines = await linesOf(api.fork(), kind, full);
      const shows = 'the tools are listed';
      const own = api.fork();
      const listed = await tell(own, { operation: list, credential: full, headers: lines, shows, wanted: 'accepted' });
      const acceptance = listed.kind === 'accepted' ? await own.acceptance(listed.answer) : undefined;
      if (listed.kind !== 'accepted' || !acceptance) continue;
      const place = { kind, credential: full, lines, operation: callTool, acceptance };
      const problem = toolsProblem(api, listed.result['tools']);
      results.push(
        ...(api.trusted
          ? [
              decide(
                own,
                'reference.mcp-tools',
                kind,
                problem === undefined ? await structured(own, place) : fail(listed.answer, problem),
              ),
            ]
          : []),
      );
      if (api.trusted && onlyMcp) results.push(await toolScope(api.fork(), { ...place, credential: onlyMcp }));
      results.push(...(await isolation(api.fork(), place)));
    }
    return results;
  },
};

/** Each operation of the client API is a tool whose schema asks for the fields of its body. */
function toolsProblem({ contract }: CheckApi, tools: unknown): string | undefined {
  const listed: readonly { name?: unknown; inputSchema?: { required?: unknown }; outputSchema?: unknown }[] =
    Array.isArray(tools) ? tools : [];
  for (const { id, field } of contract.operations) {
    const tool = listed.find(({ name }) => name === id);
    if (!tool) return `there is no tool ${id}`;
    if (field && JSON.stringify(tool.inputSchema?.required) !== JSON.stringify([field.name]))
      return `the tool ${id} does not ask for ${field.name}`;
    if (tool.outputSchema === undefined) return `the tool ${id} does not describe its result`;
  }
  return undefined;
}

async function structured(
  api: CheckApi,
  { operation, credential, lines: headers, acceptance }: Place,
): Promise<Decided> {
  const shows = 'a tool call gives a structured result';
  const told = await tell(api, { operation, credential, headers, shows, wanted: 'accepted' });
  if (told.kind === 'lost') return inconclusive(told.why);
  const content = told.kind === 'accepted' ? told.result['structuredContent'] : undefined;
  return typeof content === 'object' && content !== null
    ? pass(acceptance, shows)
    : fail(told.answer, 'a tool call gives no structured result');
}

/** The scope MCP alone reaches the server and no tool. The challenge names what is missing (RFC 6750 3.1). */
async function toolScope(
  api: CheckApi,
  { kind, operation, credential, lines: headers, acceptance }: Place,
): Promise<CheckResult> {
  const shows = 'a tool call without the scope of its operation gets 403 with both scopes';
  const told = await tell(api, { operation, credential, headers, shows, wanted: 'refused' });
  const scope = challenged(told.answer.headers['www-authenticate'], 'scope')?.split(' ').sort().join(' ');
  const { observation } = told.answer;
  const isRight = observation.kind === 'answer' && observation.status === 403 && scope === wantedScopes(api, operation);
  const decided =
    told.kind === 'lost'
      ? inconclusive(told.why)
      : isRight
        ? pass(acceptance, shows)
        : fail(told.answer, `not so: ${shows}`);
  return decide(api, 'reference.mcp-tool-scope', kind, decided);
}

function wantedScopes({ contract }: CheckApi, { example, scope }: Operation): string {
  const { name } = Object(example?.['params']);
  return [scope, ...contract.operations.filter(({ id }) => id === name).map((one) => one.scope)].sort().join(' ');
}

/** A tool finds what its person may see, and nothing that only another person may see (spec 5.2). */
async function isolation(api: CheckApi, place: Place): Promise<CheckResult[]> {
  const { kind, operation, credential, lines: headers, acceptance } = place;
  const [owner, other] = actsAs(api.contract, kind) ? ['ACT_AS', 'USER'] : ['USER', 'ACT_AS'];
  const search = async (whose: string, shows: string) => {
    const query = api.variable(`${whose}_PRIVATE_QUERY`);
    const { params, ...rest } = Object(operation.example);
    const body = { ...rest, params: { ...params, arguments: { query } } };
    return query === undefined
      ? undefined
      : tell(api, { operation, credential, headers, body, shows, wanted: 'accepted' });
  };
  const mine = await search(owner, 'a tool finds what only its person may see');
  const theirs = await search(other, 'a tool does not find what only another person may see');
  // Without markers nothing is seen. The check isolation reports which variables are missing.
  if (mine?.kind !== 'accepted' || theirs?.kind !== 'accepted' || !showsMarker(mine.answer, owner)) return [];
  const leaks = showsMarker(theirs.answer, other);
  return advise(
    api,
    'mcp.isolation',
    kind,
    leaks
      ? warn(theirs.answer, 'a tool finds what only another person may see')
      : pass(acceptance, 'a tool finds only what its person may see'),
  );
}
