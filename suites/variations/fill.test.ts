import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headerOf } from '../../harness/contract/contract.ts';
import type { VariationRow } from '../../harness/contract/variations.ts';
import { contract } from '../../harness/testing/contract.ts';
import { filled, nameTexts, pathTexts, personTexts, type Texts, tokenTexts, valuesOf } from './fill.ts';

const { headers } = contract.matrix;
// Functions, so that a mutant of what they call costs no process (docs/proof.md, Mutants).
const common = (): Texts => ({
  ...personTexts('ada.byron@example.test'),
  ...{ other: 'bela.kiraly@example.test', host: 'TARGET', origin: 'http://TARGET', jwt: 'MADE.MADE.' },
  ...{ loopback: '127.0.0.1', private: '10.0.0.1', token: 'TOKEN', 'unknown-token': 'UNKNOWN' },
  ...{ 'act-as-name': headerOf(contract, 'act-as').name, 'auth-type-name': headerOf(contract, 'auth-type').name },
  ...{ 'authorization-name': headers.authorization.name, family: 'X-Service' },
});
const MADE = 'MADE';
/** What arrivals call the parts of a token. */
const tokens = () => ({ ...tokenTexts('TOKEN'), 'unknown-token': MADE, half: MADE, rest: MADE, encoded: MADE });
const BASIC = { 'basic-password': `${MADE}==`, 'basic-user': `${MADE}=` };

/** The lines of a row in the form of sent.txt, for an operation. */
function linesOf(row: VariationRow, { path, scopes }: (typeof contract.operations)[number]): readonly string[] {
  const { kind, in: where } = row;
  const texts: Texts = { ...common(), ...pathTexts(path), scope: scopes.join(' ') };
  const name = String(filled(row.name, texts) ?? '');
  const values = valuesOf(row, texts).map((value) => (typeof value === 'string' ? shortened(value) : value));
  switch (kind) {
    case 'header':
      return values.map((value) => `header ${name}: ${value}`);
    case 'parameter':
      return values.map((value) => `parameter ${name}=${value}`);
    case 'field':
      return values.map((value) => `field ${name}: ${JSON.stringify(value)}`);
    case 'cookie':
      return values.map((value) => `cookie ${name}=${value}`);
    case 'path':
      return values.map((value) => `path ${String(value).replace(/\?$/, '')}`);
    case 'query':
      return values.map((value) => `field query: ${JSON.stringify(value)}`);
    case 'method':
      return [`method ${name}`];
    case 'content-type':
      return [`header Content-Type: ${name}`];
    case 'transport':
    case 'route':
      return [name];
    case 'auth-type':
      return [`header ${headerOf(contract, 'auth-type').name}: ${name}`];
    case 'person':
      return values.map((value) => `header ${headerOf(contract, 'act-as').name}: ${value}`);
    case 'acting':
      return values.flat().map((value) => `header ${headerOf(contract, 'act-as').name}: ${value}`);
    case 'conversation':
      return [];
    case 'authorization':
      return valuesOf(row, { ...common(), ...tokens(), ...BASIC }).map((value) => `header Authorization: ${value}`);
    case 'place':
      return values.map((value) => (where === 'header' ? `header ${name}: ${value}` : `${where} ${name}=${value}`));
    case 'name':
      return (['act-as', 'auth-type'] as const).flatMap((dimension) =>
        valuesOf(row, nameTexts(headerOf(contract, dimension).name)).map(
          (value) => `header ${value}: ${dimension === 'act-as' ? common()['person'] : 'OAUTH'}`,
        ),
      );
  }
}

const shortened = (text: string): string =>
  text.replace(/([a-z])\1{99,}/g, (run, letter: string) => `${letter} x ${run.length}`);

/** Lines that rows have in another form: several cookies are one line, and ways to send a body have a name. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'header Cookie: session=1; user=admin; authenticated=true': [
    'cookie session=1',
    'cookie user=admin',
    'cookie authenticated=true',
  ],
  'header Cookie: debug=1': ['cookie debug=1'],
  'header Cookie: access_token=TOKEN; token=TOKEN': ['cookie access_token=TOKEN', 'cookie token=TOKEN'],
  'header Content-Encoding: gzip': ['gzip'],
  'header Transfer-Encoding: chunked': ['chunked'],
  'form query=conformance+suite+test+query': ['header Content-Type: application/x-www-form-urlencoded'],
};
/** Lines of requests as they are documented, of the people and words of a target, and of tokens in parts. */
const NO_ROW = [
  /^field (conversationId|query: "[a-zA-Z ,.]{9,}")/,
  /^field query: "bela\.kiraly/,
  /^field query: "ada\.byron/,
  /^field pageSize: 5$/,
  /^header (Accept: application\/json|Connection: close|connection: keep-alive|Content-Type: application\/json)/,
  /^header (Authorization: Bearer (TOKEN|MADE)|User-Agent: RUN|X-Service-ActAs: (NOBODY|bela\.kiraly)@example\.test)$/,
  /^header X-Service-ActAs: (ada\.byron@example\.test|bela\.kiraly@example\.test, ada\.byron@example\.test)$/,
  /^header Authorization: (Bearer MADE\.MADE|Basic MADE$)/,
  /^parameter query=/,
  /^parameter access_token=UNKNOWN$/,
];

test('everything that checks with lists of their own sent is a value of a row', () => {
  const made = new Set(
    contract.operations.flatMap((one) => contract.variations.rows.flatMap((row) => linesOf(row, one))),
  );
  const sent = readFileSync(new URL('sent.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const wanted = sent.filter((line) => !NO_ROW.some((pattern) => pattern.test(line)));
  expect(wanted.length).toBeGreaterThan(250);
  expect(wanted.flatMap((line) => OTHERWISE[line] ?? line).filter((line) => !made.has(line))).toEqual([]);
});

const ROW = { kind: 'header', name: 'X', about: 'a test', source: 'rfc-9110', telling: 0 } as const;

test('a value whose placeholder is not known is left out', () => {
  const row = { ...ROW, values: ['{other}', 'for {person}', 'admin'] };
  expect(valuesOf(row, { person: 'a@b.test' })).toEqual(['for a@b.test', 'admin']);
});

test('a JSON value is filled inside', () => {
  const row = {
    ...ROW,
    kind: 'field' as const,
    values: [{ user: ['{person}'], admin: true }, [{ user: '{other}', admin: true }], null],
  };
  expect(valuesOf(row, { person: 'a@b.test' })).toEqual([{ user: ['a@b.test'], admin: true }, null]);
});

test('what a placeholder of a parameter stands for is percent-encoded, and the rest is written as it is', () => {
  const row = { ...ROW, kind: 'parameter' as const, values: ['1%0a{person}'] };
  expect(valuesOf(row, { person: 'a&b@c.test' })).toEqual(['1%0aa%26b%40c.test']);
});

test('so is a token that stands in a parameter, and in no other place', () => {
  const placed = (place: 'parameter' | 'cookie') =>
    valuesOf({ ...ROW, kind: 'place', in: place, values: ['{token}'] }, { token: 'a+b/c=' });
  expect(placed('parameter')).toEqual(['a%2Bb%2Fc%3D']);
  expect(placed('cookie')).toEqual(['a+b/c=']);
});

test('a value is encoded after its placeholders are filled', () => {
  const [value] = valuesOf({ ...ROW, values: ['{"user":"{person}"}'], as: 'base64' }, { person: 'a@b.test' });
  expect(Buffer.from(String(value), 'base64').toString()).toBe('{"user":"a@b.test"}');
});

test('other braces are sent as they are', () => {
  expect(filled('{{7*7}} {} {"a":1} {text:3}{blanks:2}b', {})).toBe('{{7*7}} {} {"a":1} aaa  b');
});

test('a path without a version has no other version', () => {
  expect(pathTexts('/rest/api/v1/search')).toMatchObject({
    ...{
      'next-version': '/rest/api/v2/search',
      'last-version': '/rest/api/v0/search',
      unversioned: '/rest/api/search',
    },
  });
  expect(pathTexts('/search')).toMatchObject({ 'next-version': undefined, unversioned: undefined, rest: undefined });
});

test('a path has parts, spellings and other versions', () => {
  expect(pathTexts('/rest/api/v12/search')).toEqual({
    ...{ path: '/rest/api/v12/search', folder: '/rest/api/v12', name: 'search', rest: '/api/v12/search' },
    ...{ PATH: '/REST/API/V12/SEARCH', NAME: 'SEARCH', encoded: '%73earch', 'encoded-twice': '%2573earch' },
    ...{ 'next-version': '/rest/api/v13/search', 'last-version': '/rest/api/v11/search' },
    unversioned: '/rest/api/search',
  });
});

test('a token has parts and spellings', () => {
  expect(tokenTexts('aB-cD-eF')).toEqual({
    ...{ token: 'aB-cD-eF', half: 'aB-c', rest: 'D-eF', encoded: '%61B-cD-eF' },
    ...{ TOKEN: 'AB-CD-EF', lower: 'ab-cd-ef', unhyphenated: 'aBcDeF', underscored: 'aB_cD_eF' },
    'basic-password': Buffer.from('user:aB-cD-eF').toString('base64'),
    'basic-user': Buffer.from('aB-cD-eF:').toString('base64'),
  });
  expect(tokenTexts('abc')).toMatchObject({ half: 'a', rest: 'bc' });
});

test('a JWT has a form in JSON, whose first two parts read as one with another expiry', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [head, payload] = [encode({ alg: 'HS256' }), encode({ realm: { roles: [] }, sub: 'ada', exp: 1 })];
  const text = tokenTexts(`${head}.${payload}.AAAA`)['in-json'] ?? '';
  const { protected: signed, payload: original, signature, ...beside } = JSON.parse(text);
  expect([signed, original, signature, ...Object.values(beside)]).toEqual([head, payload, 'AAAA', '']);
  const claims = Buffer.from(text.split('.')[1] ?? '', 'base64url').toString();
  expect(JSON.parse(claims)).toEqual({ realm: { roles: [] }, sub: 'ada', exp: 4_102_444_800 });
  expect(tokenTexts('a.b.c.d')['in-json']).toBeUndefined();
});

test('a character is encoded with two digits', () => {
  expect(tokenTexts('\tab').encoded).toBe('%09ab');
});

test.each([
  ['bca', 'b\u0441a'],
  ['bea', 'b\u0435a'],
  ['boa', 'b\u043ea'],
  ['bia', 'b\u0456a'],
  ['bac', 'b\u0430c'],
  ['xyz', 'xyz'],
])('the first letter of %s with a look-alike gets it', (person, alike) => {
  expect(Buffer.from(personTexts(person)['look-alike'], 'latin1').toString()).toBe(alike);
});

test('an email has parts and spellings', () => {
  const person = 'ian.smith@mail.b.test';
  const { 'look-alike': alike, accented, dotless, superscript, ...ofLetters } = personTexts(person);
  const utf8 = [alike, accented, dotless, superscript].map((text) => Buffer.from(text, 'latin1').toString());
  expect(utf8.map((text) => text.replace('n.smith@mail.b.test', ''))).toEqual([
    '\u0456a',
    '\u00eda',
    '\u0131a',
    'i\u1d43',
  ]);
  expect(ofLetters).toEqual({
    ...{ person, local: 'ian.smith', domain: 'mail.b.test', PERSON: 'IAN.SMITH@MAIL.B.TEST' },
    ...{ end: 'an.smith@mail.b.test', beginning: 'ian.smith@mail.b.tes', 'first-three': 'ian' },
    ...{ Person: 'Ian.smith@mail.b.test', DOMAIN: 'MAIL.B.TEST', 'without-top': 'ian.smith@mail.b' },
    ...{ undotted: 'iansmith@mail.b.test', dotted: 'i.an.smith@mail.b.test' },
    ...{ 'encoded-email': '%69an.smith@mail.b.test', 'email-encoded-twice': '%2569an.smith@mail.b.test' },
    ...{ swapped: 'ain.smith@mail.b.test', hyphenated: 'ian-smith@mail.b.test', initialled: 'i.smith@mail.b.test' },
    ...{
      'dots-as-letters': 'ianxsmith@mailxbxtest',
      'email-in-base': 'aWFuLnNtaXRoQG1haWwuYi50ZXN0',
      'email-in-hex': '69616e2e736d697468406d61696c2e622e74657374',
    },
  });
  expect(Buffer.from(personTexts('sam@b.test').dotless, 'latin1').toString()).toBe('\u017fam@b.test');
  expect(personTexts('')).toMatchObject({ local: '', domain: '' });
});

test('an email without some parts has no spelling of them', () => {
  const none = { 'without-top': undefined, swapped: undefined, hyphenated: undefined, initialled: undefined };
  expect(personTexts('aa@b')).toMatchObject(none);
  // Only the first name has an initial.
  expect(personTexts('a.byron.c@b.test').initialled).toBeUndefined();
});

test('the name of a header has spellings', () => {
  expect(nameTexts('X-Service-ActAs-X-Y')).toEqual({
    ...{
      header: 'X-Service-ActAs-X-Y',
      lower: 'x-service-actas-x-y',
      mixed: 'x-sErViCe-aCtAs-x-y',
      UPPER: 'X-SERVICE-ACTAS-X-Y',
    },
    ...{ underscored: 'X_Service_ActAs_X_Y', divided: 'X-Service-Act-As-X-Y', joined: 'X-Service-ActAs-XY' },
    unprefixed: 'Service-ActAs-X-Y',
  });
  expect(nameTexts('Service-X-Y').unprefixed).toBe('Service-X-Y');
});
