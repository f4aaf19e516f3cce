import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { operationOf } from '../contract/contract.ts';
import { contract, messageText } from '../testing/small-world.ts';
import { readBody } from './body-lines.ts';
import { errorDescriptions, findMessages, misfitOf, nearMiss, showsSuccess } from './documented-messages.ts';

const { messages } = contract.rules;
const identity = messageText('invalid-identity');
const find = (text: string) => findMessages(readBody(text).lines, messages);

describe('a documented message is found', () => {
  test.each([
    ['as the whole text', identity],
    ['on a line of text that ends in LF', `${identity}\nNot allowed`],
    ['on a line of text that ends in CRLF', `Refused\r\n${identity}\r\nNot allowed`],
    ['with whitespace around it', `  \t${identity} \n`],
    ['as a JSON string, whatever the content type says', JSON.stringify(identity)],
    ['as a value of a JSON object', JSON.stringify({ message: identity })],
    ['ten levels deep in JSON', Array.from({ length: 10 }).reduce<string>((json) => `{"a":${json}}`, `"${identity}"`)],
    ['in an array in an object in an array', JSON.stringify([1, null, { errors: [true, { text: identity }] }])],
    ['on one line of a JSON string', JSON.stringify({ detail: `Refused\r\n${identity}` })],
    [
      'in escaped JSON',
      `{"m":"${[...identity].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
    ],
    [
      'in problem details',
      JSON.stringify({ type: 'about:blank', title: 'Unauthorized', status: 401, detail: identity }),
    ],
    ['after a byte order mark', `\uFEFF{"error":"${identity}"}`],
    ['in a text node of HTML', `<!doctype html><html><body><h1>401</h1><p>${identity}</p></body></html>`],
    ['in a text node of HTML between line breaks', `<p>401<br>\n  ${identity}  <br>Bye</p>`],
    ['in HTML with entities', `<p>${identity.replace(' ', '&#32;')}</p>`],
    ['in a CDATA section of XML', `<?xml version="1.0"?><e><m><![CDATA[${identity}]]></m></e>`],
    ['partly in a CDATA section of XML', `<e><m>${identity.replace(' ', ' <![CDATA[')}]]></m></e>`],
    ['after a script', `<html><script>let a = 1 < 2;</script><p>${identity}</p></html>`],
    ['in an attribute of XML', `<error code="401" message="${identity}"/>`],
    ['in an attribute of HTML with entities', `<p title='${identity.replace(' ', '&#32;')}'>Refused</p>`],
    ['in a line of NDJSON', `{"status":401}\n${JSON.stringify({ message: identity })}\n`],
    ['in a JSON string in NDJSON with CRLF and an empty line', `[1]\r\n\r\n${JSON.stringify(identity)}`],
    ["in JSON after the line )]}',", `)]}',\n${JSON.stringify({ message: identity })}`],
    ['in the data of an event', `event: error\ndata: ${identity}\n\n`],
    ['in the JSON data of an event after a comment', `: hello\nid: 7\ndata:${JSON.stringify({ m: identity })}\n\n`],
    ['in JSON over two data lines of an event', `data: {"m":\rdata: ${JSON.stringify(identity)}}\r\r`],
    ['in the second event', `data: {"n":1}\n\ndata: ${identity}\n\n`],
    ['in an element of XML', `<?xml version="1.0"?><error><code>401</code><message>${identity}</message></error>`],
  ])('%s', (_where, text) => {
    expect(find(text)).toEqual({ whole: ['invalid-identity'], embedded: [] });
  });

  test('beside another message', () => {
    const body = JSON.stringify([messageText('invalid-secret'), identity]);
    expect(find(body).whole.sort()).toEqual(['invalid-identity', 'invalid-secret']);
  });
});

describe('a documented message is only embedded', () => {
  test.each([
    ['in a longer line of text', `Error: ${identity}`],
    ['with a full stop after it', `${identity}.`],
    ['in a longer JSON string', JSON.stringify({ error: `401 ${identity} (ACT_AS)` })],
    ['in a longer text node', `<p>Sorry: ${identity}</p>`],
    ['in a longer attribute', `<error message="${identity}, see the manual"/>`],
    ['in a longer string of NDJSON', `{"status":401}\n${JSON.stringify({ error: `${identity}.` })}`],
    ['in longer data of an event', `data: error: ${identity}\n\n`],
    ['in an event stream with a line that is no field', `data: x\n${identity} is wrong\n\n`],
    ['in invalid JSON', `{"error":"${identity}",}`],
  ])('%s', (_where, text) => {
    expect(find(text)).toEqual({ whole: [], embedded: ['invalid-identity'] });
  });
});

describe('a documented message is not found', () => {
  test.each([
    ['in another case', identity.toUpperCase()],
    ['with two spaces in it', identity.replace(' ', '  ')],
    ['broken over two lines', identity.replace(' ', '\n')],
    ['split over two text nodes', `<p>${identity.replace(' ', '<b> </b>')}</p>`],
    ['in a comment of HTML', `<p>Refused</p><!--${identity}-->`],
    ['in a script', `<html><script>\n${identity}\n</script></html>`],
    ['in a style', `<html><style>\n${identity}\n</style><p>Refused</p></html>`],
    ['as a key of JSON', JSON.stringify({ [identity]: true })],
    ['in an empty body', ' \r\n '],
  ])('%s', (_where, text) => {
    expect(find(text)).toEqual({ whole: [], embedded: [] });
  });
});

test.each([
  ['', 'empty'],
  ['null', 'json'],
  ['42', 'json'],
  ['"text"', 'json'],
  ['{"a":1}', 'json'],
  ['{a:1}', 'text'],
  ['true story', 'text'],
  ['<p>', 'markup'],
  ['a < b', 'text'],
])('a body is read by its content: %j is %s', (text, form) => {
  expect(readBody(text).form).toBe(form);
});

test.each([
  ['very many lines', `${'x\n'.repeat(60_000)}${identity}`],
  ['very many strings', JSON.stringify([...Array(60_000).fill('x'), identity])],
  ['very many fields', JSON.stringify({ ...Object.fromEntries(Array(20_000).entries()), last: [identity] })],
  ['very deep lists', `${'['.repeat(30_000)}${JSON.stringify(identity)}${']'.repeat(30_000)}`],
  ['very many elements', `${'<a>b</a>'.repeat(20_000)}<p>${identity}</p>`],
  ['very deep elements', `${'<a>b'.repeat(20_000)}<p>${identity}`],
])('a message is found after %s', (_what, text) => {
  expect(find(text).whole).toEqual(['invalid-identity']);
});

describe('a near miss', () => {
  test.each([
    ['another case', 'invalid identity'],
    ['a full stop', 'Invalid identity.'],
    ['two spaces', 'Invalid  identity'],
    ['a typo', 'Invalid identiy'],
    ['wrong in a quarter of its characters', 'Invalid idenXXXX'],
  ])('is %s', (_what, line) => {
    expect(nearMiss(['Unauthorized', line], identity)).toBe(line);
  });

  test.each([['Unauthorized'], ['Invalid token'], ['Invalid'], ['']])('is not %j', (line) => {
    expect(nearMiss([line], identity)).toBeUndefined();
  });

  test('is the closest of several lines', () => {
    expect(nearMiss(['Invalid identitee', 'Invalid identity!', 'Invalid-Identity!'], identity)).toBe(
      'Invalid identity!',
    );
    expect(nearMiss(['Invalid identity!', 'Invalid identity?'], identity)).toBe('Invalid identity!');
  });
});

test.each<[challenge: string, descriptions: readonly string[]]>([
  ['Bearer error_description="Invalid identity"', ['Invalid identity']],
  ['Bearer realm="a", error="invalid_token", ERROR_DESCRIPTION = "Invalid identity"', ['Invalid identity']],
  ['Bearer error_description="one", Basic realm="x", DPoP error_description="two"', ['one', 'two']],
  ['Bearer error_description="a \\"quoted\\" word"', ['a "quoted" word']],
  ['Bearer error_description=expired', ['expired']],
  // Another parameter that quotes one is not it.
  ['Bearer realm="error_description=\\"Invalid identity\\"", x_error_description="no"', []],
  ['Bearer', []],
])('the descriptions in %s', (challenge, descriptions) => {
  expect(errorDescriptions(challenge)).toEqual(descriptions);
});

const { validate } = operationOf(contract, 'search').success;
const right = { results: [], trackingToken: 't', requestId: 'r' };

describe('the body of a search', () => {
  test.each<[what: string, json: unknown, errors: readonly (string | RegExp)[], leftOut: readonly string[]]>([
    ['fits', right, [], []],
    ['may leave a list out', { ...right, results: undefined, trackingToken: 't' }, [], ['results']],
    ['leaves out no text', { results: [], requestId: 'r' }, [/trackingToken/], []],
    ['leaves out a list and a text', { requestId: 'r' }, [/trackingToken/], ['results']],
    ['has no list of another type', { ...right, results: null }, ['/results must be array'], []],
    ['is JSON', undefined, ['the body is not JSON'], []],
    ['is an object', [], ['the body must be object'], []],
  ])('%s', (_what, json, errors, leftOut) => {
    const parsed: unknown = json === undefined ? undefined : JSON.parse(JSON.stringify(json));
    const found = validate && misfitOf(validate, parsed);
    expect(found?.leftOut).toEqual(leftOut);
    expect(found?.errors).toEqual(
      errors.map((error) => (typeof error === 'string' ? error : expect.stringMatching(error))),
    );
  });
});

test('of a part that may be null, a body is told what is wrong with the part', () => {
  const part = { type: 'object', required: ['id'] };
  const loose = { properties: { data: { anyOf: [{ type: 'null' }, part] } } };
  const errorsOf = (body: unknown) =>
    misfitOf(new Ajv2020({ allErrors: true, strictTypes: false }).compile(loose), body).errors;
  expect(errorsOf({ data: 'none' })).toEqual(['/data must be object']);
  expect(errorsOf({ data: {} })).toEqual(["/data must have required property 'id'"]);
  expect(errorsOf({ data: null })).toEqual([]);
});

describe('a body of a success', () => {
  const person = { type: 'object', required: ['login'], properties: { login: { type: 'string' } } };
  const is = (schema: object, body: unknown) => showsSuccess(new Ajv2020().compile(schema), body);

  test.each([
    [person, { login: 'uma' }],
    [{ type: 'array', items: person }, [{ login: 'uma' }]],
    [person, { title: 'sign in', person: { login: 'uma' } }],
    [{ anyOf: [person, { type: 'null' }] }, { login: 'uma', error: 'sign in' }],
  ])('by %j is %j', (schema, body) => {
    expect(is(schema, body)).toBe(true);
  });

  test.each([
    [person, { error: 'sign in' }],
    [{ type: 'object', properties: person.properties }, { login: 'uma' }],
    [{ type: 'object', required: ['message'] }, { message: 'sign in' }],
    [{ type: 'array', items: person }, []],
    [{ type: 'array' }, [{ login: 'uma' }]],
    [{}, { login: 'uma' }],
    [{ type: 'string' }, 'sign in'],
    [person, null],
  ])('by %j is not %j, which may be that of an error', (schema, body) => {
    expect(is(schema, body)).toBe(false);
  });

  test('is not known where nothing describes it', () => {
    expect(showsSuccess(undefined, { login: 'uma' })).toBe(false);
  });
});
