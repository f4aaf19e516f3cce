import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { ask, type Message, type Request, type Told } from './message.ts';

/** A list of tools comes in pages (MCP 2025-11-25, "Pagination"). So many are read. */
const MOST_PAGES = 8;

/**
 * The request that calls the tool that searches: the one with the name of the operation, or else one whose name contains
 * that. Undefined if the server lists none, which is its right: the specification names no tool.
 * @param list the request that got the first page.
 */
export async function searchRequest(
  api: CheckApi,
  operation: Operation,
  { list, first }: { readonly list: Message; readonly first: Told },
): Promise<Request | undefined> {
  const wanted = toolIn(operation);
  const names: string[] = [];
  let page = first;
  for (let read = 1; page.kind === 'accepted'; read += 1) {
    names.push(...searchingIn(page.result['tools'], wanted));
    const { nextCursor: cursor } = page.result;
    if (names.includes(wanted) || typeof cursor !== 'string' || read === MOST_PAGES) break;
    page = await ask(api, { ...list, body: withParams(list.body, { cursor }), shows: 'more tools are listed' });
  }
  const name = names.includes(wanted) ? wanted : names[0];
  return name === undefined ? undefined : { operation, body: withParams(operation.example, { name }) };
}

/** The tool that the message of an operation calls. */
export function toolIn({ example }: Operation): string {
  return String(Object(example?.['params']).name);
}

/** A message with other parameters. */
export function withParams(message: unknown, change: Readonly<Record<string, unknown>>) {
  const { params, ...rest } = Object(message);
  return { ...rest, params: { ...params, ...change } };
}

/** The tools that search and need nothing but a query. */
function searchingIn(tools: unknown, wanted: string): string[] {
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return listed.flatMap((tool): string[] => {
    const { name, inputSchema } = Object(tool);
    if (typeof name !== 'string' || !name.toLowerCase().includes(wanted)) return [];
    const { properties, required } = Object(inputSchema);
    const needsMore = Array.isArray(required) && required.some((field) => field !== QUERY);
    const isQuery =
      Object(Object(properties)[QUERY]).type === 'string' || (name === wanted && properties === undefined);
    return isQuery && !needsMore ? [name] : [];
  });
}
const QUERY = 'query';
