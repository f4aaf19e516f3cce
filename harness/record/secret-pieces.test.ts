import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyToken, every, finderOf, redact, TOKEN } from '../testing/spellings.ts';
import { isReadable, TRANSFORMATIONS } from '../testing/transformations.ts';
import { createRedactor } from './redact.ts';

const seed = 20261122;
const listed = (text: string, row: (part: string, at: number) => string) =>
  (text.match(/.{1,4}/g) ?? []).map(row).join('');
const moved = (text: string, by: number) => String.fromCodePoint(...[...text].map((one) => by + one.charCodeAt(0)));

describe('a redactor', () => {
  test.each(Object.entries(every))('leaves out a text with a token in another form: %s', (_how, spell) => {
    expect(redact(`{"error":"no such token: ${spell(TOKEN)}"}`, TOKEN)).toBe(
      '<left out: it shows USER_TOKEN in another form>',
    );
  });

  test.each<[string, (token: string) => string]>([
    ['bytes that JSON numbers', (token) => JSON.stringify(Uint8Array.from(Buffer.from(token)))],
    [
      'bytes that are counted from one',
      (token) => [...Buffer.from(token)].map((byte, at) => `${at + 1}: ${byte}`).join('\n'),
    ],
    ['the lines of a numbered list', (token) => listed(token, (part, at) => `${at + 1}. ${part}\n`)],
    ['the rows of a table', (token) => listed(token, (part, at) => `| ${at} | ${part} | yes |\n`)],
    ['the parts of a list as PHP prints it', (token) => listed(token, (part, at) => `[${at}] => ${part} `)],
    ['objects with a place each', (token) => `[${listed(token, (value, index) => JSON.stringify({ index, value }))}]`],
    ['counted rows in JSON', (token) => JSON.stringify(listed(token, (part, at) => `${at};${part};ok\n`))],
    ['bytes with words between', (token) => [...Buffer.from(token)].map((byte) => `byte ${byte}`).join(', ')],
    [
      'bytes in JSON that tabs and lines count',
      (token) => JSON.stringify([...Buffer.from(token)].map((byte, at) => `${at}\t${byte}`).join('\n')),
    ],
    ['another charset, UTF-16', (token) => Buffer.from(token).toString('utf16le')],
    [
      'another charset, UTF-16 with its first byte first',
      (token) => Buffer.from(token.repeat(2)).swap16().toString('utf16le'),
    ],
    ['other characters by an offset', (token) => moved(token, 0xe000)],
    ['tags, which no screen shows', (token) => moved(token, 0xe0000)],
    ['variation selectors, which no screen shows', (token) => moved(token, 0xe00f0)],
    ['composed letters', (token) => [...token].map((one) => `${one}\u0301`.normalize('NFC')).join('')],
    ['superscript and circled digits', (token) => token.replace(/[0-4]/g, (one) => '⁰¹²③④'[Number(one)] ?? '')],
    ['tags behind a sign each', (token) => [...moved(token, 0xe0000)].map((one) => `a${one}`).join('')],
  ])('leaves out a text with a token as %s', (_how, spell) => {
    expect(redact(`no such token: ${spell(TOKEN)}`, TOKEN)).toBe('<left out: it shows USER_TOKEN in another form>');
  });

  // Without it, what finds nothing in suites/redactor.random.test.ts would prove nothing.
  test.each(Object.keys(every))('a token is found in a text that is not redacted and spells it: %s', (how) => {
    const found = (token: string) => finderOf(token)(`got ${every[how]?.(token)}`) !== undefined;
    fc.assert(fc.property(anyToken, found), { seed, numRuns: 20 });
  });

  test.each([
    ['another token', 'k9QwErTy7UiOp3AsDf5GhJ4L'],
    ['its encoding', Buffer.from('k9QwErTy7UiOp3AsDf5GhJ4L').toString('base64')],
    ['the documented messages', 'Required header missing: X-Service-ActAs'],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['ten characters of the token', TOKEN.slice(0, 10)],
    ['the base64 of six of them', Buffer.from(TOKEN.slice(0, 6)).toString('base64')],
  ])('shows %s', (_what, text) => {
    expect(redact(text, TOKEN)).toBe(text);
  });

  test.each([
    ['the domain of an address', 'PEOPLE.example'],
    ['its domain, with separators', 'you people-example'],
  ])('shows %s', (_what, text) => {
    expect(redact(text, 'u@people.example')).toBe(text);
  });

  test.each(['uma.user&commat;people.example', Buffer.from('uma.user@people.example').toString('base64')])(
    'leaves out the address %s',
    (text) => {
      expect(redact(text, 'uma.user@people.example')).toContain('left out');
    },
  );

  test('leaves out a short secret that is encoded, and shows an ordinary word that is spelled like one', () => {
    expect(redact(Buffer.from('a short pw').toString('base64'), 'short pw')).toContain('left out');
    expect(redact('X-Service-ActAs', 'service')).toBe('X-Service-ActAs');
  });

  // Each group of digits is a character. Python and JavaScript write a prefix, assemblers a suffix, and some count with zeros.
  const groups = [
    {
      base: 2,
      widths: [0, 7, 8, 9],
      affixes: [
        ['', ''],
        ['0b', ''],
        ['', 'b'],
      ],
    },
    {
      base: 8,
      widths: [0, 3, 4, 6],
      affixes: [
        ['', ''],
        ['0o', ''],
        ['', 'o'],
      ],
    },
    {
      base: 10,
      widths: [0, 3, 5],
      affixes: [
        ['', ''],
        ['#', ''],
        ['', 'd'],
      ],
    },
  ].flatMap(({ base, widths, affixes }) =>
    widths.flatMap((width) =>
      affixes.flatMap(([before = '', after = '']) =>
        [' ', ', ', ',', '\n', ...(width > 0 && before + after === '' ? [''] : [])].map((between) => {
          const digits = (code: number) => `${before}${code.toString(base).padStart(width, '0')}${after}`;
          return {
            base,
            width,
            form: digits(65),
            between,
            spell: (token: string) => [...Buffer.from(token)].map(digits).join(between),
          };
        }),
      ),
    ),
  );
  test.each(groups)('leaves out a token in numbers of base $base: $form, with "$between" between', ({ spell }) => {
    for (const token of [TOKEN, 'ya29.eG90QqdTEE7QvzJSf2Zoo0z1eaDHngrXW8', 'uma.user@people.example'])
      expect(redact(`got ${spell(token)}.`, token)).toContain('left out');
  });

  test('still masks a token that is shown as it is', () => {
    expect(redact(`for ${TOKEN}.`, TOKEN)).toBe('for <USER_TOKEN>.');
  });
});

// Forms in which tokens reached every file on 2026-11-23 (findings N1).
describe('a token in pieces', () => {
  const [first, second] = [TOKEN.slice(0, 11), TOKEN.slice(11)];
  const fives = TOKEN.match(/.{1,5}/g) ?? [];
  const nested = (text: string) => text.replaceAll('&', '&amp;');

  test.each([
    ['under different keys', `{"a":"${first}","b":"${second}"}`],
    ['under different keys, far from each other', `{"a":"${first}","trace":${'1,'.repeat(300)}"b":"${second}"}`],
    ['in different attributes', `<a b="${first}"><c d="${second}"/></a>`],
    ['in sections of CDATA', `<a>${fives.map((part) => `<![CDATA[${part}]]>`).join('')}</a>`],
    ...['n', 'r', 't', 'b', 'f'].map((letter) => [
      `at escapes \\${letter}`,
      `{"error":"${fives.join(`\\${letter}`)}"}`,
    ]),
    ['at tags that are escaped', fives.join('&lt;br&gt;')],
    ['at tags that are escaped twice', fives.join(nested('&lt;br&gt;'))],
    ['at tags that are escaped three times', fives.join(nested(nested('&lt;br&gt;')))],
    ['at tags that are escaped for JSON', `{"error":"${fives.join('\\u003cwbr>')}"}`],
    ['at elements with > in an attribute', fives.join('<i title=">"></i>')],
    ['at comments with <', fives.join('<!-- a < b -->')],
    ['at colours of a terminal', fives.join('\u001b[31m')],
    ['at fractions', fives.join('&frac12;')],
    ['at fractions as characters', fives.join('\u00bd')],
    ['at words', `first ${first} and then ${second}`],
    ['of six characters at words', (TOKEN.match(/.{1,6}/g) ?? []).join(' so ')],
    ['after the last of them', `${second} ${first} ${second}`],
  ])('is left out %s', (_where, text) => {
    expect(redact(text, TOKEN)).toContain('left out');
  });

  test.each(Object.entries(TRANSFORMATIONS))(
    'cannot be read by somebody who knows its form: %s',
    (_how, { spell, read }) => {
      const shown = redact(`{"error":"no such token: ${spell(TOKEN)}"}`, TOKEN);
      expect([isReadable(shown, TOKEN), isReadable(read(shown), TOKEN)]).toEqual([false, false]);
    },
  );

  test('is left out in texts that are shown side by side, and a longer piece in any text counts', () => {
    const redactor = createRedactor();
    redactor.add('USER_TOKEN', TOKEN);
    const parts = TOKEN.match(/.{1,6}/g) ?? [];
    expect(redactor.together(() => parts.map((part) => redactor.text(part))).join()).toContain('left out');
    const [begin, end] = [TOKEN.slice(0, 9), TOKEN.slice(9, 20)];
    expect([redactor.text(begin), redactor.text(end)]).toEqual([
      begin,
      '<left out: it shows USER_TOKEN in another form>',
    ]);
  });

  test('is shown in random ids, each of which has eight digits of a secret id by chance', () => {
    const redactor = createRedactor();
    redactor.add('USER_TOKEN', '7d0b52e9-1c66-4ce1-a83f-95d2e07b4f18');
    const ids = ['7d0b52e9-aa31-4f0c', 'f02c9e13-1c66-4ce1', '0bb3-95d2e07b6e1d', '31c8-4ce1-a83f'];
    expect(ids.map((id) => redactor.text(id))).toEqual(ids);
  });

  test('is shown while that is less than a half, again and again', () => {
    const redactor = createRedactor();
    redactor.add('USER_TOKEN', TOKEN);
    for (let time = 0; time < 20; time += 1)
      expect(redactor.text(`token ${TOKEN.slice(0, 8)}... refused (${time})`)).toContain(TOKEN.slice(0, 8));
  });

  test('is left out in an id where the same text was shown with another id', () => {
    const redactor = createRedactor();
    redactor.add('USER_TOKEN', TOKEN);
    const refusal = (id: string) => `{"error":"refused","requestId":"${id}"}`;
    expect(redactor.text(refusal('4bf92f3577b34da6a3ce929d0e0e4736'))).toContain('refused');
    expect(redactor.text(refusal(Buffer.from(TOKEN).toString('hex')))).toContain('left out');
  });
});
