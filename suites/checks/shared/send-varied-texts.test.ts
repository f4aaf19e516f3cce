import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { lineOf, type Row, rawOf } from '../../testing/written.ts';

const QUERY = '{"query":"conformance suite test query"}';

describe('a socket gets', () => {
  const text = (changes: Readonly<Partial<Record<'line' | 'token' | 'own' | 'body' | 'length', string>>> = {}) => {
    const { line = 'POST {base}/rest/api/v1/search HTTP/1.1', token = 'Authorization: Bearer a+b\r\n' } = changes;
    const { own = 'X-Service-Auth-Type: OAUTH\r\nContent-Type: application/json\r\n', body = QUERY } = changes;
    const { length = `Content-Length: ${body.length}\r\n` } = changes;
    return `${line}\r\n{common}\r\n${token}${own}Connection: close\r\n${length}\r\n${body}`;
  };
  const type = (name: string) => `X-Service-Auth-Type: OAUTH\r\nContent-Type: ${name}\r\n`;
  const typeless = 'X-Service-Auth-Type: OAUTH\r\n';
  const form = 'query=conformance+suite+test+query';
  const parts = (...fields: readonly (readonly [string, string])[]) =>
    `${fields.map(([name, value]) => `--conformance-boundary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--conformance-boundary--\r\n`;

  test.each<[string, readonly Row[], string]>([
    [
      'what no client writes',
      [['header', 'X-Raw', '1']],
      text({ own: 'X-Service-Auth-Type: OAUTH\r\nX-Raw: 1\r\nContent-Type: application/json\r\n' }),
    ],
    ['another method', [['method', 'PUT', 'body']], text({ line: 'PUT {base}/rest/api/v1/search HTTP/1.1' })],
    [
      'a method with the fields in the query',
      [
        ['method', 'GET', 'query'],
        ['parameter', 'a', '1'],
      ],
      text({
        line: 'GET {base}/rest/api/v1/search?query=conformance+suite+test+query&a=1 HTTP/1.1',
        own: typeless,
        body: '',
        length: '',
      }),
    ],
    [
      'another path',
      [
        ['path', 'odd', '/rest//search'],
        ['parameter', 'a', '1'],
      ],
      text({ line: 'POST {base}/rest//search?a=1 HTTP/1.1' }),
    ],
    [
      'a whole address as the path',
      [['path', 'whole', 'https://x.test/rest']],
      text({ line: 'POST https://x.test{base}/rest HTTP/1.1' }),
    ],
    ['no content type', [['content-type', '', 'json']], text({ own: typeless })],
    [
      'a form',
      [['content-type', 'application/x-www-form-urlencoded', 'form']],
      text({ own: type('application/x-www-form-urlencoded'), body: form }),
    ],
    [
      'a form with the token',
      [['place', 'token_form', '{token}']],
      text({ own: type('application/x-www-form-urlencoded'), body: `${form}&token_form=a%2Bb` }),
    ],
    [
      'parts',
      [
        ['content-type', 'multipart/form-data', 'multipart'],
        ['field', 'n', 7],
      ],
      text({
        own: type('multipart/form-data; boundary=conformance-boundary'),
        body: parts(['query', 'conformance suite test query'], ['n', '7']),
      }),
    ],
    ['no User-Agent', [['transport', 'without-user-agent', '']], text().replace('{common}', '{common but User-Agent}')],
    ['HTTP/1.0', [['transport', 'HTTP/1.0', '']], text({ line: 'POST {base}/rest/api/v1/search HTTP/1.0' })],
    [
      'chunks',
      [['transport', 'chunked', '']],
      text({
        own: `${type('application/json')}Transfer-Encoding: chunked\r\n`,
        length: '',
        body: `28\r\n${QUERY}\r\n0\r\n\r\n`,
      }),
    ],
    [
      'a body with blanks',
      [['transport', 'body-with-blanks', '']],
      text({ body: `\r\n {\n  "query": "conformance suite test query"\n}\n\n` }),
    ],
    [
      'a body with keys twice',
      [['transport', 'body-with-doubled-keys', '']],
      text({ body: `${QUERY.slice(0, -1)},${QUERY.slice(1)}` }),
    ],
    ['a field before the others', [['field', 'first', 'one']], text({ body: `{"first":"one",${QUERY.slice(1)}` })],
    ['a field behind the others', [['field', 'last', 'one']], text({ body: `${QUERY.slice(0, -1)},"last":"one"}` })],
    ['a body in an array', [['transport', 'body-in-array', '']], text({ body: `[${QUERY}]` })],
    ['a body in a batch', [['transport', 'body-in-batch', '']], text({ body: `{"requests":[${QUERY}]}` })],
    ['comments', [['transport', 'body-with-comments', '']], text({ body: `/* a comment */ ${QUERY} // another` })],
    ['a byte order mark', [['transport', 'body-with-byte-order-mark', '']], text({ body: `\xef\xbb\xbf${QUERY}` })],
  ])('%s', async (_what, rows, wanted) => {
    expect((await rawOf(rows)).text).toBe(wanted);
  });

  test('header lines in another order, case, or with blanks', async () => {
    const linesOf = async (name: string) => (await rawOf([['transport', name, '']])).text.split('\r\n').slice(2, 5);
    expect(await linesOf('headers-reversed')).toEqual([
      'Content-Type: application/json',
      'X-Service-Auth-Type: OAUTH',
      'Authorization: Bearer a+b',
    ]);
    expect(await linesOf('header-names-lower-case')).toEqual([
      'authorization: Bearer a+b',
      'x-service-auth-type: OAUTH',
      'content-type: application/json',
    ]);
    expect(await linesOf('header-lines-twice')).toEqual([
      'Authorization: Bearer a+b',
      'Authorization: Bearer a+b',
      'X-Service-Auth-Type: OAUTH',
    ]);
    expect(await linesOf('header-names-mixed-case')).toEqual([
      'aUtHoRiZaTiOn: Bearer a+b',
      'x-sErViCe-aUtH-TyPe: OAUTH',
      'cOnTeNt-tYpE: application/json',
    ]);
    expect(await linesOf('blanks-around-values')).toContain('Authorization:   Bearer a+b \t');
  });

  test.each<[string, string | undefined, (bytes: Buffer) => Buffer | string]>([
    ['gzip', 'gzip', gunzipSync],
    ['deflate', 'deflate', inflateSync],
    ['br', 'br', brotliDecompressSync],
    ['body-in-utf-16', undefined, (bytes) => bytes.toString('utf16le').replace('\ufeff', '')],
  ])('a body packed as %s, with its length', async (name, coding, unpack) => {
    const [head = '', body = ''] = (await rawOf([['transport', name, '']])).text.split(/\r\n\r\n(.*)/s);
    expect(`${unpack(Buffer.from(body, 'latin1'))}`).toBe(QUERY);
    expect(head.includes(`Content-Encoding: ${coding}`)).toBe(coding !== undefined);
    expect(head).toContain(`Content-Length: ${body.length}`);
  });

  test('no Connection line where the variation has one', async () => {
    const { text: sent } = await rawOf([
      ['header', 'connection', 'x-service-actas'],
      ['header', 'X-Raw', '1'],
    ]);
    expect(sent.match(/connection:.*/gi)).toEqual(['connection: x-service-actas']);
  });

  test('no token where the request has none', async () => {
    const base = { credential: undefined, authorization: null, headers: [] };
    const { text: sent } = await rawOf([['method', 'PUT', 'body']], { base });
    expect(sent).not.toMatch(/authorization/i);
  });

  test('little patience for another method or path, which many servers never answer, and the usual one else', async () => {
    expect((await rawOf([['path', 'odd', '/x']])).patienceMs).toBeGreaterThan(0);
    expect((await rawOf([['method', 'PUT', 'body']])).patienceMs).toBeGreaterThan(0);
    expect(await rawOf([['transport', 'chunked', '']])).not.toHaveProperty('patienceMs');
  });

  test('a body of escapes that says the same and has no letter as it is', async () => {
    const { text: sent = '' } = await rawOf([
      ['transport', 'body-with-escapes', ''],
      ['field', 'a', 'É"\\u\n'],
    ]);
    const body = Buffer.from(sent.slice(sent.indexOf('\r\n\r\n') + 4), 'latin1').toString();
    expect(JSON.parse(body)).toEqual({ ...JSON.parse(QUERY), a: 'É"\\u\n' });
    expect(body).not.toContain('query');
  });
});

const BODY = QUERY.replaceAll('"', '\\"');

describe('a command line for bash', () => {
  const head = (target = '-X POST "$TARGET_BASE_URL/rest/api/v1/search"', lines = ['Content-Type: application/json']) =>
    `${target} ${['Authorization: Bearer $USER_TOKEN', 'X-Service-Auth-Type: OAUTH', ...lines].map((line) => `-H "${line}"`).join(' ')}`;

  test.each<[string, readonly Row[], string]>([
    [
      'no User-Agent',
      [['transport', 'without-user-agent', '']],
      `curl -sS -i -H User-Agent: ${head()} --data-raw "${BODY}"`,
    ],
    ['HTTP/1.0', [['transport', 'HTTP/1.0', '']], `curl -sS -i --http1.0 ${head()} --data-raw "${BODY}"`],
    [
      'a path as it is',
      [['path', 'dots', '/a/../search']],
      `curl -sS -i --path-as-is ${head('-X POST "$TARGET_BASE_URL/a/../search"')} --data-raw "${BODY}"`,
    ],
    [
      'no body',
      [['method', 'GET', 'query']],
      `curl -sS -i ${head('-X GET "$TARGET_BASE_URL/rest/api/v1/search?query=conformance+suite+test+query"', [])}`,
    ],
    [
      'quotes and breaks',
      [
        ['transport', 'chunked', ''],
        ['field', 'a', "it's\n\t100%"],
      ],
      `curl -sS -i ${head(undefined, ['Content-Type: application/json', 'Transfer-Encoding: chunked'])} --data-raw "${BODY.slice(0, -1)},\\"a\\":\\"it's\\\\n\\\\t100%\\"}"`,
    ],
    [
      'breaks of a body',
      [['transport', 'body-with-blanks', '']],
      `curl -sS -i ${head()} --data-raw ""$'\\x0d\\x0a'" {"$'\\x0a'"  \\"query\\": \\"conformance suite test query\\""$'\\x0a'"}"$'\\x0a\\x0a'""`,
    ],
    [
      'a packed body',
      [
        ['transport', 'gzip', ''],
        ['field', 'a', '100%'],
      ],
      `printf %s "${BODY.slice(0, -1)},\\"a\\":\\"100%\\"}" | gzip | curl -sS -i ${head(undefined, ['Content-Type: application/json', 'Content-Encoding: gzip'])} --data-binary @-`,
    ],
    [
      'quotes in a header',
      [['header', 'X-Raw', 'a"b`c\\']],
      `curl -sS -i ${head(undefined, ['X-Raw: a\\"b\\`c\\\\', 'Content-Type: application/json'])} --data-raw "${BODY}"`,
    ],
    [
      'blanks that nobody sees',
      [['transport', 'blanks-around-values', '']],
      `curl -sS -i -X POST "$TARGET_BASE_URL/rest/api/v1/search" ${['Authorization:   Bearer $USER_TOKEN', 'X-Service-Auth-Type:   OAUTH', 'Content-Type:   application/json'].map((line) => `-H "${line} "$'\\x09'""`).join(' ')} --data-raw "${BODY}"`,
    ],
    ['nothing where no program packs the body so', [['transport', 'br', '']], ''],
  ])('has %s', async (_what, rows, wanted) => {
    expect(lineOf(await rawOf(rows))).toBe(wanted);
  });

  test('shows the variable in place of the token, wherever it stands', async () => {
    const line = lineOf(
      await rawOf([
        ['header', 'X-Raw', '{token}'],
        ['field', 'access_token', '{token}'],
      ]),
    );
    expect(line).not.toContain('a+b');
    expect(line).toContain('X-Raw: $USER_TOKEN');
    expect(line).toContain('\\"access_token\\":\\"$USER_TOKEN\\"');
  });
});
