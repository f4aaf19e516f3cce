import { describe, expect, test } from 'vitest';
import { catalogue } from '../testing/contract.ts';
import { createRedactor, redactorFor } from './redact.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7w';
const JWT = `${Buffer.from('{"alg":"ES256","kid":"k1"}').toString('base64url')}.${Buffer.from('{"sub":"uma"}').toString('base64url')}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg`;

function redact(text: string, secrets: Readonly<Record<string, string>>): string {
  const redactor = createRedactor();
  for (const [label, secret] of Object.entries(secrets)) redactor.add(label, secret);
  return redactor.text(text);
}

describe('a redactor', () => {
  test.each([
    ['masks a secret', `token ${TOKEN} refused`, 'token <A> refused'],
    ['masks every occurrence', `${TOKEN} and ${TOKEN}`, '<A> and <A>'],
    ['masks its first 12 characters', `${TOKEN.slice(0, 12)}...`, '<A>...'],
    ['masks its last 12 characters', `...${TOKEN.slice(-12)}`, '...<A>'],
    ['masks 12 characters of its middle', `(${TOKEN.slice(4, 16)})`, '(<A>)'],
    ['masks more than 12 characters once', `(${TOKEN.slice(2, 18)})`, '(<A>)'],
    ['leaves 11 characters alone', TOKEN.slice(3, 14), TOKEN.slice(3, 14)],
    ['masks a secret inside other text', `x${TOKEN}${TOKEN}y`, 'x<A><A>y'],
    ['leaves other text alone', 'Required header missing: X-Service-ActAs', 'Required header missing: X-Service-ActAs'],
    ['leaves an empty text alone', '', ''],
  ])('%s', (_what, text, masked) => {
    expect(redact(text, { A: TOKEN })).toBe(masked);
  });

  test('masks overlapping secrets once', () => {
    const other = `${TOKEN.slice(-10)}9999988888`;
    const masked = redact(`${TOKEN}9999988888`, { A: TOKEN, B: other });
    expect(masked).toBe('<A>');
    expect(redact(other, { A: TOKEN, B: other })).toBe('<B>');
  });

  test('masks a run that two secrets share with the first label', () => {
    const shared = 'shared-prefix-of-both-';
    expect(redact(shared, { FIRST: `${shared}1`, SECOND: `${shared}2` })).toBe('<FIRST>');
  });

  test.each([TOKEN, 's3cret'])('masks %s, which is added twice, with its first label', (secret) => {
    expect(redact(secret, { FIRST: secret, SECOND: secret })).toBe('<FIRST>');
  });

  test('masks the longer of two short secrets as a whole, in any order', () => {
    for (const secrets of [
      { A: 's3cret', B: 's3cret-two' },
      { B: 's3cret-two', A: 's3cret' },
    ])
      expect(redact('s3cret-two and s3cret', secrets)).toBe('<B> and <A>');
  });

  test('never masks inside a mask', () => {
    expect(redact(`${TOKEN} for TOKEN`, { USER_TOKEN: TOKEN, MARKER: 'TOKEN' })).toBe('<USER_TOKEN> for <MARKER>');
  });

  test.each([
    ['in another case', 'Uma.User@People.Example'],
    ['in a URL', 'uma.user%40people.example'],
    ['in markup', 'uma.user&#64;people.example'],
    ['in escaped JSON', 'uma.user\\u0040people.example'],
    ['as it is', 'uma.user@people.example'],
  ])('masks the whole of an address %s', (_how, address) => {
    expect(redact(`for ${address}.`, { A: 'uma.user@people.example' })).toBe('for <A>.');
  });

  test.each([
    ['a short secret as a whole', 's3cret', 'the s3cret is s3cret.', 'the <A> is <A>.'],
    ['a short secret inside a word', 's3cret', 'as3cretb', 'a<A>b'],
    ['nothing for an empty secret', '', 'text', 'text'],
    [
      'nothing of the bare domain of an address',
      'uma@people.example',
      'people.example answers',
      'people.example answers',
    ],
    ['a short address', 'u@b.example', 'for u@b.example', 'for <A>'],
  ])('masks %s', (_what, secret, text, masked) => {
    expect(redact(text, { A: secret })).toBe(masked);
  });

  test.each(['uma@people.example', 'uma.user@a-very-long.domain.example', 'a-very-long-name@b.example'])(
    'masks the name in the address %s',
    (address) => {
      const masked = redact(`(${address})`, { A: address });
      expect(masked).toMatch(/^\(<A>/);
      expect(masked).not.toContain('@');
    },
  );

  test.each([
    ['as a whole', JWT],
    ['its header', JWT.split('.')[0] ?? ''],
    ['its payload', JWT.split('.')[1] ?? ''],
    ['its signature', JWT.split('.')[2] ?? ''],
  ])('masks a JWT %s', (_what, part) => {
    expect(redact(`got ${part}`, { A: JWT })).toBe('got <A>');
  });

  test('masks the different character of a token that is derived from another', () => {
    const derived = `${TOKEN.slice(0, 10)}X${TOKEN.slice(11)}`;
    expect(redact(derived, { A: TOKEN, 'A, character 11 changed': derived })).not.toContain('X');
  });
});

test('a secret that is added later is masked in a text that was shown before', () => {
  const redactor = createRedactor();
  redactor.add('A', 'another secret of the run');
  expect(redactor.text(`got ${TOKEN}`)).toBe(`got ${TOKEN}`);
  redactor.add('USER_TOKEN', TOKEN);
  expect(redactor.text(`got ${TOKEN}`)).toBe('got <USER_TOKEN>');
});

test('a text that is read in parts shows no secret that stands across them', () => {
  const redactor = createRedactor();
  redactor.add('USER_PRIVATE_QUERY', 'budget, of the moon base');
  redactor.add('USER_TOKEN', 'q7Zt41KpXw9mB2vLc8Rd');
  expect(redactor.text('it finds budget, of the moon base', /, /)).toBe('it finds <USER_PRIVATE_QUERY>');
  expect(redactor.text('q7-Zt-41, B_2_v_L_c_8', /, /)).toContain('<left out: it shows USER_TOKEN');
});

test('many different texts are masked one after the other', () => {
  const redactor = createRedactor();
  redactor.add('USER_TOKEN', TOKEN);
  for (let at = 0; at < 1000; at += 1) expect(redactor.text(`${at % 300} ${TOKEN}`)).toBe(`${at % 300} <USER_TOKEN>`);
});

test('the word nobody, which says that a token belongs to no person, is no secret', () => {
  const variables = new Map([['OKTA_EMAIL', { value: 'nobody', origin: '.env' as const }]]);
  expect(redactorFor({ catalogue, variables, extraHeaders: [] }).text('it belongs to nobody')).toBe(
    'it belongs to nobody',
  );
});

test.each(['hunter2', 's3cret!', 'Zq8-Lm'])('leaves out a text with the short secret %s in base64 or hex', (secret) => {
  const redactor = createRedactor();
  redactor.add('A', secret);
  const bytes = Buffer.from(secret);
  for (const form of [bytes.toString('base64'), bytes.toString('hex'), bytes.toString('hex').toUpperCase()])
    expect(redactor.text(`x ${form} y`)).toBe('<left out: it shows A in another form>');
});

test('the value of an extra header is masked in what the target echoes, however short it is', () => {
  const extraHeaders = [['x-tenant', 'acme7']] as const;
  const redactor = redactorFor({ catalogue, variables: new Map(), extraHeaders });
  expect(redactor.text('no tenant acme7 here')).toBe('no tenant <CONFORMANCE_EXTRA_HEADERS x-tenant> here');
});

test('the name of an extra header masks nothing: content types have its words', () => {
  const value = '{"X-Gateway-Application-Key":"9f8e7d6c5b4a39281706"}';
  const variables = new Map([['CONFORMANCE_EXTRA_HEADERS', { value, origin: '.env' as const }]]);
  const extraHeaders = [['x-gateway-application-key', '9f8e7d6c5b4a39281706']] as const;
  const redactor = redactorFor({ catalogue, variables, extraHeaders });
  for (const shown of ['application/json', 'application/vnd.gateway.key+json'])
    expect(redactor.text(shown)).toBe(shown);
  expect(redactor.text(value)).not.toContain('9f8e7d6c5b4a');
});

test.each([
  ['sk-user-token-4f9a81c2d7', 'a USER token finds the document of its own person'],
  ['my-conformance-test-key', '-d \'{"query":"This is an automated conformance test. Please answer briefly."}\''],
])('what the suite writes itself is shown, although %s has its words', (value, text) => {
  const variables = new Map([['USER_TOKEN', { value, origin: '.env' as const }]]);
  const redactor = redactorFor({ catalogue, variables, extraHeaders: [] });
  expect(redactor.text(text)).toBe(text);
  expect(redactor.text(`no token ${value}`)).toBe('no token <USER_TOKEN>');
  for (const encoding of ['hex', 'base64'] as const)
    expect(redactor.text(`no token ${Buffer.from(value).toString(encoding)}`)).toMatch(/^<left out/);
});

test('variables that hold secrets are masked, and others are not', () => {
  const variables = new Map(
    Object.entries({
      USER_TOKEN: TOKEN,
      USER_EMAIL: 'uma@people.example',
      TARGET_BASE_URL: 'https://target.example',
    }).map(([name, value]) => [name, { value, origin: '.env' as const }]),
  );
  expect(
    redactorFor({ catalogue, variables, extraHeaders: [] }).text(
      `https://target.example got ${TOKEN} of uma@people.example`,
    ),
  ).toBe('https://target.example got <USER_TOKEN> of <USER_EMAIL>');
});

test('tokens of TOKEN_COMMAND are masked, and the reasons why it made none are not', () => {
  const unsupported = 'no such application here';
  const minted = new Map([
    ['USER expired', { token: TOKEN }],
    ['OKTA expired', { unsupported }],
  ]);
  const redactor = redactorFor({ catalogue, variables: new Map(), extraHeaders: [], minted });
  expect(redactor.text(`${TOKEN}: ${unsupported}`)).toBe(`<TOKEN_COMMAND USER expired>: ${unsupported}`);
});

test('the credentials in an extra header are masked in any scheme, and what they hold in base64', () => {
  const basic = `Basic ${Buffer.from('gateway-user:correct horse battery').toString('base64')}`;
  const redactor = redactorFor({
    catalogue,
    variables: new Map(),
    extraHeaders: [
      ['x-gateway', basic],
      ['x-short', `Basic ${Buffer.from('u:pw8').toString('base64')}`],
      ['x-key', 'ApiKey 9f8e7d6c5b4a'],
    ],
  });
  const shown = (text: string) => redactor.text(`got ${text}.`);
  expect(shown('gateway-user:correct horse battery')).toBe('got <CONFORMANCE_EXTRA_HEADERS x-gateway>.');
  expect(shown('correct horse battery')).toBe('got <CONFORMANCE_EXTRA_HEADERS x-gateway>.');
  expect(shown(basic.slice('Basic '.length))).toBe('got<CONFORMANCE_EXTRA_HEADERS x-gateway>.');
  expect(shown('Correct-Horse-Battery')).toContain('left out');
  expect(shown('pw8')).toBe('got <CONFORMANCE_EXTRA_HEADERS x-short>.');
  expect(shown('9f8e7d6c5b4a')).toBe('got<CONFORMANCE_EXTRA_HEADERS x-key>.');
});
