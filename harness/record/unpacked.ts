/** A piece of a secret has at least this many characters. */
export const SHORTEST = 6;

/** Encodings that give each character the same number of bits, and what a run of such characters is. */
const PACKED = [
  {
    bits: 6,
    size: 8,
    phases: 4,
    run: /[A-Za-z0-9+/_-]{8,}/g,
    digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  },
  { bits: 5, size: 8, phases: 8, run: /[A-Z2-7]{16,}|[a-z2-7]{16,}/g, digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' },
  { bits: 4, size: 8, phases: 2, run: /[0-9a-f](?:[\s:,.-]{0,2}[0-9a-f]){11,}/gi, digits: '0123456789ABCDEF' },
  // A character may have seven binary digits, as ASCII has, or a zero more than a byte.
  ...[7, 8, 9].map((size) => ({ bits: 1, size, phases: size, run: /[01](?:[\s:,.-]{0,2}[01]){47,}/g, digits: '01' })),
].map(({ digits, ...packing }) => {
  const values = new Map([...digits].map((digit, value) => [digit, value]));
  // base64url (RFC 4648 5) has other last digits, and only base64 tells upper case from lower.
  if (packing.bits === 6) values.set('-', 62).set('_', 63);
  else for (const [digit, value] of [...values]) values.set(digit.toLowerCase(), value);
  return { ...packing, values: Array.from({ length: 128 }, (_, code) => values.get(String.fromCharCode(code)) ?? -1) };
});
/** Numbers with something between them, perhaps with the prefix or the suffix of their base. */
const NUMBERS = /(?<!\d)(?:0[bo])?\d[\d_]{0,9}(?:(?=[a-z]*[^\w])\D{1,12}(?:0[bo])?\d[\d_]{0,9}){5,}/gi;
const NUMBER = /(?:(?<!\d)0[bo])?(\d[\d_]*)/gi;
const BASES = [
  [10, /^\d+$/],
  [8, /^[0-7]+$/],
  [2, /^[01]+$/],
] as const;

const DIGITS = /\d{18,}/g;

/** What a text holds in base64, base32, hexadecimal, binary, decimal or octal digits, wherever these begin. */
export function* unpacked(text: string): Generator<string> {
  const parts: string[] = [];
  for (const { bits, size, phases, run, values } of PACKED)
    for (const [found] of text.matchAll(run)) {
      const digits = new Uint8Array(found.length);
      let length = 0;
      for (let at = 0; at < found.length; at += 1) {
        const value = values[found.charCodeAt(at)] ?? -1;
        if (value < 0) continue;
        digits[length] = value;
        length += 1;
      }
      const forwards = digits.subarray(0, length);
      for (let skipped = 0; skipped < phases; skipped += 1) addText(parts, bytesOf(forwards, { bits, size, skipped }));
      forwards.reverse();
      for (let skipped = 0; skipped < phases; skipped += 1) addText(parts, bytesOf(forwards, { bits, size, skipped }));
    }
  for (const numbers of numbersIn(text))
    for (const [base, written] of BASES)
      if (numbers.every((one) => written.test(one)))
        addText(
          parts,
          Uint8Array.from(numbers, (one) => Number.parseInt(one, base)),
        );
  if (parts.length > 0) yield parts.join(' ');
}

/** Rows of numbers that may each be a byte: with something between them, or of as many digits each, wherever these begin. */
function* numbersIn(text: string): Generator<readonly string[]> {
  for (const [found] of text.matchAll(NUMBERS))
    yield Array.from(found.matchAll(NUMBER), ([, digits = '']) => digits.replaceAll('_', ''));
  for (const [found] of text.matchAll(DIGITS))
    for (const width of [3, 4, 5])
      for (let skipped = 0; skipped < width; skipped += 1)
        yield found.slice(skipped).match(new RegExp(`\\d{${width}}`, 'g')) ?? [];
}

interface Cut {
  /** Of each digit. */
  readonly bits: number;
  /** Of each character, in bits. */
  readonly size: number;
  readonly skipped: number;
}

/** The bytes of digits. They are gone when it is called again. */
function bytesOf(digits: Uint8Array, { bits, size, skipped }: Cut): Uint8Array {
  if (scratch.length < digits.length) scratch = new Uint8Array(2 * digits.length);
  let [held, count, length] = [0, 0, 0];
  for (let at = skipped; at < digits.length; at += 1) {
    held = ((held << bits) | (digits[at] ?? 0)) & 0xffff;
    count += bits;
    if (count < size) continue;
    count -= size;
    scratch[length] = (held >>> count) & ((1 << size) - 1);
    length += 1;
  }
  return scratch.subarray(0, length);
}
let scratch = new Uint8Array(4096);

/** Adds what is text of the bytes, if that is most of them: other bytes were no encoded text. */
function addText(parts: string[], bytes: Uint8Array): void {
  let [from, length] = [0, 0];
  let found: [from: number, to: number][] | undefined;
  for (let at = 0; at <= bytes.length; ) {
    const size = sizeOf(bytes, at);
    at += size;
    if (size > 0) continue;
    if (at - from >= SHORTEST) {
      found ??= [];
      found.push([from, at]);
      length += at - from;
    }
    at += 1;
    from = at;
  }
  if (found && length > bytes.length / 2)
    for (const [begin, end] of found) parts.push(Buffer.from(bytes.subarray(begin, end)).toString());
}

/**
 * How many bytes a sign has here that is text in ASCII or separates it, as invisible characters, marks and faces do; 0 for any
 * other byte (RFC 3629 4). A zero is a half of a sign of UTF-16.
 */
function sizeOf(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 1;
  if (byte < 128) return byte >= 32 || byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 27 ? 1 : 0;
  const size = byte === 0xc2 || byte === 0xcc ? 2 : byte === 0xe2 || byte === 0xef ? 3 : byte === 0xf0 ? 4 : 0;
  for (let next = 1; next < size; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}

/** The text without escapes of URLs, JSON, JavaScript, C, CSS, HTML, XML, SQL and mail, also where they are escaped again. */
export function unescaped(text: string): string {
  let view = text;
  for (let round = 0; round < MOST_ROUNDS && isEscaped(view); round += 1) {
    let [next, end] = ['', 0];
    // To replace them by a function keeps what was found of all: a mebibyte of backslashes took twice as long.
    for (const found of view.matchAll(ESCAPES)) {
      next += view.slice(end, found.index) + signOf(found);
      end = found.index + found[0].length;
    }
    next += view.slice(end);
    if (next === view) break;
    view = next.replace(UTF8, fromUtf8);
  }
  return view;
}

/** The sign that an escape stands for. */
function signOf([found, decimal, other, octal, ...hex]: RegExpExecArray): string {
  const digits = hex.find((one) => one !== undefined);
  const code = Number.parseInt(digits ?? octal ?? decimal ?? other ?? '', digits ? 16 : octal ? 8 : 10);
  if (Number.isNaN(code)) return NAMED[found.toLowerCase()] ?? '';
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}
const MOST_ROUNDS = 6;
const ESCAPED = /%u?[0-9a-f]{2}|\\[^\s]|&[#a-z]|=[0-9a-f]{2}=|=\r?\n|0[xo][0-9a-f]|U\+[0-9a-f]{4}|ch\w{0,9}\s{0,3}\(/i;

export function isEscaped(text: string): boolean {
  return ESCAPED.test(text);
}
const DECIMAL_FORMS = [
  String.raw`&#0*(\d{1,7});?`,
  String.raw`\b(?:n?char|u?n?i?chr|chrw|(?:string\.)?fromc(?:harcode|odepoint))\s{0,3}\(\s{0,3}(\d{1,7})\s{0,3}\)`,
];
/** The prefixed numbers are read with those of every base too. As escapes they are also read inside another spelling. */
const OCTAL_FORMS = [String.raw`(?:\\(?!0000|[0-9a-f]{2} )(?:o\{)?|\b0o)([0-3]?[0-7]{2})\}?`];
const HEX_FORMS = [
  '%u?([0-9a-f]{4}(?<=%u....)|[0-9a-f]{2})',
  String.raw`\\u([0-9a-f]{4})`,
  String.raw`\\[ux]\{0*([0-9a-f]{1,6})\}`,
  String.raw`[\\0]x([0-9a-f]{2})`,
  '&#x0*([0-9a-f]{1,6});?',
  String.raw`\\0{4}([0-9a-f]{2})`,
  String.raw`\\([0-9a-f]{2}) `,
  String.raw`U\+([0-9a-f]{4,6})`,
  '=(?:(?<==[0-9a-f]{2}=)|(?=[0-9a-f]{2}=))([0-9a-f]{2})',
];
const ESCAPES = new RegExp(
  [
    ...DECIMAL_FORMS,
    ...OCTAL_FORMS,
    ...HEX_FORMS,
    '&[a-z][a-z0-9]{1,30};',
    '\\\\(?:[nrtbfvae]|["\'/\\\\])',
    '=\\r?\\n',
  ].join('|'),
  'gi',
);
/** References and escapes that stand for a sign which matters here. The others stand for nothing in a token: they separate. */
const NAMED: Readonly<Record<string, string>> = {
  '&commat;': '@',
  '&amp;': '&',
  '&percnt;': '%',
  '&bsol;': '\\',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&num;': '#',
  '&semi;': ';',
  '&plus;': '+',
  '&sol;': '/',
  '&equals;': '=',
  '&lowbar;': '_',
  '\\"': '"',
  "\\'": "'",
  '\\/': '/',
  '\\\\': '\\',
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '=\n': '',
  '=\r\n': '',
};

/** Characters of UTF-8 that were decoded byte by byte. */
const SEQUENCE = String.raw`[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}`;
const UTF8 = new RegExp(SEQUENCE, 'g');
const fromUtf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8');
