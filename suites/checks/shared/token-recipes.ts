import { createHash } from 'node:crypto';
import type { CheckApi } from '../../../harness/checks/check.ts';
import { given } from '../../../harness/contract/collections.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import {
  isBasic,
  isJwt,
  isSameToken,
  isSpelledAlike,
  tamperAt,
  tamperMiddle,
} from '../../../harness/plan/token-bytes.ts';
import { type Changes, FAR_FUTURE, forge, naming, type Signature } from './forged-jwt.ts';
import { type Known, withOtherParts } from './token-parts.ts';

interface Beside {
  /** Another valid token of the same length. */
  readonly other: string | undefined;
  /** With which tokens of another kind begin. */
  readonly prefix?: string | undefined;
  readonly person: string | undefined;
  /** Who a forged token says has issued it. */
  readonly issuer: string;
  readonly known?: Known;
}
/** A way to make a token from a valid one. `make` returns undefined if it does not apply to the token. */
interface Recipe {
  readonly how: string;
  readonly make: (token: string, beside: Beside) => string | undefined;
  /** Without the whole breadth, only these are tried. */
  readonly isTelling?: true;
}
export interface Made {
  readonly how: string;
  readonly token: string;
  /** Only the case of letters or hyphens differ: the specification does not say whether it is the same token. */
  readonly isFree: boolean;
  /** The token in bash, made from a variable. */
  readonly shell?: (variable: string) => string;
}

const FOUR = [0, 1, 2, 3];
/** A word at the beginning of a token that says what it is, and its length. It is no longer than the rest. */
function prefixOf(token: string): number {
  const { length } = /^(?:[a-z]+[_:~-])+/i.exec(token)?.[0] ?? '';
  return length <= token.length / 2 ? length : 0;
}
const otherPrefix = (token: string, { prefix }: Beside) => (prefixOf(token) > 0 ? prefix : undefined);
/** What a forged header names: a file without content, a secret without letters, and keys that nobody has (RFC 6761 6.4). */
const EMPTY = '../../../../../../dev/null';
const SQL = "' UNION SELECT '";
const KEYS = 'https://keys.invalid/jwks.json';
/** Secrets of examples, and of products whose makers left one in (CVE-2020-1764, CVE-2025-20188). */
const PUBLISHED = ['your-256-bit-secret', 'changeme', 'kiali', 'notfound'];
/** The token with the characters at these places changed. A separator at the end of a prefix is a part of it. */
const changed = (how: string, places: (token: string, beside: Beside) => readonly number[] | undefined): Recipe => ({
  how: `${how} changed`,
  isTelling: true,
  make: (token, beside) => places(token, beside)?.reduce((made, at) => tamperAt(made, at).token, token),
});
/** The first of the tokens, made with a growing count, that is another one in every encoding. */
const another = (how: string, make: (token: string, count: number) => string): Recipe => ({
  how,
  isTelling: true,
  make: (token) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((count) => make(token, count)).find((made) => !isSameToken(token, made)),
});
/** A JWT with a changed header or changed claims (RFC 8725 2.1 and 3.1). */
const rarer = (how: string, changes: Changes, signature: Signature): Recipe => ({
  how,
  make: (token) => forge(token, changes, signature),
});
const forged = (...known: Parameters<typeof rarer>): Recipe => ({ ...rarer(...known), isTelling: true });
/** A JWT that names a person, where the target's own token is none. */
const rarerName = (how: string, header: object, signature: Parameters<typeof naming>[3]): Recipe => ({
  how: `replaced by a JWT that names the person, ${how}`,
  make: (token, { person, issuer }) =>
    isJwt(token) || person === undefined ? undefined : naming(person, issuer, header, signature),
});
const replaced = (...known: Parameters<typeof rarerName>): Recipe => ({ ...rarerName(...known), isTelling: true });

const AT_SEPARATOR = /^(.+[._:~-])([^._:~-]+)$/;
/** Tokens may have an id and a secret, as in `key_ID_SECRET`. What stands there in a JWT has recipes of its own. */
const secretOf = (what: string, make: (id: string, others?: string) => string | undefined): Recipe => ({
  how: `what follows the last separator ${what}`,
  make: (token, { other = '' }) => {
    const id = isJwt(token) ? undefined : AT_SEPARATOR.exec(token)?.[1];
    return id && make(id, AT_SEPARATOR.exec(other)?.[2]);
  },
});

const RECIPES: readonly Recipe[] = [
  changed('first character', () => [0]),
  {
    how: 'middle character changed',
    isTelling: true,
    // Of an opaque token this is the one that the matrix sends, and is not sent twice.
    make: (token) => (isJwt(token) ? tamperAt(token, Math.floor(token.length / 2)) : tamperMiddle(token)).token,
  },
  changed('last character', ({ length }) => [length - 1]),
  another('last character dropped', (token, count) => token.slice(0, -count)),
  // One character is enough to make the header of a JWT unreadable, and a known prefix shows more than none.
  changed('first four characters', (token, beside) => (isJwt(token) || otherPrefix(token, beside) ? undefined : FOUR)),
  changed('first four characters after the prefix', (token) => {
    const prefix = prefixOf(token);
    return prefix > 0 ? FOUR.map((at) => prefix + at) : undefined;
  }),
  { how: 'prefix dropped', make: (token) => token.slice(prefixOf(token)) },
  {
    // A server that reads the kind there may look up the rest alone.
    how: 'prefix replaced by that of another kind',
    isTelling: true,
    make: (token, beside) => otherPrefix(token, beside)?.concat(token.slice(prefixOf(token))),
  },
  secretOf('dropped', (id) => id),
  secretOf('dropped, with the separator', (id) => id.slice(0, -1)),
  secretOf('replaced by that of another valid token', (id, others) => others && id + others),
  changed('last four characters', ({ length }) => FOUR.map((at) => length - 1 - at)),
  { how: 'last four characters dropped', make: (token) => token.slice(0, -4) },
  another('one character appended', (token, count) => token + (/[A-Za-z0-9]/.exec(token)?.[0] ?? 'A').repeat(count)),
  { how: 'case of one letter changed', make: (token) => swapCase(token, 1) },
  { how: 'case of every letter changed', make: (token) => swapCase(token, Number.POSITIVE_INFINITY) },
  { how: 'second half replaced by that of another valid token', make: (token, { other }) => splice(token, other) },
  forged('alg none and no signature', { header: { alg: 'none' } }, 'none'),
  forged('no signature', {}, 'none'),
  rarer('alg none and the old signature', { header: { alg: 'none' } }, 'kept'),
  rarer('another member in its header, and the old signature', { header: { conformance: true } }, 'kept'),
  rarer('alg none in another case', { header: { alg: 'NoNe' } }, 'none'),
  forged('signed with another key under the same kid', {}, 'own key'),
  forged('signed with another key and algorithm under the same kid', {}, 'another algorithm'),
  forged('signed with a key embedded as jwk and x5c', {}, 'embedded key'),
  forged('exp moved into the future', { payload: { exp: FAR_FUTURE } }, 'kept'),
  forged('sub changed', { payload: { sub: 'somebody-else' } }, 'kept'),
  rarer('scope widened', { payload: { scope: 'everything', scp: 'everything' } }, 'kept'),
  forged('alg None', { header: { alg: 'None' } }, 'none'),
  rarer('alg none and no kid', { header: { alg: 'none', kid: undefined } }, 'none'),
  rarer('an empty alg', { header: { alg: '' } }, 'none'),
  rarer('no alg', { header: { alg: undefined } }, 'none'),
  rarer('an alg that nobody knows', { header: { alg: 'XX256' } }, 'zeros'),
  rarer('a signature of zeros (CVE-2022-21449)', { header: { alg: 'ES256' } }, 'zeros'),
  forged('signed with an empty secret', {}, { secret: '' }),
  forged('signed with the secret "secret"', {}, { secret: 'secret' }),
  ...PUBLISHED.map((secret) => rarer(`signed with the secret "${secret}"`, {}, { secret })),
  rarer('signed with a secret embedded as jwk', {}, 'embedded secret'),
  rarer(
    'signed with an empty secret, and a kid that leads to an empty file',
    { header: { kid: EMPTY } },
    { secret: '' },
  ),
  rarer(
    'signed with an empty secret, and a kid that is an expression of SQL',
    { header: { kid: SQL } },
    { secret: '' },
  ),
  rarer('signed with its kid as the secret', { header: { kid: 'conformance' } }, { secret: 'conformance' }),
  forged('signed with another key under a kid that nobody knows', { header: { kid: 'unknown' } }, 'own key'),
  rarer('signed with another key and no kid', { header: { kid: undefined } }, 'own key'),
  rarer('signed with another key and the address of keys in jku', { header: { jku: KEYS, x5u: KEYS } }, 'own key'),
  ...['last character', 'every character'].map((how) => ({
    how: `${how} replaced by _, which stands for any in a pattern of SQL`,
    make: (token: string) => (how === 'last character' ? `${token.slice(0, -1)}_` : token.replace(/[^.]/g, '_')),
  })),
  { how: 'two characters replaced by others with the same hash code of Java', make: hashedAlike },
  {
    how: 'token replaced by its SHA-256, which may be what a server keeps of it',
    make: (token) => createHash('sha256').update(token).digest('hex'),
  },
  { how: 'another part appended', isTelling: true, make: (token) => (isJwt(token) ? `${token}.AAAA` : undefined) },
  { how: 'a dot and letters appended', make: (token) => (isJwt(token) ? undefined : `${token}.AAAA`) },
  { how: 'a dot appended', make: (token) => `${token}.` },
  replaced('with alg none', { alg: 'none' }, 'none'),
  rarerName('signed with the secret "secret"', {}, { secret: 'secret' }),
  replaced('signed with an own key', { alg: 'ES256', kid: 'own' }, 'own key'),
  replaced('without a signature', { alg: 'RS256', kid: 'own' }, 'none'),
];

/** Every token that the recipes make. None of them may be the same token in an encoding that it may have. */
export function madeFrom(token: string, beside: Beside, breadth: 'whole' | 'telling'): readonly Made[] {
  const ofRecipes = RECIPES.filter(({ isTelling }) => breadth === 'whole' || isTelling).map(({ how, make }) => ({
    how,
    token: make(token, beside),
  }));
  const ofParts = beside.known ? withOtherParts(token, beside.known, breadth) : [];
  const made = [...ofRecipes, ...ofParts].flatMap(({ how, token: result }): Made[] => {
    // Where both tokens begin alike, the result may be the other valid one.
    if (result === undefined || result === token || result === beside.other) return [];
    const isFree = isSpelledAlike(token, result);
    return isFree || !isSameToken(token, result) ? [{ how, token: result, isFree }] : [];
  });
  return [...new Map(made.map((one) => [one.token, one])).values()];
}

export function madeOf(
  api: Pick<CheckApi, 'claims' | 'contract' | 'people' | 'breadth' | 'full' | 'variable' | 'plan'>,
  { kind, credential }: { readonly kind: string; readonly credential: Credential | undefined },
): readonly Made[] {
  const token = credential?.token ?? '';
  const { people } = api;
  const others = api.claims.kinds.flatMap((name) => (name === kind ? [] : (api.full(name)?.token ?? [])));
  const beside = {
    other: others.find(({ length }) => length === token.length),
    prefix: others.map((one) => one.slice(0, prefixOf(one))).find((one) => one !== '' && !token.startsWith(one)),
    person: actsAs(api.contract, kind) ? people.actAs : people.user,
    known: {
      tokens: issuedIn(api.plan),
      people: given([people.actAs, people.user, people.former]),
      isBasic: isBasic(api.contract),
    },
    issuer: api.variable('AUTHORIZATION_SERVER_ISSUER') ?? api.variable('TARGET_BASE_URL') ?? '',
  };
  return madeFrom(token, beside, api.breadth);
}

/** The tokens of a run that somebody issued. */
function issuedIn({ cases }: CheckApi['plan']): readonly string[] {
  const issued = [...cases.values()].filter(
    ({ values }) => values.validity !== 'tampered' && values.kind !== 'unknown',
  );
  return [...new Set(issued.flatMap(({ credential }) => credential?.token ?? []))];
}

/** In a JWT, only the signature changes. */
function swapCase(token: string, most: number): string | undefined {
  let left = most;
  const from = isJwt(token) ? token.lastIndexOf('.') + 1 : 0;
  const swapped = token.slice(from).replace(/[A-Za-z]/g, (letter) => {
    if (left <= 0) return letter;
    left -= 1;
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
  return token.slice(0, from) + swapped;
}

/** The hash codes of Java are alike if a character grows by one and the next one shrinks by 31. */
function hashedAlike(token: string): string | undefined {
  const at = /[A-Ya-y0-8][a-y]/.exec(token)?.index;
  if (at === undefined) return undefined;
  const moved = String.fromCharCode(token.charCodeAt(at) + 1, token.charCodeAt(at + 1) - 31);
  return token.slice(0, at) + moved + token.slice(at + 2);
}

function splice(token: string, other: string | undefined): string | undefined {
  if (other === undefined || isJwt(token)) return undefined;
  const half = Math.floor(token.length / 2);
  return token.slice(0, half) + other.slice(half);
}
