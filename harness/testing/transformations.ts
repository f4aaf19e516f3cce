/** A way to spell a text, and how a reader who knows it reads it again, also inside other text. */
interface Transformation {
  readonly spell: (text: string) => string;
  readonly read: (shown: string) => string;
}

const inChunks = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];
const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
const fromHex = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
const fromDecimal = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 10));
const fromOctal = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 8));

/** A separator after so many characters. */
const every = (size: number, separator: string): Transformation => ({
  spell: (text) => inChunks(text, size).join(separator),
  read: (shown) => shown.split(separator).join(''),
});
/** Each character in another way. */
const each = (spell: (character: string) => string, pattern: RegExp, read: typeof fromHex): Transformation => ({
  spell: (text) => Array.from(text, spell).join(''),
  read: (shown) => shown.replace(pattern, read),
});
/** Pieces of a text, each with something around it. */
const split = (
  size: number,
  spell: (piece: string, at: number) => string,
  piece: RegExp,
  between = '',
): Transformation => ({
  spell: (text) => inChunks(text, size).map(spell).join(between),
  read: (shown) => Array.from(shown.matchAll(piece), ([, one = '']) => one).join(''),
});
/** A whole text in other characters. */
const encoded = (spell: (text: string) => string, run: RegExp, read: (run: string) => string): Transformation => ({
  spell,
  read: (shown) => shown.replace(run, read),
});

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const inThrees = (base: number) => (text: string) =>
  [...Buffer.from(text)].map((byte) => byte.toString(base).padStart(3, '0')).join('');
const outOfThrees = (base: number) => (run: string) =>
  Buffer.from(inChunks(run, 3).map((digits) => Number.parseInt(digits, base))).toString();
const bitsOf = (text: string) => [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
const bytesOf = (bits: string) =>
  Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString();
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (one) => String.fromCharCode(one.charCodeAt(0) + (/[a-m]/i.test(one) ? 13 : -13)));
const nameOf = (at: number) => `k${String.fromCharCode(97 + (at % 26))}`;

export const TRANSFORMATIONS: Readonly<Record<string, Transformation>> = {
  'blanks after every character': every(1, ' '),
  'hyphens after every character': every(1, '-'),
  'underscores after every character': every(1, '_'),
  'dots after every third': every(3, '.'),
  'bars after every eleventh': every(11, ' | '),
  'lines of five': every(5, '\n'),
  'escaped line feeds': every(4, '\\n'),
  'escaped carriage returns': every(5, '\\r'),
  'escaped tabulators': every(3, '\\t'),
  'escaped backspaces': every(5, '\\b'),
  'escaped form feeds': every(2, '\\f'),
  'escaped slashes': every(1, '\\/'),
  'invisible characters': every(1, '\u200b'),
  'marks that cross out': every(1, '\u0336'),
  'accents that compose': every(1, '\u0301'),
  'no-break spaces': every(4, '\u00a0'),
  fractions: every(5, '\u00bd'),
  'references to fractions': every(5, '&frac12;'),
  'references to soft hyphens': every(3, '&shy;'),
  faces: every(4, '\u{1f600}'),
  asterisks: every(4, '**'),
  'percent signs': each((one) => `%${hexOf(one)}`, /%([0-9a-f]{2})/gi, fromHex),
  'escapes of JSON': each((one) => `\\u00${hexOf(one)}`, /\\u00([0-9a-f]{2})/gi, fromHex),
  'escapes of strings': each((one) => `\\x${hexOf(one)}`, /\\x([0-9a-f]{2})/gi, fromHex),
  'escapes of Perl': each((one) => `\\x{${hexOf(one)}}`, /\\x\{([0-9a-f]{2})\}/gi, fromHex),
  'code points of JavaScript': each((one) => `\\u{${hexOf(one)}}`, /\\u\{([0-9a-f]{2})\}/gi, fromHex),
  'octal numbers': each((one) => ` 0o${one.charCodeAt(0).toString(8)}`, / 0o([0-7]{2,3})/g, fromOctal),
  'octal escapes': each((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`, /\\([0-7]{3})/g, fromOctal),
  'escapes of CSS': each((one) => `\\0000${hexOf(one)}`, /\\0000([0-9a-f]{2})/gi, fromHex),
  'decimal references': each((one) => `&#${one.charCodeAt(0)};`, /&#(\d+);/g, fromDecimal),
  'hexadecimal references': each((one) => `&#x${hexOf(one)};`, /&#x([0-9a-f]{2});/gi, fromHex),
  'names of code points': each((one) => `U+00${hexOf(one)} `, /U\+00([0-9a-f]{2}) ?/gi, fromHex),
  'bytes of C': each((one) => `0x${hexOf(one)}, `, /0x([0-9a-f]{2}),? ?/gi, fromHex),
  'characters of SQL': each((one) => `char(${one.charCodeAt(0)})+`, /char\((\d+)\)\+?/gi, fromDecimal),
  'characters of PHP': each((one) => `chr(${one.charCodeAt(0)}) . `, /chr\((\d+)\)(?: \. )?/gi, fromDecimal),
  'quoted-printable': each((one) => `=${hexOf(one).toUpperCase()}`, /=([0-9A-F]{2})/gi, fromHex),
  'a JSON string': encoded(
    (text) => JSON.stringify(text),
    /\\(["\\bfnrt])/g,
    (found) => JSON.parse(`"${found}"`),
  ),
  'escaped markup': encoded(
    (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    /&(?:lt|gt|quot|amp);/g,
    (found) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"' })[found] ?? '&',
  ),
  'percent where needed': encoded(
    (text) => encodeURIComponent(Buffer.from(text).toString('utf8')),
    /(?:%[0-9a-f]{2})+/gi,
    (found) => Buffer.from(found.replaceAll('%', ''), 'hex').toString(),
  ),
  'an element for every fourth': split(4, (piece) => `<b class="x">${piece}</b>`, /<b class="x">([\s\S]*?)<\/b>/g),
  'places to break': every(3, '<wbr>'),
  'escaped breaks': every(5, '&lt;br&gt;'),
  'breaks escaped for JSON': every(5, '\\u003cwbr>'),
  'elements with > in an attribute': every(5, '<i title=">"></i>'),
  'comments with <': every(5, '<!-- < -->'),
  'sections of CDATA': split(5, (piece) => `<![CDATA[${piece}]]>`, /<!\[CDATA\[([\s\S]*?)\]\]>/g),
  'colours of a terminal': every(4, '\u001b[31m'),
  'attributes of an element': split(11, (piece, at) => `<e ${nameOf(at)}="${piece}"/>`, /<e k[a-z]="([\s\S]*?)"\/>/g),
  'different elements': split(
    9,
    (piece, at) => `<${nameOf(at)}>${piece}</${nameOf(at)}>`,
    /<(?:k[a-z])>([\s\S]*?)<\/k[a-z]>/g,
  ),
  'different keys': split(11, (piece, at) => `"${nameOf(at)}":"${piece}"`, /"k[a-z]":"([\s\S]*?)"(?=,"k|\}|$)/g, ','),
  'different parameters': split(8, (piece, at) => `${nameOf(at)}=${piece}`, /k[a-z]=([\s\S]*?)(?=;k[a-z]=|"|$)/g, ';'),
  'lines of a header': split(
    10,
    (piece, at) => `X-${nameOf(at)}: ${piece}`,
    /X-k[a-z]: ([\s\S]*?)(?=\r\nX-k|"|$)/g,
    '\r\n',
  ),
  'strings of an array': every(11, '","'),
  'words between': every(7, ' and then '),
  base64: encoded(
    (text) => Buffer.from(text).toString('base64'),
    /[A-Za-z0-9+/]{8,}={0,2}/g,
    (run) => Buffer.from(run, 'base64').toString(),
  ),
  base64url: encoded(
    (text) => Buffer.from(text).toString('base64url'),
    /[\w-]{8,}/g,
    (run) => Buffer.from(run, 'base64url').toString(),
  ),
  'base64 of the header': encoded(
    (text) => Buffer.from(`Authorization: Bearer ${text}`).toString('base64'),
    /[A-Za-z0-9+/]{8,}={0,2}/g,
    (run) => Buffer.from(run, 'base64').toString(),
  ),
  hexadecimal: encoded(
    (text) => Buffer.from(text).toString('hex'),
    /[0-9a-f]{12,}/gi,
    (run) => Buffer.from(run, 'hex').toString(),
  ),
  'hexadecimal with colons': encoded(
    (text) => inChunks(Buffer.from(text).toString('hex').toUpperCase(), 2).join(':'),
    /[0-9a-f]{2}(?::[0-9a-f]{2}){5,}/gi,
    (run) => Buffer.from(run.replaceAll(':', ''), 'hex').toString(),
  ),
  'bytes as numbers': encoded(
    (text) => [...Buffer.from(text)].join(','),
    /\d+(?:,\d+){5,}/g,
    (run) => Buffer.from(run.split(',').map(Number)).toString(),
  ),
  'three decimal digits for each byte': encoded(inThrees(10), /\d{18,}/g, outOfThrees(10)),
  'three octal digits for each byte': encoded(inThrees(8), /[0-7]{18,}/g, outOfThrees(8)),
  bits: encoded(bitsOf, /[01]{48,}/g, bytesOf),
  base32: encoded(
    (text) =>
      (bitsOf(text).match(/[01]{1,5}/g) ?? []).map((bits) => BASE32[Number.parseInt(bits.padEnd(5, '0'), 2)]).join(''),
    /[A-Z2-7]{10,}/g,
    (run) => bytesOf([...run].map((one) => BASE32.indexOf(one).toString(2).padStart(5, '0')).join('')),
  ),
  'UTF-16': every(1, '\0'),
  ROT13: encoded(rot13, /[\s\S]+/g, rot13),
  backwards: encoded(
    (text) => [...text].reverse().join(''),
    /[\s\S]+/g,
    (run) => [...run].reverse().join(''),
  ),
  'upper case': encoded((text) => text.toUpperCase(), /$^/g, String),
  'lower case': encoded((text) => text.toLowerCase(), /$^/g, String),
  'full-width letters': each(
    (one) => (/[!-~]/.test(one) ? String.fromCharCode(one.charCodeAt(0) + 0xfee0) : one),
    /([\uff01-\uff5e])/g,
    (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0),
  ),
};

/** A piece of a secret has this many characters, and a run of a secret is never shown. */
const [PIECE, RUN] = [6, 12];

/**
 * Whether somebody can read a secret in a text: twelve characters in a row, or more than half of it in pieces of six in order,
 * in any letter case. It shares no code with what it tests.
 */
export function isReadable(text: string, secret: string): boolean {
  const lettersOf = (one: string) => one.replace(/[^A-Za-z0-9@]/g, '').toLowerCase();
  return [[text, secret] as const, [lettersOf(text), lettersOf(secret)] as const].some(([shown, hidden]) =>
    showsPieces(shown.toLowerCase(), hidden.toLowerCase()),
  );
}

function showsPieces(text: string, secret: string): boolean {
  const hits: { readonly at: number; readonly piece: number }[] = [];
  for (let piece = 0; piece + PIECE <= secret.length; piece += 1) {
    if (secret.length - piece >= RUN && text.includes(secret.slice(piece, piece + RUN))) return true;
    const part = secret.slice(piece, piece + PIECE);
    for (let at = text.indexOf(part); at >= 0 && hits.length < 2000; at = text.indexOf(part, at + 1))
      hits.push({ at, piece });
  }
  hits.sort((a, b) => a.at - b.at || b.piece - a.piece);
  // The most characters that pieces in order show, if the last of them begins here in the secret.
  const best = new Map<number, number>();
  let most = 0;
  for (const { piece } of hits) {
    let before = 0;
    for (const [begin, shown] of best)
      if (begin < piece) before = Math.max(before, shown - Math.max(0, begin + PIECE - piece));
    best.set(piece, Math.max(best.get(piece) ?? 0, before + PIECE));
    most = Math.max(most, before + PIECE);
  }
  return most > secret.length / 2 && most >= RUN;
}
