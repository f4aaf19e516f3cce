import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { hostileBodies } from '../testing/hostile-bodies.ts';
import { contract, messageText, SEARCH_BODY } from '../testing/small-world.ts';
import { markerOf } from './marker-places.ts';
import { type Observer, observe, type RawAnswer } from './observation.ts';
import { createRedactor } from './redact.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7w';
const MARKER = 'marker-of-uma-4711';
const [search, chat] = contract.operations;
const redactor = createRedactor();
redactor.add('USER_TOKEN', TOKEN);
redactor.add('USER_PRIVATE_MARKER', MARKER);
const observer: Observer = {
  messages: contract.rules.messages,
  redactor,
  markers: [markerOf('USER_PRIVATE_MARKER', MARKER)],
};

function see(status: number, text: string, more: Partial<RawAnswer> = {}, operation = search) {
  return observe(observer, { status, headers: {}, text, truncated: false, ...more }, operation);
}

describe('what is recorded of a 2xx', () => {
  const body = JSON.stringify({
    results: [{ title: 'Private plan of Uma' }, 'second'],
    trackingToken: TOKEN,
    requestId: null,
    total: 7,
    more: { secret: 'Private plan of Uma' },
    on: true,
  });

  test('is its skeleton: documented keys, types and lengths', () => {
    expect(see(200, body).skeleton).toBe(
      '{ results: array(2), trackingToken: string(20), requestId: null, 3 undocumented (gnpn) }',
    );
  });

  test.each([
    body,
    '["Private plan of Uma"]',
    'Private plan of Uma',
    '<p>Private plan of Uma</p>',
    '"Private plan of Uma"',
  ])('contains no value of the body: %s', (text) => {
    const recorded = JSON.stringify(see(200, text));
    expect(recorded).not.toContain('Private plan');
    expect(recorded).not.toContain(TOKEN);
  });

  test('names the variable of a private marker in the body, without the marker', () => {
    const seen = see(200, JSON.stringify({ results: [`x ${MARKER} y`] }));
    expect(seen.markers).toEqual(['USER_PRIVATE_MARKER']);
    expect(seen.places).toEqual([{ variable: 'USER_PRIVATE_MARKER', at: '/results/0' }]);
    expect(JSON.stringify(seen)).not.toContain(MARKER);
    expect(see(200, body).markers).toBeUndefined();
  });

  test.each([
    ['escaped in JSON', `{"a":"${MARKER.replace('m', '\\u006d')}"}`],
    ['as a key in JSON', JSON.stringify({ [MARKER]: true })],
    ['as an escaped key in JSON', `{"${MARKER.replace('m', '\\u006d')}":[{"a":true}]}`],
    ['deep in JSON', `${'['.repeat(100_000)}"${MARKER.replace('m', '\\u006d')}"${']'.repeat(100_000)}`],
    ['with signs in quoted-printable', MARKER.replaceAll('-', '=2D')],
    ['with entities in markup', `<p>${MARKER.replace('-', '&#45;')}</p>`],
    ['in text', `x${MARKER}`],
  ])('names the variable of a private marker %s', (_how, text) => {
    expect(see(200, text).markers).toEqual(['USER_PRIVATE_MARKER']);
  });

  test('names the variable of a private marker in a header', () => {
    for (const header of [MARKER, ['a', `b ${MARKER}`]])
      expect(see(200, '', { headers: { 'x-found': header } }).markers).toEqual(['USER_PRIVATE_MARKER']);
  });

  test('contains no secret from a key or a header', () => {
    const headers = { 'content-type': `application/json; a=${TOKEN}`, 'retry-after': TOKEN };
    const seen = see(200, JSON.stringify({ [TOKEN]: 1 }), { headers });
    expect(JSON.stringify(seen)).not.toContain(TOKEN.slice(0, 12));
    expect(seen.skeleton).toMatch(/^\{ 1 undocumented \([a-z]{4}\) \}$/);
    expect(seen.contentType).toBe('application/json; a=<USER_TOKEN>');
  });

  test('of too many keys to sort only has their number', () => {
    const keys = Array.from({ length: 1001 }, (_, at) => [`k${at}`, 1]);
    const text = JSON.stringify(Object.fromEntries(keys));
    expect(see(200, text).skeleton).toBe('{ 1001 undocumented (many) }');
  });

  test('contains no documented message, because a document may quote one', () => {
    const quoted = see(200, JSON.stringify({ results: [messageText('invalid-identity')] }));
    expect([quoted.whole, quoted.embedded]).toEqual([[], []]);
  });

  test('has a digest that differs between bodies', () => {
    expect(see(200, body).digest).toBe(see(200, body).digest);
    expect(see(200, `${body} `).digest).not.toBe(see(200, body).digest);
  });

  test.each([
    [SEARCH_BODY, []],
    ['{"results":[],"trackingToken":"t","requestId":"r","extra":{"any":1}}', []],
    ['{"results":[1,"a",null],"trackingToken":"","requestId":""}', []],
    ['{"results":{},"trackingToken":"t","requestId":"r"}', ['/results must be array']],
    [
      '{"results":[],"trackingToken":null,"requestId":7}',
      ['/requestId must be string', '/trackingToken must be string'],
    ],
    [
      '{"results":[]}',
      ["the body must have required property 'requestId'", "the body must have required property 'trackingToken'"],
    ],
    ['[]', ['the body must be object']],
    ['null', ['the body must be object']],
    ['', ['the body is not JSON']],
    ['<html></html>', ['the body is not JSON']],
  ])('says how %s differs from the schema: %j', (text, errors) => {
    expect([...(see(200, text).schemaErrors ?? [])].sort()).toEqual(errors);
  });

  test('has no schema errors if no schema documents the body', () => {
    expect(see(200, 'anything', {}, chat).schemaErrors).toBeUndefined();
    expect(see(200, 'anything', {}, chat).skeleton).toBe('text of 8 characters');
  });
});

describe('what is recorded of a refusal', () => {
  test('is its text, redacted and cut, and the messages in it', () => {
    const seen = see(
      401,
      JSON.stringify({ error: messageText('invalid-identity'), token: TOKEN, more: 'x'.repeat(5000) }),
    );
    expect(seen).toMatchObject({ whole: ['invalid-identity'], embedded: [], form: 'json' });
    expect(seen.excerpt).toContain('<USER_TOKEN>');
    expect(seen.excerpt?.length).toBeLessThan(2100);
    expect(seen).not.toHaveProperty('skeleton');
    expect(seen).not.toHaveProperty('schemaErrors');
  });

  test('contains no part of a secret where the text is cut', () => {
    const before = 'x'.repeat(2040);
    expect(see(401, `${before}${MARKER}${before}`).excerpt).toBe(`${before}<USER_PR`);
    expect(see(401, 'x', { headers: { 'www-authenticate': `${'y'.repeat(295)}${MARKER}` } }).challenge).toMatch(
      /y<USER$/,
    );
  });

  test('is not left out because of a secret in another form far behind the part that is kept', () => {
    const encoded = Buffer.from(TOKEN).toString('base64');
    expect(see(401, `no ${encoded}`).excerpt).toMatch(/^<left out: it shows USER_TOKEN/);
    expect(see(401, `${'no '.repeat(10_000)}${encoded}`).excerpt).toMatch(/^no no/);
  });

  test('is its redacted challenge, Retry-After, content type and whether it is truncated', () => {
    const headers = {
      'content-type': 'text/plain',
      'www-authenticate': ['Basic', `Bearer token="${TOKEN}"`],
      'retry-after': '3',
    };
    expect(see(401, 'no', { headers, truncated: true })).toEqual({
      kind: 'answer',
      status: 401,
      contentType: 'text/plain',
      form: 'text',
      whole: [],
      embedded: [],
      excerpt: 'no',
      challenge: 'Basic, Bearer token="<USER_TOKEN>"',
      retryAfter: '3',
      truncated: true,
    });
  });

  test('names the encoding of a body that could not be read', () => {
    const headers = { 'content-encoding': 'zstd' };
    expect(see(401, 'read', { headers })).not.toHaveProperty('headers');
    const unread = see(401, '', { headers, truncated: true });
    expect(unread.headers).toEqual({ 'Content-Encoding': 'zstd' });
  });

  test('includes headers that tell who answered and what to do, redacted and cut, and no others', () => {
    const headers = {
      location: `/login?token=${TOKEN}`,
      server: 'x'.repeat(400),
      allow: ['GET', 'POST'],
      'cache-control': 'no-store',
      via: '1.1 proxy',
      date: 'now',
    };
    expect(see(302, '', { headers }).headers).toEqual({
      Location: '/login?token=<USER_TOKEN>',
      Server: 'x'.repeat(300),
      Allow: 'GET, POST',
      'Cache-Control': 'no-store',
      Via: '1.1 proxy',
    });
    expect(see(401, '')).not.toHaveProperty('headers');
  });

  test('contains no secret of a key on the way to a private marker', () => {
    const key = 'abcdefghijklmnop';
    const other = createRedactor();
    other.add('CHAT_TOKEN', key);
    const raw = { status: 200, headers: {}, text: JSON.stringify({ [key]: MARKER }), truncated: false };
    expect(observe({ ...observer, redactor: other }, raw, search).places?.[0]?.at).toBe('/<CHAT_TOKEN>');
  });

  test('names the variable of a marker that it leaks', () => {
    expect(see(403, `not for you: ${MARKER}`).markers).toEqual(['USER_PRIVATE_MARKER']);
  });
});

describe.each([200, 401])('what is recorded of an answer %i', (status) => {
  test.each(Object.entries(hostileBodies(1024 * 1024)))('is little, whatever its body: %s', (_what, text) => {
    const headers = { 'content-type': text.slice(0, 60_000), 'www-authenticate': text.slice(0, 60_000) };
    const seen = see(status, text, { headers });
    expect(JSON.stringify(seen).length).toBeLessThan(20_000);
  });
});

test('a refusal of a mebibyte is not kept in memory, only what is recorded of it', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // V8 keeps what regular expressions found until it collected twice.
  const used = () => {
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const mebibyte = 1024 * 1024;
  const before = used();
  const seen = Array.from({ length: 16 }, (_, at) =>
    see(401, Buffer.alloc(mebibyte, `refusal ${at} `).toString(), {
      headers: { 'content-type': Buffer.alloc(mebibyte, `type ${at} `).toString() },
    }),
  );
  expect(used() - before).toBeLessThan(8 * mebibyte);
  expect(seen.every(({ excerpt }) => excerpt?.startsWith('refusal'))).toBe(true);
});
