import type { CheckApi } from '../../../harness/checks/check.ts';
import { personTexts } from '../../variations/fill.ts';
import { variationsFor } from '../shared/known-variations.ts';
import type { Person } from '../shared/private-documents.ts';
import { otherTools, toolCalledIn } from './handshake.ts';
import { type Lines, type Request, withParams } from './message.ts';

/** The same message, written as some servers take it too. */
export interface Form {
  readonly how: string;
  readonly body: unknown;
  readonly headers: Lines;
}

/**
 * A call of a tool in other forms, and of the other tools. Revision 2025-03-26 has batches, an id may be a text or 0 (JSON-RPC
 * 2.0, 4 and 6), and what checks tokens may look for the name of a method or a tool in one spelling, or into one revision.
 * @param lines those of the plain call.
 * @param tools what the server lists.
 */
export function formsOf(api: CheckApi, request: Request, lines: Lines, tools: unknown): readonly Form[] {
  const { operation, body } = request;
  const message = Object(body);
  const tool = toolCalledIn(request);
  const timeless = lines.filter(([name]) => name !== REVISION);
  const bodies = {
    'the message in a batch': [body],
    'a text as id': { ...message, id: 'conformance' },
    'the id 0': { ...message, id: 0 },
    'the method in another letter case': { ...message, method: otherCaseOf(message.method) },
    'the name of the tool in another letter case': withParams(body, { name: otherCaseOf(tool) }),
    ...Object.fromEntries(
      otherTools(api, operation, tools).map((name) => [`the tool ${name}`, withParams(body, { name })]),
    ),
  };
  return [
    ...Object.entries(bodies).map(([how, form]) => ({ how, body: form, headers: lines })),
    { how: 'Accept: application/json', body, headers: [['Accept', 'application/json'], ...lines] },
    { how: `no ${REVISION}`, body, headers: timeless },
    { how: `${REVISION}: 2025-03-26`, body, headers: [...timeless, [REVISION, '2025-03-26']] },
    {
      how: `${REVISION}: 2026-07-28`,
      body,
      // From this revision on, headers repeat the method and the tool.
      headers: [...timeless, [REVISION, '2026-07-28'], ['Mcp-Method', message.method], ['Mcp-Name', tool]],
    },
  ];
}
const REVISION = 'MCP-Protocol-Version';

const otherCaseOf = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** Fields that name the other person, beside the arguments: a client of MCP may say in `_meta` who its user is. */
export function formsNaming(
  api: CheckApi,
  { operation, body }: Request,
  { email }: Person,
): readonly Pick<Form, 'how' | 'body'>[] {
  const rows = variationsFor(api, operation, ['field'], { texts: personTexts(email), breadth: 'telling' });
  const fields = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  return [
    { how: 'the other person in _meta', body: withParams(body, { _meta: fields }) },
    { how: 'the other person among the params', body: withParams(body, { ...fields, ...Object(body).params }) },
  ];
}
