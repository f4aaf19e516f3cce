import type { Check, CheckResult } from '../../../harness/checks/check.ts';
import { inconclusive, observed } from '../shared/decision.ts';
import { type Begun, begin, NO_TOOL, whyUntried } from './begin.ts';
import { takeLeave } from './handshake.ts';
import { isolation, type Tool } from './isolation.ts';
import { messageOf } from './message.ts';
import { ownTools, toolScope } from './own-tools.ts';
import { tokensOf } from './tokens.ts';
import { advise, OWN, wholeServer } from './verdicts.ts';

/** The tools, and what they show to whom. */
export const mcpTools: Check = {
  id: 'mcp-tools',
  title: 'The tools of the remote MCP server do what the operations do, for the person behind the token',
  requirements: ['mcp.isolation', 'reference.mcp-tools', 'reference.mcp-tool-scope', OWN],
  capability: 'mcp',
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds) {
      const { full, onlyMcp } = tokensOf(api, kind);
      const begun = full && (await begin(api, kind, full));
      if (!begun) continue;
      const tool = await toolOf(begun);
      results.push(...(tool ? await isolation(api, tool) : withoutTool(begun)));
      if (api.trusted) results.push(ownTools(begun, tool));
      if (api.trusted && tool && onlyMcp) results.push(await toolScope(api.fork(), tool, onlyMcp));
      await takeLeave(api.fork(), begun.handshake);
    }
    return results;
  },
};

async function toolOf({ handshake, call }: Begun): Promise<Tool | undefined> {
  const acceptance = call?.found.kind === 'right' ? await call.own.acceptance(call.found.got.answer) : undefined;
  return call && acceptance && { handshake, request: call.request, acceptance };
}

/** What is said of the tools if none was called. */
function withoutTool({ handshake: { kind }, list, call }: Begun): CheckResult[] {
  const tool = messageOf(list.own, 'tools/call');
  const noTool = !call && tool ? observed(NO_TOOL(tool)) : undefined;
  const why = whyUntried(call ?? list) ?? 'the server takes calls of tools from everybody';
  return advise(list.own, 'mcp.isolation', wholeServer(kind), noTool ?? inconclusive(why));
}
