import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { type Decided, decisionsOn, fail, inconclusive, pass } from '../shared/decision.ts';
import { MOST_LOST } from '../shared/group-testing.ts';
import { allVariations } from '../shared/known-variations.ts';
import { sendVaried } from '../shared/send-varied.ts';
import { linesOf, searchingIn, toolIn } from './handshake.ts';
import { ACCEPT, ask, type Lines, type Told, toldIn, withParams } from './message.ts';
import type { Place } from './refusals.ts';

/** A call that must be refused, asked otherwise than the documented one. */
interface Door {
  readonly how: string;
  readonly ask: (aim: { readonly shows: string; readonly wanted: 'refused' }) => Promise<Told>;
}

/**
 * A call of a tool carries a token, however the address of the server is written, whichever tool it calls, and in whatever form
 * the message comes (spec 5.1, outcomes 2). Some servers serve other spellings of a path, and what checks tokens knows only one.
 * @param tools what the server lists.
 */
export async function mcpSideDoors(parent: CheckApi, place: Place, tools: unknown): Promise<CheckResult[]> {
  const { handshake, acceptance, request } = place;
  const api = parent.fork();
  const decide = async (): Promise<Decided> => {
    let lost = 0;
    for (const { how, ask: send } of [...otherCalls(api, place, tools), ...elsewhere(api, place)]) {
      const told = await send({ shows: `a call of a tool without a token is refused with ${how}`, wanted: 'refused' });
      if (isToolResult(told)) return fail(told.answer, `a call of a tool without a token is accepted with ${how}`);
      if (told.kind !== 'lost') continue;
      // Many servers never answer another path. Each of the others would take as long.
      lost += 1;
      if (lost === MOST_LOST) return inconclusive(told.why);
    }
    return pass(acceptance, 'a call of a tool without a token is refused, however it is asked');
  };
  const unit = { requirement: 'mcp.token', operation: request.operation.id, kind: handshake.kind };
  return decisionsOn(api, unit, await decide());
}

/** Another path may have JSON of its own. A tool gives content (MCP 2025-11-25, "Tool Result"). */
const isToolResult = (told: Told): boolean => told.kind === 'accepted' && Array.isArray(told.result['content']);

/** The header lines of a call without a token. */
const bareLines = ({ handshake, request }: Place): Lines => linesOf(handshake, request.operation);

/** The same message in other forms, and to the other tools. Revision 2025-03-26 has batches, and an id may be a text (JSON-RPC 2.0, 4 and 6). */
function otherCalls(api: CheckApi, place: Place, tools: unknown): readonly Door[] {
  const { operation, body } = place.request;
  const others = api.contract.operations.flatMap(({ id }) =>
    id === toolIn(operation) ? [] : searchingIn(tools, id).slice(0, 1),
  );
  const calls: readonly (readonly [how: string, body: unknown])[] = [
    ['the message in a batch', [body]],
    ['a text as id', { ...Object(body), id: 'conformance' }],
    ...others.map((name) => [`the tool ${name}`, withParams(body, { name })] as const),
  ];
  return calls.map(([how, form]) => ({
    how,
    ask: (aim) => ask(api, { operation, body: form, credential: undefined, headers: bareLines(place), ...aim }),
  }));
}

/**
 * Other spellings of the path, and other methods. Without the whole breadth, those that real servers have taken for the
 * documented ones. None where the server is on another host than the client API, which gets the raw requests.
 */
function elsewhere(api: CheckApi, place: Place): readonly Door[] {
  const path = pathOf(api, place.request.operation);
  if (path === undefined) return [];
  const operation = { ...place.request.operation, path };
  const ways = allVariations(api, operation, ['path', 'method']).filter(
    ({ kind, value, isTelling }) => (isTelling || api.breadth === 'whole') && !(kind === 'method' && value !== 'body'),
  );
  const base = { credential: undefined, authorization: null, headers: [ACCEPT, ...bareLines(place)] };
  const fields = Object(place.request.body);
  return ways.map((one) => ({
    how: one.how,
    ask: async (aim) => toldIn(await sendVaried(api, operation, { base, variations: [one], fields, ...aim })),
  }));
}

/** The path of the remote MCP server below TARGET_BASE_URL. Undefined if it is not there. */
function pathOf(api: CheckApi, { path }: Operation): string | undefined {
  const [address, base] = [api.variable('MCP_URL'), api.variable('TARGET_BASE_URL')];
  if (address === undefined || base === undefined) return path;
  const prefix = new URL(base).href.replace(/\/+$/, '');
  return address.startsWith(`${prefix}/`)
    ? new URL(address).pathname.slice(new URL(prefix).pathname.replace(/\/+$/, '').length)
    : undefined;
}
