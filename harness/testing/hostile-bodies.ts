/** Bodies that would take a careless reader a long time or a deep stack. Each has about this many characters. */
export function hostileBodies(size: number): Readonly<Record<string, string>> {
  const filled = (part: string, first = '') =>
    first + part.repeat(Math.max(0, Math.ceil((size - first.length) / part.length)));
  return {
    'elements that are never closed': filled('<a>'),
    'elements with many names': filled('<e>', Array.from({ length: size / 8 }, (_, at) => `<e${at}>`).join('')),
    'elements that are closed and were never opened': filled('</a>', '<a>'),
    'scripts that are never closed': filled('<script>'),
    'attributes without end': filled(' a=1', '<a'),
    'comments that are never closed': filled('<!--'),
    'CDATA that is never closed': filled('<![CDATA[', '<a>'),
    'character references': filled('&amp;', '<a>'),
    'character references without end': filled('&', '<a>'),
    'less-than signs': filled('<'),
    'declarations of entities': filled('<!ENTITY a "&a;&a;">', '<!DOCTYPE a ['),
    'arrays in arrays': `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
    'arrays that are never closed': filled('['),
    'objects in objects': `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
    'an object with many keys': `{${Array.from({ length: size / 12 }, (_, at) => `"k${at}":1`).join(',')}}`,
    'an array of numbers': `[${filled('1,')}1]`,
    'a number of many digits': filled('9'),
    'an escaped string': JSON.stringify(filled('\\')),
    'an escaped array': `["\\u0041",${'['.repeat(size / 2)}${']'.repeat(size / 2)}]`,
    'empty lines': filled('\r\n', 'x'),
    'carriage returns': filled('\r', 'x'),
    blanks: filled(' ', 'x'),
    'percent signs': filled('%25'),
    backslashes: filled('\\u005c'),
    'half a message': filled('Required header missing: X-Service-ActA '),
    'surrogates without a partner': filled('\ud800'),
  };
}

/** Answers on the wire that would take a careless reader a long time. Each has about this many characters. */
export function hostileAnswers(size: number): Readonly<Record<string, string>> {
  const head = 'HTTP/1.1 200 OK\r\n';
  const chunked = `${head}Transfer-Encoding: chunked\r\n`;
  return {
    'blanks in a header': `${head}A: x${' '.repeat(size)}x\r\n\r\n`,
    'blanks after the coding': `${head}Transfer-Encoding: ${'chunked '.repeat(size / 8)}x\r\n\r\n`,
    'empty chunks': `${chunked}\r\n${'0\r\n'.repeat(size / 3)}x`,
    'small chunks': `${chunked}\r\n${'1\r\na\r\n'.repeat(size / 6)}`,
    'trailers without end': `${chunked}\r\n0\r\n${'A: b\r\n'.repeat(size / 6)}`,
    'a huge chunk': `${chunked}\r\n${'f'.repeat(size)}\r\n`,
    'many headers': `${head}${Array.from({ length: size / 12 }, (_, at) => `a${at}: b\r\n`).join('')}\r\n`,
    'one header many times': `${head}${'a: b\r\n'.repeat(size / 6)}\r\n`,
    'headers with the names of methods': `${head}constructor: a\r\n__proto__: b\r\n\r\n`,
    'interim answers': `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(size / 25)}${head}\r\n`,
    colons: `${head}${':\r\n'.repeat(size / 3)}\r\n`,
  };
}

/** Texts that would take a careless redactor a long time. Each has about this many characters, and no secret of these as it is. */
export function hostileEchoes(size: number, secrets: readonly string[]): Readonly<Record<string, string>> {
  const filled = (part: string) => part.repeat(Math.ceil(size / part.length));
  const pieces = (secret: string) => Array.from({ length: secret.length - 6 }, (_, at) => secret.slice(at, at + 6));
  const [first = ''] = secrets;
  return {
    'every piece of one secret': filled(`${pieces(first).slice(0, 5).reverse().join(' so ')} `),
    'a piece of every secret': filled(secrets.map((secret) => secret.slice(0, 6)).join('-')),
    'halves of every secret': filled(secrets.map((secret) => secret.slice(0, 11)).join('.')),
    'escapes of escapes': filled('%2525252561&amp;amp;lt;b&amp;amp;gt;\\u005cu005c'),
    'base64 of base64': filled(Buffer.from(Buffer.from('so much for that').toString('base64')).toString('base64')),
    'letters with separators': filled('a-b-c-d-e-f-g-h-0-1-2-3-'),
    'numbers of characters': filled('97, 98, 99, 49, '),
    'keys of pieces': `{${filled('"ka":"so much for","kb":"0x61&#98;",')}}`,
    'elements in every direction': filled('<b>so</b>much>b/<for>b<that '),
    bits: filled('01100001 0110001'),
  };
}
