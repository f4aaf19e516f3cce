import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { isSameToken } from '../../../harness/plan/token-bytes.ts';
import { contract } from '../../../harness/testing/contract.ts';
import { naming } from './forged-jwt.ts';
import { madeFrom, madeOf } from './token-recipes.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString());
const beside = { other: undefined, person: 'ada@people.example', issuer: 'https://issuer.example' };
/** What the recipes make of a token, by its words. */
const made = (
  from: string,
  more: Partial<Parameters<typeof madeFrom>[1]> = {},
  breadth: 'whole' | 'telling' = 'whole',
) => new Map(madeFrom(from, { ...beside, ...more }, breadth).map((one) => [one.how, one]));

describe('of an opaque token', () => {
  const opaque = 'svc_AbCdEfGhIjKlMnOpQrStUvWxYz0123';
  const tokens = (...given: Parameters<typeof made>) =>
    new Map([...made(...given)].map(([how, one]) => [how, one.token]));

  test('characters are changed at the ends, in the middle and after the prefix', () => {
    const of = tokens(opaque);
    const places = (how: string) => [...opaque].flatMap((letter, at) => (of.get(how)?.[at] === letter ? [] : [at]));
    expect(places('first character changed')).toEqual([0]);
    expect(places('middle character changed')).toEqual([17]);
    expect(places('last character changed')).toEqual([33]);
    expect(places('first four characters changed')).toEqual([0, 1, 2, 3]);
    expect(places('first four characters after the prefix changed')).toEqual([4, 5, 6, 7]);
    expect(places('last four characters changed')).toEqual([30, 31, 32, 33]);
    const all = [...made(opaque).values()];
    expect(all.filter(({ token: one, isFree }) => isSameToken(opaque, one) && !isFree)).toEqual([]);
  });

  test('a prefix is no longer than half of the token', () => {
    const how = 'first four characters after the prefix changed';
    expect(tokens('ab_cd').get(how)).toBeUndefined();
    expect(tokens('abcdefg_hijklmno').get(how)?.slice(-4)).toBe('lmno');
    expect(tokens('12ab_CdEfGhIjKlMn').has(how)).toBe(false);
    expect(tokens('abcd_efgh:ijklmnopqrstuvwxyz').get(how)?.slice(0, 10)).toBe('abcd_efgh:');
    expect(tokens('AbCdEfGh12345678').has(how)).toBe(false);
    expect(tokens(opaque).get('prefix dropped')).toBe(opaque.slice(4));
  });

  test('characters are dropped and appended', () => {
    const of = tokens(opaque);
    expect(of.get('last character dropped')).toBe(opaque.slice(0, -1));
    expect(of.get('last four characters dropped')).toBe(opaque.slice(0, -4));
    expect(of.get('one character appended')).toBe(`${opaque}s`);
    // One would be the same token in Base64.
    expect(tokens('--__--__').get('one character appended')).toBe('--__--__AA');
  });

  test('the case of one letter or of all is changed, and that is free', () => {
    const [one, all] = ['case of one letter changed', 'case of every letter changed'].map((how) =>
      made(opaque).get(how),
    );
    expect(one).toMatchObject({ token: `S${opaque.slice(1)}`, isFree: true });
    expect(all).toMatchObject({ token: 'SVC_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123', isFree: true });
    expect(made(opaque).get('last character dropped')?.isFree).toBe(false);
    expect([...tokens('1234567890').values()]).not.toContain('1234567890');
  });

  test('its second half becomes that of another valid token, if that makes a third one', () => {
    const how = 'second half replaced by that of another valid token';
    expect(tokens(opaque, { other: '-'.repeat(34) }).get(how)).toBe(opaque.slice(0, 17) + '-'.repeat(17));
    expect(tokens(opaque).has(how)).toBe(false);
    expect(tokens(opaque, { other: opaque.slice(0, 17) + '-'.repeat(17) }).has(how)).toBe(false);
  });

  test('it becomes a JWT that names the person', () => {
    const ways = ['with alg none', 'signed with an own key', 'without a signature'];
    const hows = ways.map((how) => `replaced by a JWT that names the person, ${how}`);
    const parts = hows.map((how) => tokens(opaque).get(how)?.split('.') ?? []);
    expect(parts.map(([header]) => decode(header))).toEqual([
      { typ: 'JWT', alg: 'none' },
      { typ: 'JWT', alg: 'ES256', kid: 'own' },
      { typ: 'JWT', alg: 'RS256', kid: 'own' },
    ]);
    expect(parts.map(([, , signature]) => signature === '')).toEqual([true, false, true]);
    expect(decode(parts[0]?.[1])).toMatchObject({
      sub: 'ada@people.example',
      iss: 'https://issuer.example',
      aud: 'https://issuer.example',
    });
    expect([...tokens(opaque, { person: undefined }).keys()].filter((how) => hows.includes(how))).toEqual([]);
  });

  test('no recipe of a JWT applies, and those that are not telling are left out where the breadth is not whole', () => {
    expect([...tokens(opaque).keys()].filter((how) => /alg|kid|sub|exp|scope|part/.test(how))).toEqual([
      'replaced by a JWT that names the person, with alg none',
    ]);
    const rarer = /case|dot|second|four characters dropped/;
    expect([...tokens(opaque, {}, 'telling').keys()].filter((how) => rarer.test(how))).toEqual([]);
    expect(tokens(opaque).get('a dot and letters appended')).toBe(`${opaque}.AAAA`);
    expect(tokens(opaque, {}, 'telling').has('first character changed')).toBe(true);
  });
});

describe('of a JWT', () => {
  const claims = { sub: 'ada', exp: 1, scope: 'SEARCH' };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwtOf = (alg: string, payload: string = encode(claims)) => {
    const input = `${encode({ alg, kid: 'k' })}.${payload}`;
    return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  const jwt = jwtOf('ES256');
  const parts = (how: string, from = jwt) => made(from).get(how)?.token.split('.') ?? [];
  const headerOf = (how: string) => decode(parts(how)[0]);

  test.each([
    ['alg none and no signature', { alg: 'none', kid: 'k' }],
    ['no signature', { alg: 'ES256', kid: 'k' }],
    ['alg none in another case', { alg: 'NoNe', kid: 'k' }],
    ['alg None', { alg: 'None', kid: 'k' }],
    ['alg none and no kid', { alg: 'none' }],
    ['an empty alg', { alg: '', kid: 'k' }],
    ['no alg', { kid: 'k' }],
  ])('%s', (how, header) => {
    expect([headerOf(how), decode(parts(how)[1]), parts(how)[2]]).toEqual([header, claims, '']);
  });

  test.each([
    ['an alg that nobody knows', 'XX256'],
    ['a signature of zeros (CVE-2022-21449)', 'ES256'],
  ])('%s', (how, alg) => {
    expect([headerOf(how).alg, Buffer.from(parts(how)[2] ?? '', 'base64url')]).toEqual([alg, Buffer.alloc(64)]);
  });

  test.each([
    ['exp moved into the future', { ...claims, exp: 4_102_444_800 }],
    ['sub changed', { ...claims, sub: 'somebody-else' }],
    ['scope widened', { ...claims, scope: 'everything', scp: 'everything' }],
  ])('%s, with the signature kept', (how, payload) => {
    const [head, , kept] = jwt.split('.');
    expect([parts(how)[0], decode(parts(how)[1]), parts(how)[2]]).toEqual([head, payload, kept]);
  });

  test.each([
    ['signed with an empty secret', 'k', ''],
    ['signed with the secret "secret"', 'k', 'secret'],
    ['signed with the secret "kiali"', 'k', 'kiali'],
    ['signed with an empty secret, and a kid that leads to an empty file', '../../../../../../dev/null', ''],
    ['signed with an empty secret, and a kid that is an expression of SQL', "' UNION SELECT '", ''],
  ])('%s', (how, kid, secret) => {
    const [head, body, signature] = parts(how);
    expect([headerOf(how), signature]).toEqual([
      { alg: 'HS256', kid },
      createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url'),
    ]);
  });

  test.each([
    ['under the same kid', { alg: 'ES256', kid: 'k' }],
    ['under a kid that nobody knows', { alg: 'ES256', kid: 'unknown' }],
    ['and no kid', { alg: 'ES256' }],
    [
      'and the address of keys in jku',
      { alg: 'ES256', kid: 'k', jku: 'https://keys.invalid/jwks.json', x5u: 'https://keys.invalid/jwks.json' },
    ],
  ])('signed with another key %s', (what, header) => {
    const how = `signed with another key ${what}`;
    expect(headerOf(how)).toEqual(header);
    expect(parts(how)[2]).toHaveLength(86);
    expect(parts(how)[2]).not.toBe(jwt.split('.')[2]);
  });

  test('signed with a key that it holds itself, which verifies it', () => {
    const [head, body, signature = ''] = parts('signed with a key embedded as jwk and x5c');
    const { jwk } = decode(head) as { jwk: JsonWebKey };
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  test('another key signs as the alg says, or by another one that it names', () => {
    const how = 'signed with another key under the same kid';
    expect([parts(how, jwtOf('RS256'))[2]?.length, parts(how, jwtOf('HS256'))[2]?.length]).toEqual([342, 43]);
    expect(decode(parts('signed with another key and algorithm under the same kid', jwtOf('RS256'))[0])).toEqual({
      alg: 'ES256',
      kid: 'k',
    });
  });

  test('a part is appended, and only the case of the signature changes', () => {
    const [head, body] = jwt.split('.');
    const named = jwtOf('ES256', encode({ sub: 'ada' }));
    const swap = (one: string) => (/\p{Lu}/u.test(one) ? one.toLowerCase() : one.toUpperCase());
    const swapped = (text = '') => text.replace(/\p{L}/gu, swap);
    expect(parts('another part appended')).toEqual([...jwt.split('.'), 'AAAA']);
    expect(parts('a dot appended')).toEqual([...jwt.split('.'), '']);
    expect(parts('case of every letter changed')).toEqual([head, body, swapped(jwt.split('.')[2])]);
    expect(parts('case of every letter changed', named)[1]).toBe(named.split('.')[1]);
    const beside = made(jwt, { other: '-'.repeat(jwt.length) });
    expect([...beside.keys()].filter((how) => how.startsWith('second half'))).toEqual([]);
    expect([...made(jwt).keys()].filter((how) => how.startsWith('replaced'))).toEqual([]);
  });

  test('nothing is forged without claims', () => {
    expect(
      [...made(jwtOf('ES256', Buffer.from('text').toString('base64url'))).keys()].filter((how) =>
        /alg|kid|sub/.test(how),
      ),
    ).toEqual([]);
  });
});

test('a run knows another token of the same length, the person behind the token, and who issues tokens', () => {
  const opaque = 'svc_AbCdEfGhIjKlMnOpQrStUvWxYz0123';
  const tokens: Readonly<Record<string, string>> = { USER: opaque, GLOBAL: 'gbl_shorter', OAUTH: '-'.repeat(34) };
  const of = (kind: string, variables: Readonly<Record<string, string>> = {}) => {
    const full = (name: string) => ({ token: tokens[name] ?? '' }) as Credential;
    const api = {
      ...{ contract, full, plan: { cases: new Map() }, breadth: 'whole', variable: (name: string) => variables[name] },
      ...{
        claims: { kinds: Object.keys(tokens) },
        people: { actAs: 'ada@people.example', user: 'uma@people.example' },
      },
    } as unknown as Parameters<typeof madeOf>[0];
    const byWords = new Map(madeOf(api, { kind, credential: full(kind) }).map(({ how, token }) => [how, token]));
    const { sub, iss } = decode(byWords.get('replaced by a JWT that names the person, with alg none')?.split('.')[1]);
    const madeBy = (how: string) => byWords.get(`${how} of another ${how.startsWith('p') ? 'kind' : 'valid token'}`);
    const [spliced, moved] = [madeBy('second half replaced by that'), madeBy('prefix replaced by that')];
    return { spliced, moved, sub, iss };
  };
  const [target, issuer] = ['https://target.example', 'https://issuer.example'];
  expect(of('USER', { TARGET_BASE_URL: target, AUTHORIZATION_SERVER_ISSUER: issuer })).toEqual({
    spliced: opaque.slice(0, 17) + '-'.repeat(17),
    moved: 'gbl_AbCdEfGhIjKlMnOpQrStUvWxYz0123',
    sub: 'uma@people.example',
    iss: issuer,
  });
  expect(of('GLOBAL', { TARGET_BASE_URL: target })).toEqual({
    ...{ moved: 'svc_shorter', sub: 'ada@people.example', iss: target },
  });
  expect(of('USER').iss).toBe('');
});

test('a JWT that names a person is in force for decades, and asks for both scopes', () => {
  const claims = decode(naming('ada@people.example', 'https://issuer.example', { alg: 'none' }, 'none').split('.')[1]);
  expect(claims).toMatchObject({
    email: 'ada@people.example',
    preferred_username: 'ada@people.example',
    upn: 'ada@people.example',
    scope: 'SEARCH CHAT',
    scp: 'SEARCH CHAT',
  });
  expect([claims.iat < Date.now() / 1000, claims.exp]).toEqual([true, 4_102_444_800]);
});
