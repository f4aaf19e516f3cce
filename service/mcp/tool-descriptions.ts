import type { JsonSchemaType } from '@modelcontextprotocol/server';
import type { Operation } from '../terms/operations.ts';

/** A tool as its clients see it. `input` has the fields of the operation's body (spec 2.3, 2.4). */
interface Description {
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchemaType;
  readonly output: JsonSchemaType;
}

const text = (description: string): JsonSchemaType => ({ type: 'string', description });
const object = (properties: Record<string, JsonSchemaType>, required: string[]): JsonSchemaType => ({
  type: 'object',
  properties,
  required,
});

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
    output: object(
      {
        results: {
          type: 'array',
          items: object(
            {
              id,
              title,
              snippet: text('The part of the document that matches.'),
              owner: text('The email of its owner.'),
            },
            ['id', 'title', 'snippet', 'owner'],
          ),
        },
        trackingToken,
        requestId,
      },
      ['results', 'trackingToken', 'requestId'],
    ),
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
    output: object(
      {
        answer: text('The answer.'),
        sources: {
          type: 'array',
          description: 'The documents that the answer quotes.',
          items: object({ id, title }, ['id', 'title']),
        },
        conversationId: text('Continue the conversation with it.'),
        trackingToken,
        requestId,
      },
      ['answer', 'sources', 'conversationId', 'trackingToken', 'requestId'],
    ),
  },
};
