import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  type ScopeChallenge,
} from '@modelcontextprotocol/server';
import type { Body, Call } from '../api/steps.ts';
import type { Person } from '../store/people.ts';
import { mcpServer, type Operation, operations } from '../terms/operations.ts';
import { Refusal } from '../terms/refusal.ts';

/** A tool as its clients see it. `input` has the fields of the operation's body (spec 2.3, 2.4). */
interface Description {
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchemaType;
  readonly output: JsonSchemaType;
}

const text = (description: string): JsonSchemaType => ({ type: 'string', description });
/** Every property is required, unless they are named. */
const object = (
  properties: Record<string, JsonSchemaType>,
  required: string[] = Object.keys(properties),
): JsonSchemaType => ({ type: 'object', properties, required });

const trackingToken = text('Names this answer.');
const requestId = text('Names this request. Include it when you report a problem.');
const id = text('Names the document.');
const title = text('The title of the document.');

export const descriptions: Readonly<Record<Operation['id'], Description>> = {
  search: {
    title: 'Search',
    description: 'Finds documents that the person may see, best match first. There may be none.',
    input: object(
      {
        query: text('Words to search for.'),
        pageSize: { type: 'integer', description: 'How many documents to return, from 1 to 50. Default: 10.' },
      },
      ['query'],
    ),
    output: object({
      results: {
        type: 'array',
        items: object({
          id,
          title,
          snippet: text('The part of the document that matches.'),
          owner: text('The email of its owner.'),
        }),
      },
      trackingToken,
      requestId,
    }),
  },
  chat: {
    title: 'Chat',
    description: 'Answers a question with quotes from documents that the person may see.',
    input: object(
      {
        query: text('The question.'),
        conversationId: text('Continues the conversation of an earlier answer. Leave it out to start a new one.'),
      },
      ['query'],
    ),
    output: object({
      answer: text('The answer.'),
      sources: { type: 'array', description: 'The documents that the answer quotes.', items: object({ id, title }) },
      conversationId: text('Continue the conversation with it.'),
      trackingToken,
      requestId,
    }),
  },
};

const instructions =
  'Search and chat over the documents of a company. Answers contain only what the person behind the access token may see.';

/** Compiling the schemas takes longer than a request, so each one is compiled once. */
const tools = operations.map((operation) => {
  const { title, description, input, output } = descriptions[operation.id];
  const config = {
    title,
    description,
    inputSchema: fromJsonSchema<Body>(input),
    outputSchema: fromJsonSchema(output),
    // A conversation is kept, so chat is not read-only.
    annotations: { readOnlyHint: operation.id === 'search', destructiveHint: false, openWorldHint: false },
  };
  return { operation, config };
});

/** The protocol side of one request: a server with the tools `search` and `chat`, which run as this person. */
export function createServer(call: Call, person: Person): McpServer {
  const server = new McpServer({ name: 'client-api', title: 'Client API', version: '1' }, { instructions });
  for (const { operation, config } of tools) {
    const scopeChallenge = () => challenge(call, operation);
    server.registerTool(operation.id, { ...config, scopeChallenge }, (body) =>
      callTool({ ...call, operation }, person, operation, body),
    );
  }
  return server;
}

/** A tool needs the scope of the server and that of its operation. The challenge names both, for a new authorization. */
async function challenge(call: Call, operation: Operation): Promise<ScopeChallenge | undefined> {
  const { credential } = call;
  if (!credential) throw new Error('The tools of a request are registered after its token is verified.');
  try {
    await call.steps.requireScope({ ...call, operation }, credential);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { scopes: [mcpServer.scope, operation.scope], errorDescription: error.detail };
  }
}

/** Does what the operation of the client API does. What it refuses is a result, so that a model can read the reason. */
async function callTool(call: Call, person: Person, { id }: Operation, body: Body): Promise<CallToolResult> {
  const { store, steps, credential, log, requestId } = call;
  const token = credential?.family === 'service' ? credential.token.id : undefined;
  await store.auditTrail.toolCalled(person, id, token);
  try {
    const result = await steps[id](call, person, steps.validateBody(call, body));
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: { ...result } };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('internal', { cause: error });
    if (refusal.status >= 500) log.error({ requestId, tool: id, err: refusal.cause }, 'failed');
    return { content: [{ type: 'text', text: refusal.detail }], isError: true };
  }
}
