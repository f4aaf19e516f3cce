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
