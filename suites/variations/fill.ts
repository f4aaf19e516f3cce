import { PLACEHOLDER, REPEATED, type VariationRow } from '../../harness/contract/variations.ts';

/** What placeholders stand for in a run. One that has no text here is not known, such as that of a second person. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** The values of a row with their placeholders filled. A value with one that is not known is left out. */
export function valuesOf({ kind, values, as, in: place }: VariationRow, texts: Texts): readonly unknown[] {
  // The name of a parameter and its value are written as they are sent. As it is, the + of a token would be read as a blank.
  const write = kind === 'parameter' || place === 'parameter' ? encodeURIComponent : String;
  return values.flatMap((value) => {
    const text = filled(value, texts, write);
    if (text === undefined) return [];
    return [as === 'base64' ? Buffer.from(String(text)).toString('base64') : text];
  });
}

/** A text or a JSON value with its placeholders filled. Undefined if one of them is not known. */
export function filled(value: unknown, texts: Texts, write: (text: string) => string = String): unknown {
  if (typeof value === 'string') return filledText(value, texts, write);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, one]) => [filledText(name, texts, String) ?? name, filled(one, texts, write)] as const,
  );
  if (entries.some(([, one]) => one === undefined)) return undefined;
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

function filledText(text: string, texts: Texts, write: (text: string) => string): string | undefined {
  let isKnown = true;
  const result = text.replace(PLACEHOLDER, (_all, name: string) => {
    const [character = '', times] = name.split(':');
    const found = times === undefined ? texts[name] : REPEATED[character]?.repeat(Number(times));
    isKnown &&= found !== undefined;
    return write(found ?? '');
  });
  return isKnown ? result : undefined;
}

const encoded = (text: string): string =>
  text.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Parts and spellings of a path. */
export function pathTexts(path: string) {
  const slash = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)];
  return {
    ...{ path, folder, name, rest: path.replace(/\/[^/]+/, '') || undefined },
    ...{ PATH: path.toUpperCase(), NAME: name.toUpperCase() },
    ...{ 'next-version': versioned(path, 1), 'last-version': versioned(path, -1) },
    unversioned: /\/v\d+\//.test(path) ? path.replace(/\/v\d+\//, '/') : undefined,
    encoded: encoded(name),
    'encoded-twice': encoded(name).replace('%', '%25'),
  };
}

/** The path of another version. Undefined if the path has none. */
function versioned(path: string, step: 1 | -1): string | undefined {
  const [, version] = /\/v(\d+)\//.exec(path) ?? [];
  return version === undefined ? undefined : path.replace(`/v${version}/`, `/v${Number(version) + step}/`);
}

/** Parts and spellings of an email. A header value is sent as Latin-1, one byte for each character. */
export function personTexts(person: string) {
  const [local = '', domain = ''] = person.split('@');
  const accent = (letter: string) => `${letter}\u0301`.normalize('NFC');
  return {
    ...{ person, local, domain, PERSON: person.toUpperCase(), end: person.slice(1), beginning: person.slice(0, -1) },
    ...{ Person: capitalized(person), DOMAIN: domain.toUpperCase() },
    'first-three': person.slice(0, 3),
    'look-alike': latin1(person.replace(/[aeoic]/, (letter) => LOOK_ALIKES[letter] ?? letter)),
    accented: latin1(person.replace(/[aeiou]/, accent)),
    // Capitals of these are I and S.
    dotless: latin1(person.replace(/[is]/, (letter) => (letter === 'i' ? '\u0131' : '\u017f'))),
    superscript: latin1(person.replace(/[aeo]/, (letter) => SUPERSCRIPTS[letter] ?? letter)),
    ...{ undotted: `${local.replaceAll('.', '')}@${domain}`, dotted: `${local.replace(/./, '$&.')}@${domain}` },
    ...{ 'encoded-email': encoded(person), 'email-encoded-twice': encoded(person).replace('%', '%25') },
    // A name without these parts has no such form.
    'without-top': unlike(person, person.replace(/\.[^.@]+$/, '')),
    swapped: unlike(person, person.replace(/(.)(.)/, '$2$1')),
    hyphenated: unlike(person, `${local.replaceAll('.', '-')}@${domain}`),
    initialled: unlike(person, `${local.replace(/^(\w)\w+\./, '$1.')}@${domain}`),
    'dots-as-letters': unlike(person, person.replaceAll('.', 'x')),
    'email-in-base': Buffer.from(person).toString('base64'),
    'email-in-hex': Buffer.from(person).toString('hex'),
  };
}

const capitalized = (text: string) => text.replace(/./, (letter) => letter.toUpperCase());
const unlike = (person: string, other: string) => (other === person ? undefined : other);
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
/** Letters of another alphabet that look like Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: '\u0430',
  e: '\u0435',
  o: '\u043e',
  i: '\u0456',
  c: '\u0441',
};

/** Letters that compatibility normalization (NFKC) takes for Latin ones. */
const SUPERSCRIPTS: Readonly<Record<string, string>> = { a: '\u1d43', e: '\u1d49', o: '\u1d52' };

/** Spellings of the id of somebody else's conversation. @param message the id of a message in it. */
export function conversationTexts(id: string, own: string | undefined, message: string | undefined) {
  const CONVERSATION = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  // Such as `conv_`, which a store may add to what it is asked for.
  const unprefixed = unlike(id, id.replace(/^[a-z]{1,20}[_:~-]/i, ''));
  return { conversation: id, CONVERSATION, encoded: encoded(id), unprefixed, message, 'own-conversation': own };
}

/** Parts and spellings of a token. They are as secret as the token. */
export function tokenTexts(token: string) {
  const half = Math.floor(token.length / 2);
  const basic = (pair: string) => Buffer.from(pair).toString('base64');
  return {
    ...{ token, half: token.slice(0, half), rest: token.slice(half), encoded: encoded(token) },
    ...{ TOKEN: token.toUpperCase(), lower: token.toLowerCase() },
    ...{ unhyphenated: token.replaceAll('-', ''), underscored: token.replaceAll('-', '_') },
    ...{ 'basic-password': basic(`user:${token}`), 'basic-user': basic(`${token}:`), 'in-json': inJson(token) },
  };
}

/** A JWT in JSON (RFC 7515 7.2), with other claims where a reader of the compact form looks. Undefined if the token is no JWT. */
function inJson(token: string): string | undefined {
  const [, head, payload = '', signature] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  if (head === undefined) return undefined;
  const claims = Buffer.from(payload, 'base64url').toString().replace(/}$/, ',"exp":4102444800}');
  const other = `${head}.${Buffer.from(claims).toString('base64url')}.`;
  return JSON.stringify({ [other]: '', protected: head, payload, signature });
}

export function nameTexts(header: string) {
  return {
    ...{ header, lower: header.toLowerCase(), UPPER: header.toUpperCase(), underscored: header.replaceAll('-', '_') },
    mixed: header.replace(
      /([a-z])([a-z]?)/gi,
      (_, one: string, next: string) => one.toLowerCase() + next.toUpperCase(),
    ),
    divided: header.replace(/([a-z])([A-Z])/g, '$1-$2'),
    joined: header.replace(/-([^-]+)$/, '$1'),
    unprefixed: header.replace(/^X-/, ''),
  };
}
