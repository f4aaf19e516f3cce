import type { Operation } from '../../../harness/contract/openapi.ts';

/** A request as bytes that HTTP's grammar forbids, or that no client sends. It carries no valid token. */
export interface MalformedRequest {
  readonly what: string;
  readonly text: string;
}

/** The malformed requests to an operation. `CheckApi.raw` fills in `{base}` and `{common}`. */
export function malformedRequests({ method, path, example }: Operation): readonly MalformedRequest[] {
  const body = JSON.stringify(example ?? {});
  const length = `Content-Length: ${body.length}`;
  const usual = `${method} {base}${path} HTTP/1.1`;
  const write = (first: string, ...lines: readonly string[]) =>
    [first, '{common}', 'Connection: close', 'Content-Type: application/json', ...lines, '', body].join('\r\n');
  const exactly = (what: string, text: string): MalformedRequest => ({ what, text });
  const elsewhere = (what: string, first: string): MalformedRequest => exactly(what, write(first, length));
  const encoded = path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

  return [
    // RFC 9112 3: the request line
    elsewhere('a method in lower case', usual.replace(method, method.toLowerCase())),
    elsewhere('an unknown method', usual.replace(method, 'BREW')),
    elsewhere('a NUL in the method', usual.replace(method, `${method}\0`)),
    elsewhere('no method', usual.replace(method, '')),
    exactly('doubled spaces in the request line', write(usual.replaceAll(' ', '  '), length)),
    exactly('tabs in the request line', write(usual.replaceAll(' ', '\t'), length)),
    exactly('no HTTP version', write(`${method} {base}${path}`, length)),
    exactly('HTTP version 9.9', write(usual.replace('1.1', '9.9'), length)),
    exactly('HTTP version 1.0', write(usual.replace('1.1', '1.0'), length)),
    elsewhere('a request target of 20,000 characters', usual.replace(path, `${path}?${'x'.repeat(20_000)}`)),
    elsewhere('an absolute URL as request target', usual.replace('{base}', 'http://conformance.invalid{base}')),
    elsewhere('a doubled slash in the path', usual.replace(path, `/${path}`)),
    elsewhere('a dot segment in the path', usual.replace(path, `/x/..${path}`)),
    elsewhere('an encoded letter in the path', usual.replace(path, encoded)),
    elsewhere('the path in upper case', usual.replace(path, path.toUpperCase())),
    elsewhere('a slash at the end of the path', usual.replace(path, `${path}/`)),
    elsewhere('a path parameter', usual.replace(path, `${path};a=b`)),
    elsewhere('an encoded NUL in the path', usual.replace(path, `${path}%00`)),

    // RFC 9112 5 and RFC 9110 5: header lines
    exactly('line ends without a carriage return', write(usual, length).replaceAll('\r\n', '\n')),
    exactly('a header line without a colon', write(usual, length, 'Authorization Bearer nobody')),
    exactly('a space before the colon of a header line', write(usual, length, 'Authorization : Bearer nobody')),
    exactly('a NUL in a header value', write(usual, length, 'Authorization: Bearer \0nobody')),
    exactly('a folded header line', write(usual, length, 'Authorization: Bearer', ' nobody')),
    exactly('a header of 100,000 characters', write(usual, length, `X-Conformance: ${'x'.repeat(100_000)}`)),

    // RFC 9112 6: the length of the body
    exactly('two different Content-Length lines', write(usual, length, 'Content-Length: 0')),
    exactly('Content-Length beside Transfer-Encoding', write(usual, length, 'Transfer-Encoding: chunked')),
    exactly('a negative Content-Length', write(usual, 'Content-Length: -1')),
    exactly(
      'a chunk size that overflows',
      write(usual, 'Transfer-Encoding: chunked').replace(body, `${'f'.repeat(20)}\r\n${body}`),
    ),
  ];
}
