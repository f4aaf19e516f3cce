import type { Operation } from '../contract/openapi.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { Settings } from '../settings/settings.ts';

/** A success. The marker is in a header, because the schema of the body may allow no further field. */
export function acceptance({ success: { status, validate } }: Operation, marker: string): RawAnswer {
  // A free body names a conversation, so that a check that continues conversations sends its further requests.
  const text = JSON.stringify(validate ? instanceOf(validate.schema) : { conversationId: 'made-up' });
  return { status, headers: { 'content-type': 'application/json', 'x-found': marker }, text, truncated: false };
}

/** The smallest value that fits a schema. Knows the parts of JSON Schema that the contract uses. */
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

/** The private marker that the request finds: that of its person, if the body contains this person's private query. */
export function markerFound(variables: Settings['variables'], actAs: string | undefined, body = ''): string {
  const value = (name: string) => variables.get(name)?.value;
  const owner = actAs !== undefined && actAs === value('ACT_AS_EMAIL') ? 'ACT_AS' : 'USER';
  const query = value(`${owner}_PRIVATE_QUERY`);
  return query !== undefined && body.includes(query) ? (value(`${owner}_PRIVATE_MARKER`) ?? '') : '';
}

export function plain(status: number, headers: RawAnswer['headers'] = {}, text = ''): RawAnswer {
  return { status, headers, text, truncated: false };
}
