import fc from 'fast-check';
import { withoutHistory } from '../../../harness/plan/curl.ts';

/** A header line. */
export type Line = readonly [name: string, value: string];
/** A request, independent of how it is written. */
export interface Message {
  readonly method: string;
  readonly path: string;
  readonly lines: readonly Line[];
  readonly body: object | undefined;
}
/** One way to write a request. All ways mean the same. */
export interface Form {
  /**
   * For each letter of a header name, whether it is in upper case (RFC 9110 5.1). Letters beyond the end of the list
   * stay as documented.
   */
  readonly upper: readonly boolean[];
  /** Headers that no server knows (RFC 9110 5.1): the part of the name after `x-conformance-`, and the value. */
  readonly unknown: readonly Line[];
  /** Pairs of header lines that change places. The order of different names means nothing (RFC 9110 5.3). */
  readonly swaps: readonly (readonly [number, number])[];
  /** Whitespace before and after the JSON text, and its indentation (RFC 8259 2). */
  readonly whitespace: readonly [before: string, indent: number, after: string];
}
/** The way that the specification shows. */
export const DOCUMENTED_FORM: Form = { upper: [], unknown: [], swaps: [], whitespace: ['', 0, ''] };

const LONGEST_NAME = 24;
// fast-check can shrink examples only if the arbitrary is neither mapped nor filtered.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const NAME = fc.string({ unit: fc.constantFrom(...LETTERS, '-'), minLength: 1, maxLength: 12 });
const VALUE = fc.string({ unit: fc.constantFrom(...LETTERS, ...'XYZ ;,=/*()!~'), maxLength: 20 });
const WHITESPACE = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3 });

/** Any form. It shrinks towards the documented one. */
export const anyForm: fc.Arbitrary<Form> = fc.record({
  upper: fc.array(fc.boolean(), { maxLength: LONGEST_NAME }),
  unknown: fc.array(fc.tuple(NAME, VALUE), { maxLength: 4 }),
  swaps: fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 4 }),
  whitespace: fc.tuple(WHITESPACE, fc.nat({ max: 4 }), WHITESPACE),
});

/** Forms that differ strongly from the documented one. */
export const UNUSUAL_FORMS: readonly Form[] = [
  { ...DOCUMENTED_FORM, upper: Array.from({ length: LONGEST_NAME }, (_, index) => index % 2 === 1) },
  {
    ...DOCUMENTED_FORM,
    unknown: [
      ['debug', 'true'],
      ['user', 'admin'],
      ['debug', 'false'],
    ],
  },
  {
    ...DOCUMENTED_FORM,
    swaps: [
      [0, 5],
      [1, 4],
      [2, 3],
    ],
    whitespace: ['\r\n ', 2, '\n\n'],
  },
];

/** The request in this form, as `CheckApi.raw` takes it. */
export function textOf(message: Message, form: Form): string {
  const { method, path, body } = message;
  const text = bodyOf(body, form);
  const lines = [
    ...linesOf(message, form).map((line) => line.join(': ')),
    ...(text === undefined ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]),
    'Connection: close',
  ];
  // The text is sent as latin1, one byte for each character.
  return [
    `${method} {base}${path} HTTP/1.1`,
    '{common}',
    ...lines,
    '',
    Buffer.from(text ?? '').toString('latin1'),
  ].join('\r\n');
}

/** The request in this form as a curl line for bash. Headers are in double quotes, so that `$USER_TOKEN` is expanded. */
export function curlOf(message: Message, form: Form): string {
  const { method, path, body } = message;
  const lines = linesOf(message, form).map(
    (line) => `-H "${withoutHistory(line.join(': ').replace(/[\\"`]/g, '\\$&'))}"`,
  );
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

/** What is unusual about a form, in words. */
export function describeForm({ upper, unknown, swaps, whitespace: [before, indent, after] }: Form): string {
  const parts = [
    ...(upper.length > 0 ? ['header names in another case'] : []),
    ...(unknown.length > 0
      ? [`the header ${unknown.map((line) => `x-conformance-${line.join(': ')}`).join(' and ')}`]
      : []),
    ...(swaps.length > 0 ? ['header lines in another order'] : []),
    ...(before + after !== '' || indent > 0 ? ['extra whitespace in the body'] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : 'a new connection';
}

function linesOf({ lines, body }: Message, { upper, unknown, swaps }: Form): Line[] {
  const written: Line[] = [...lines, ...(body ? [['Content-Type', 'application/json'] as const] : [])].map(
    ([name, value]) => [spelled(name, upper), value],
  );
  written.push(...unknown.map(([name, value]) => [`x-conformance-${name}`, value] as const));
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
    .map((letter, index) => {
      const isUpper = upper[index];
      if (isUpper === undefined) return letter;
      return isUpper ? letter.toUpperCase() : letter.toLowerCase();
    })
    .join('');
}

function bodyOf(body: object | undefined, { whitespace: [before, indent, after] }: Form): string | undefined {
  return body && before + JSON.stringify(body, null, indent) + after;
}
