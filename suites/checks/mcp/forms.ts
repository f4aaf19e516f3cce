import type { CheckApi } from '../../../harness/checks/check.ts';
import { JSON_TYPE } from '../../../harness/contract/openapi.ts';
import { personTexts } from '../../variations/fill.ts';
import { unlisted, type Variation } from '../../variations/variation.ts';
import { variationsFor } from '../shared/known-variations.ts';
import type { Person } from '../shared/private-documents.ts';
import { otherTools, toolCalledIn } from './handshake.ts';
import { PING, type Request, withParams } from './message.ts';

const form: typeof unlisted = (how, changes) => unlisted(how, { isAlone: true, ...changes });
const field = (how: string, name: string, value: unknown): Variation => form(how, { kind: 'field', name, value });
const header = (name: string, value: string | null, more: Partial<Variation> = {}): Variation =>
  form(value === null ? `no ${name}` : `${name}: ${value}`, { kind: 'header', name, value, ...more });
const params = (how: string, { body }: Pick<Request, 'body'>, change: Readonly<Record<string, unknown>>): Variation =>
  field(how, 'params', Object(withParams(body, change)).params);

/**
 * A call of a tool in other forms, and of the other tools. Revision 2025-03-26 has batches, an id may be a text or 0 (JSON-RPC
 * 2.0, 4 and 6), and what checks tokens may look for the name of a method or a tool in one spelling, or into one revision. Of two
 * methods, what checks tokens may read one and the server the other (RFC 8259 4).
 * @param tools what the server lists.
 */
export function formsOf(api: CheckApi, request: Request, tools: unknown): readonly Variation[] {
  const { operation, body } = request;
  const { method } = Object(body);
  const tool = toolCalledIn(request);
  return [
    form('the message in a batch', { kind: 'content-type', name: JSON_TYPE, value: [] }),
    form('the message in a batch, behind a ping', { kind: 'content-type', name: JSON_TYPE, value: [PING] }),
    field('a text as id', 'id', 'conformance'),
    field('the id 0', 'id', 0),
    field('the method in another letter case', 'method', otherCaseOf(method)),
    field('a blank behind the method', 'method', `${method} `),
    params('the name of the tool in another letter case', request, { name: otherCaseOf(tool) }),
    params('a blank behind the name of the tool', request, { name: `${tool} ` }),
    ...otherTools(api, operation, tools).map((name) => params(`the tool ${name}`, request, { name })),
    params('a progress token', request, { _meta: { progressToken: 'conformance' } }),
    field('the method ping under its name with a capital', 'Method', 'ping'),
    ...(['before', 'behind'] as const).map((place) =>
      form(`the method ping ${place} its own`, { kind: 'field', name: 'method', value: 'ping', place, isRaw: true }),
    ),
    header('Accept', 'application/json'),
    header('Accept', 'text/event-stream'),
    header(REVISION, null),
    header(REVISION, '2025-03-26'),
    // From this revision on, headers repeat the method and the tool.
    header(REVISION, '2026-07-28', {
      lines: [
        ['Mcp-Method', method],
        ['Mcp-Name', tool],
      ],
    }),
  ];
}
const REVISION = 'MCP-Protocol-Version';

const otherCaseOf = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** Fields that name the other person, beside the arguments: a client of MCP may say in `_meta` who its user is. */
export function formsNaming(api: CheckApi, request: Request, { email }: Person): readonly Variation[] {
  const rows = variationsFor(api, request.operation, ['field'], { texts: personTexts(email), breadth: 'telling' });
  const fields = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  return [
    params('the other person in _meta', request, { _meta: fields }),
    params('the other person among the params', request, { ...fields, ...Object(request.body).params }),
  ];
}

/** The other requests of a client (MCP 2025-11-25 and 2026-07-28). */
const METHODS = [
  ...['ping', 'server/discover', 'completion/complete', 'logging/setLevel', 'tasks/list'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'prompts/list', 'prompts/get'],
];
export const otherMethods = METHODS.map((method) => field(`the method ${method}`, 'method', method));

/** A call with what those requests need. A server ignores the params that a method does not know. */
export const withEveryParam = ({ operation, body }: Request): Request => ({
  operation,
  body: withParams(body, {
    ...{ uri: 'conformance://nothing', level: 'info' },
    ...{ ref: { type: 'ref/prompt', name: toolCalledIn({ body }) }, argument: { name: 'query', value: '' } },
  }),
});
