import type { Operation } from '../../../harness/contract/openapi.ts';

/** A request without authority, as bytes, that HTTP's grammar or good manners forbid. */
export interface RawRequest {
  readonly what: string;
  readonly text: string;
  /** Strictly read it asks for something else than the operation, where a 2xx may be somebody's landing page. */
  readonly isElsewhere: boolean;
}

/** Requests that no client sends by accident, all without a token. `{base}` and `{common}` as CheckApi fills them. */
export function rawRequests({ method, path, example }: Operation): readonly RawRequest[] {
  const body = JSON.stringify(example ?? {});
  const length = `Content-Length: ${body.length}`;
  const usual = `${method} {base}${path} HTTP/1.1`;
  const write = (first: string, ...lines: readonly string[]) =>
    [first, '{common}', 'Connection: close', 'Content-Type: application/json', ...lines, '', body].join('\r\n');
  const exactly = (what: string, text: string): RawRequest => ({ what, text, isElsewhere: false });
  const elsewhere = (what: string, first: string): RawRequest => ({
    what,
    text: write(first, length),
    isElsewhere: true,
  });
  const encoded = path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

  return [
    // RFC 9112 3: the request line
    elsewhere('a method in lower case', usual.replace(method, method.toLowerCase())),
    elsewhere('a method that nobody knows', usual.replace(method, 'BREW')),
    elsewhere('a NUL in the method', usual.replace(method, `${method}\0`)),
    elsewhere('no method', usual.replace(method, '')),
    exactly('two blanks in the request line', write(usual.replaceAll(' ', '  '), length)),
    exactly('tabs in the request line', write(usual.replaceAll(' ', '\t'), length)),
    exactly('no version', write(`${method} {base}${path}`, length)),
    exactly('a version that does not exist', write(usual.replace('1.1', '9.9'), length)),
    exactly('the version before the last', write(usual.replace('1.1', '1.0'), length)),
    elsewhere('a target of 20,000 characters', usual.replace(path, `${path}?${'x'.repeat(20_000)}`)),
    elsewhere('an absolute target', usual.replace('{base}', 'http://conformance.invalid{base}')),
    elsewhere('a doubled slash', usual.replace(path, `/${path}`)),
    elsewhere('a dot segment', usual.replace(path, `/x/..${path}`)),
    elsewhere('an encoded letter', usual.replace(path, encoded)),
    elsewhere('the path in upper case', usual.replace(path, path.toUpperCase())),
    elsewhere('a slash at the end', usual.replace(path, `${path}/`)),
    elsewhere('a path parameter', usual.replace(path, `${path};a=b`)),
    elsewhere('an encoded NUL', usual.replace(path, `${path}%00`)),

    // RFC 9112 5 and RFC 9110 5: header lines
    exactly('bare line feeds', write(usual, length).replaceAll('\r\n', '\n')),
    exactly('a line without a colon', write(usual, length, 'Authorization Bearer nobody')),
    exactly('a blank before the colon', write(usual, length, 'Authorization : Bearer nobody')),
    exactly('a NUL in a value', write(usual, length, 'Authorization: Bearer \0nobody')),
    exactly('a folded line', write(usual, length, 'Authorization: Bearer', ' nobody')),
    exactly('a header of 100,000 characters', write(usual, length, `X-Conformance: ${'x'.repeat(100_000)}`)),

    // RFC 9112 6: how long the body is
    exactly('two lengths', write(usual, length, 'Content-Length: 0')),
    exactly('a length and chunks', write(usual, length, 'Transfer-Encoding: chunked')),
    exactly('a length below nothing', write(usual, 'Content-Length: -1')),
    exactly(
      'a chunk of more bytes than there are numbers',
      write(usual, 'Transfer-Encoding: chunked').replace(body, `${'f'.repeat(20)}\r\n${body}`),
    ),
  ];
}
