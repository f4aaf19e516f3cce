import fc from 'fast-check';

/** A header line. */
export type Line = readonly [name: string, value: string];
/** A request before it is decided how to write it. */
export interface Message {
  readonly method: string;
  readonly path: string;
  readonly lines: readonly Line[];
  readonly body: object | undefined;
}
/** One of the many ways to write the same request; with everything empty, the documented one. */
export interface Form {
  /** Letter by letter whether header names are in upper case; beyond it they stay as documented (RFC 9110 5.1). */
  readonly upper: readonly boolean[];
  /** Headers that mean nothing to anybody, as what follows `x-conformance-` and a value (RFC 9110 5.1). */
  readonly strange: readonly Line[];
  /** Pairs of header lines to change places: the order of different names means nothing (RFC 9110 5.3). */
  readonly swaps: readonly (readonly [number, number])[];
  /** Blanks before, in and behind the JSON text (RFC 8259 2). */
  readonly blanks: readonly [before: string, inside: number, behind: string];
}
export const PLAIN_FORM: Form = { upper: [], strange: [], swaps: [], blanks: ['', 0, ''] };

const LONGEST_NAME = 24;
// Neither is mapped or filtered, so that fast-check can shrink the striking forms below as well as random ones.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const NAME = fc.string({ unit: fc.constantFrom(...LETTERS, '-'), minLength: 1, maxLength: 12 });
const VALUE = fc.string({ unit: fc.constantFrom(...LETTERS, ...'XYZ ;,=/*()!~'), maxLength: 20 });
const BLANKS = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3 });

/** Any form; shrinks to the documented one, part by part. */
export const anyForm: fc.Arbitrary<Form> = fc.record({
  upper: fc.array(fc.boolean(), { maxLength: LONGEST_NAME }),
  strange: fc.array(fc.tuple(NAME, VALUE), { maxLength: 4 }),
  swaps: fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 4 }),
  blanks: fc.tuple(BLANKS, fc.nat({ max: 4 }), BLANKS),
});

/** Forms that strike out in one direction each, and one in all. */
export const STRIKING: readonly Form[] = [
  { ...PLAIN_FORM, upper: Array.from({ length: LONGEST_NAME }, (_, index) => index % 2 === 1) },
  {
    ...PLAIN_FORM,
    strange: [
      ['debug', 'true'],
      ['user', 'admin'],
      ['debug', 'false'],
    ],
  },
  {
    ...PLAIN_FORM,
    swaps: [
      [0, 5],
      [1, 4],
      [2, 3],
    ],
    blanks: ['\r\n ', 2, '\n\n'],
  },
];

/** The request in this form, as it goes over the wire; `{common}` is for the header lines that every request has. */
export function textOf(message: Message, form: Form): string {
  const { method, path, body } = message;
  const text = bodyOf(body, form);
  const lines = [
    ...linesOf(message, form).map((line) => line.join(': ')),
    ...(text === undefined ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]),
    'Connection: close',
  ];
  // The body goes out one byte for each character.
  return [
    `${method} {base}${path} HTTP/1.1`,
    '{common}',
    ...lines,
    '',
    Buffer.from(text ?? '').toString('latin1'),
  ].join('\r\n');
}

/** A bash line for it. The lines stand in double quotes, where `$USER_TOKEN` is replaced. */
export function curlOf(message: Message, form: Form): string {
  const { method, path, body } = message;
  const lines = linesOf(message, form).map((line) => `-H "${line.join(': ').replace(/[\\"`]/g, '\\$&')}"`);
  const data = bodyOf(body, form);
  return [
    `curl -sS -i -X ${method} "$TARGET_BASE_URL${path}"`,
    ...lines,
    ...(data === undefined
      ? []
      : [
          `--data-raw $'${data.replace(/[\\']/g, '\\$&').replace(/\r/g, '\\r').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}'`,
        ]),
  ].join(' ');
}

/** In words, what is unusual about it. */
export function wordsOf({ upper, strange, swaps, blanks: [before, inside, behind] }: Form): string {
  const parts = [
    ...(upper.length > 0 ? ['header names in another case'] : []),
    ...(strange.length > 0
      ? [`the header ${strange.map((line) => `x-conformance-${line.join(': ')}`).join(' and ')}`]
      : []),
    ...(swaps.length > 0 ? ['header lines in another order'] : []),
    ...(before + behind !== '' || inside > 0 ? ['blanks in and around the body'] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : 'a connection of its own';
}

function linesOf({ lines, body }: Message, { upper, strange, swaps }: Form): Line[] {
  const written: Line[] = [...lines, ...(body ? [['Content-Type', 'application/json'] as const] : [])].map(
    ([name, value]) => [spelled(name, upper), value],
  );
  written.push(...strange.map(([name, value]) => [`x-conformance-${name}`, value] as const));
  for (const [a, b] of swaps) {
    const [first, second] = [written[a % written.length], written[b % written.length]];
    if (first && second) {
      written[a % written.length] = second;
      written[b % written.length] = first;
    }
  }
  return written;
}

function spelled(name: string, upper: readonly boolean[]): string {
  return [...name]
    .map((letter, index) =>
      upper[index] === undefined ? letter : upper[index] ? letter.toUpperCase() : letter.toLowerCase(),
    )
    .join('');
}

function bodyOf(body: object | undefined, { blanks: [before, inside, behind] }: Form): string | undefined {
  return body && before + JSON.stringify(body, null, inside) + behind;
}
