import type { Operation } from '../contract/openapi.ts';
import type { RawAnswer } from '../record/observation.ts';

/** In a header, since a body may take no further field. */
export function acceptance({ success: { status, validate } }: Operation, marker: string): RawAnswer {
  // Where the body is free, it names a conversation: whoever is given one goes on with it.
  const text = JSON.stringify(validate ? instanceOf(validate.schema) : { conversationId: 'made-up' });
  return { status, headers: { 'content-type': 'application/json', 'x-found': marker }, text, truncated: false };
}

/** The smallest value that a schema of the contract's kind takes. */
function instanceOf(schema: unknown): unknown {
  const { type, required = [], properties = {} } = Object(schema);
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name: string) => [name, instanceOf(properties[name])]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return true;
    default:
      return '';
  }
}

export function plain(status: number, headers: RawAnswer['headers'] = {}, text = ''): RawAnswer {
  return { status, headers, text, truncated: false };
}
