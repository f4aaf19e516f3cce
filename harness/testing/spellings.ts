import fc from 'fast-check';
import { createRedactor } from '../record/redact.ts';

/** Opaque tokens, tokens with the rarer characters of a bearer token (RFC 6750 2.1), and JWTs. */
export const anyToken: fc.Arbitrary<string> = fc.oneof(
  fc.uint8Array({ minLength: 18, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.uint8Array({ minLength: 18, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc
    .tuple(fc.uint8Array({ minLength: 6, maxLength: 12 }), fc.uint8Array({ minLength: 24, maxLength: 48 }))
    .map(([person, signature]) =>
      [
        Buffer.from('{"alg":"ES256"}').toString('base64url'),
        Buffer.from(JSON.stringify({ sub: Buffer.from(person).toString('hex') })).toString('base64url'),
        Buffer.from(signature).toString('base64url'),
      ].join('.'),
    ),
);

const each = (text: string, spell: (character: string, code: string) => string) =>
  [...text].map((character) => spell(character, character.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const inChunks = (text: string, size: number, separator: string) =>
  (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(separator);

/** Ways in which a target may repeat a secret, other than as it is. */
export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 after one byte': (secret) => Buffer.from(`:${secret}`).toString('base64'),
  'base64 after two bytes': (secret) => Buffer.from(`u:${secret}`).toString('base64'),
  'base64 of the header line': (secret) => Buffer.from(`Authorization: Bearer ${secret}\r\n`).toString('base64'),
  base64url: (secret) => Buffer.from(`{"token":"${secret}"}`).toString('base64url'),
  'base64 in lines': (secret) => inChunks(Buffer.from(secret).toString('base64'), 11, ' '),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'hex with colons': (secret) => inChunks(Buffer.from(secret).toString('hex'), 2, ':'),
  'bytes in C': (secret) => each(secret, (_, code) => `0x${code}, `),
  'bytes as numbers': (secret) => JSON.stringify(Buffer.from(secret)),
  'escapes of strings': (secret) => each(secret, (_, code) => `\\x${code}`),
  percent: (secret) => each(secret, (_, code) => `%${code}`),
  'percent twice': (secret) => each(secret, (_, code) => `%25${code}`),
  'percent where needed': encodeURIComponent,
  'escapes of JSON': (secret) => each(secret, (_, code) => `\\u00${code}`),
  'escaped slashes': (secret) => secret.replaceAll('/', '\\/'),
  'a slash after every character': (secret) => each(secret, (character) => `${character}\\/`),
  'decimal references of HTML': (secret) => each(secret, (character) => `&#${character.charCodeAt(0)};`),
  'hexadecimal references of HTML': (secret) => each(secret, (_, code) => `&#x${code};`),
  'references of HTML with zeros': (secret) => each(secret, (_, code) => `&#x00000000${code};`),
  'decimal references of HTML with zeros': (secret) =>
    each(secret, (character) => `&#00000000${character.charCodeAt(0)};`),
  'code points of JavaScript': (secret) => each(secret, (_, code) => `\\u{00000000${code}}`),
  'octal escapes': (secret) => each(secret, (_, code) => `\\${Number.parseInt(code, 16).toString(8).padStart(3, '0')}`),
  'octal numbers': (secret) => each(secret, (_, code) => ` 0o${Number.parseInt(code, 16).toString(8)}`),
  'octal escapes without zeros': (secret) => each(secret, (_, code) => `\\${Number.parseInt(code, 16).toString(8)}`),
  'escapes of CSS': (secret) => each(secret, (_, code) => `\\0000${code}`),
  'names of code points': (secret) => each(secret, (_, code) => `U+00${code} `),
  'named references of HTML': (secret) =>
    secret.replaceAll('/', '&sol;').replaceAll('+', '&plus;').replaceAll('=', '&equals;').replaceAll('.', '&period;'),
  'upper case': (secret) => secret.toUpperCase(),
  'lower case': (secret) => secret.toLowerCase(),
  reversed: (secret) => [...secret].reverse().join(''),
  'reversed base64': (secret) => [...Buffer.from(secret).toString('base64')].reverse().join(''),
  'spaces after every character': (secret) => each(secret, (character) => `${character} `),
  'hyphens after every character': (secret) => each(secret, (character) => `${character}-`),
  'chunks of eleven': (secret) => inChunks(secret, 11, ' | '),
  'chunks of eleven as JSON': (secret) => inChunks(secret, 11, '","'),
};

/** Spellings that need characters which no header can carry. */
export const FREE_SPELLINGS: typeof SPELLINGS = {
  'invisible characters between': (secret) => each(secret, (character) => `${character}\u200b`),
  'full-width letters': (secret) => each(secret, (character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0)),
  'marks after every character': (secret) => each(secret, (character) => `${character}\u0336`),
  'an element for every character': (secret) => each(secret, (character) => `<b class="x">${character}</b>`),
  'line breaks between': (secret) => inChunks(secret, 5, '\n'),
};

export const every = { ...SPELLINGS, ...FREE_SPELLINGS };
export const TOKEN = 'f3q8Zk1LmN0/R5+TuV7wa==';

/** A text as a redactor leaves it that knows these secrets as USER_TOKEN. */
export function redact(text: string, ...secrets: readonly string[]): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add('USER_TOKEN', secret);
  return redactor.text(text);
}

const RUN = 12;

/**
 * Finds twelve consecutive characters of a secret in texts, once they are decoded. It does not use the code that it
 * tests: it decodes a text where that loses nothing, and otherwise encodes parts of the secret.
 */
export function finderOf(secret: string): (text: string) => string | undefined {
  const runs: { readonly run: string; readonly forms: readonly string[] }[] = [];
  for (let at = 0; at + RUN <= secret.length; at += 1) {
    const run = secret.slice(at, at + RUN);
    runs.push({ run, forms: formsOf(run).filter((form) => form.length >= 8) });
  }
  return (text) => {
    const views = viewsOf(text);
    return runs.find(({ forms }) => forms.some((form) => views.includes(form)))?.run;
  };
}

/** Parts of a secret in the encodings that a text cannot be freed of. */
function formsOf(run: string): readonly string[] {
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.from('\0'.repeat(before) + run).toString('base64');
    return text.slice(before === 0 ? 0 : before + 1, (before + RUN) % 3 === 0 ? undefined : -1).replace(/=/g, '');
  });
  return [run, ...base64, Buffer.from(run).toString('hex'), [...Buffer.from(run)].join('')].map(lettersOf);
}

/** Every reading of a text, forwards and backwards, one on each line. */
function viewsOf(text: string): string {
  const decoded = [
    text,
    text.replace(/<\/?b[^>]*>/g, ''),
    text.replace(/%25/g, '%').replace(/%([0-9a-f]{2})/gi, (_, code) => fromHex(code)),
    text.replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|0x([0-9a-f]{2}), /gi, (_, a, b, c) => fromHex(a ?? b ?? c)),
    text.replace(/(?:\\| 0o)([0-7]{2,3})(?![0-9a-f])/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    text.replace(/(?:\\0000|\\u\{0*|U\+00)([0-9a-f]{2})[} ]?/g, (_, code) => fromHex(code)),
    text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    text.replace(/&#x([0-9a-f]+);/gi, (_, code) => fromHex(code)).replace(/&[a-z]+;/g, ''),
  ];
  const forwards = new Set([...new Set(decoded)].map((view) => lettersOf(view.normalize('NFKC'))));
  return [...forwards].flatMap((view) => [view, [...view].reverse().join('')]).join('\n');
}

/** Letters and digits. Anything else may be a separator that the target added. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function fromHex(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
