/** Finds secrets that a text spells in another way: escaped, encoded, in another case, reversed or with separators. */
export interface EncodedForms {
  /** @param windows the parts of the secret that must not be shown, in characters as they are. */
  add(label: string, secret: string, windows: readonly string[]): void;
  /** The label of a secret that the text shows; undefined if it shows none. */
  find(text: string): string | undefined;
}

/** Every registered form has at least this many characters, because the filter reads the first six. */
const SHORTEST = 6;
/** The form of a short secret is registered as a whole, unless it could be an ordinary number or word. */
const SHORTEST_WHOLE = 8;
/** Twelve characters of a secret give at least 14 whole characters of base64, up to 5 of them not a letter or digit. */
const BASE64 = { length: 9, step: 2 };
/** Twelve characters give 24 hexadecimal digits, and at least as many decimal ones. */
const HEX = { length: 16, step: 8 };
const DECIMAL = { length: 14, step: 8 };
/** The filter has four million bits: it skips nearly every position of a text, even with a hundred thousand forms. */
const FILTER_BITS = 22;

export function createEncodedForms(): EncodedForms {
  const forms = new Map<string, string>();
  const lengths = new Set<number>();
  let longest = 0;
  // Bits, because half a mebibyte fits into the cache of a processor.
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  const isSet = (hash: number) => ((filter[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0;
  const set = (hash: number) => {
    filter[hash >>> 3] = (filter[hash >>> 3] ?? 0) | (1 << (hash & 7));
  };
  const register = (label: string, form: string) => {
    if (form.length < SHORTEST || forms.has(form)) return;
    forms.set(form, label);
    lengths.add(form.length);
    longest = Math.max(longest, form.length);
    const sum = sumOf(form, 0, 1);
    set(hashOf(sum, FACTORS[0]));
    set(hashOf(sum, FACTORS[1]));
  };
  const mayBegin = (sum: number) => isSet(hashOf(sum, FACTORS[0])) && isSet(hashOf(sum, FACTORS[1]));
  const registerWindows = (label: string, form: string, { length, step }: { length: number; step: number }) => {
    if (form.length < length && form.length >= SHORTEST_WHOLE) register(label, form);
    for (let at = 0; at + length <= form.length; at += step) register(label, form.slice(at, at + length));
  };

  /** The label of a form that begins at a position and goes on in a direction. */
  const labelAt = (view: string, at: number, direction: 1 | -1): string | undefined => {
    const ahead =
      direction === 1 ? view.slice(at, at + longest) : reversed(view.slice(Math.max(0, at + 1 - longest), at + 1));
    for (const length of lengths) {
      const label = forms.get(ahead.slice(0, length));
      if (label !== undefined) return label;
    }
    return undefined;
  };
  const findTowards = (view: string, direction: 1 | -1): string | undefined => {
    let at = direction === 1 ? 0 : view.length - 1;
    let sum = sumOf(view, at, direction);
    for (let left = view.length - SHORTEST; left >= 0; left -= 1) {
      const label = mayBegin(sum) ? labelAt(view, at, direction) : undefined;
      if (label !== undefined) return label;
      const next = view.charCodeAt(at + SHORTEST * direction) | 0;
      sum = (Math.imul(sum - Math.imul(view.charCodeAt(at), HIGHEST_POWER), BASE) + next) | 0;
      at += direction;
    }
    return undefined;
  };

  return {
    add(label, secret, windows) {
      for (const window of windows) register(label, normalized(window));
      const bytes = Buffer.from(secret);
      for (const form of base64Forms(bytes)) registerWindows(label, normalized(form), BASE64);
      registerWindows(label, bytes.toString('hex'), HEX);
      registerWindows(label, [...bytes].join(''), DECIMAL);
    },
    find(text) {
      if (forms.size === 0) return undefined;
      const views = [normalized(text)];
      if (ESCAPED.test(text)) views.push(normalized(unescaped(text)));
      if (text.includes('<')) views.push(normalized(unescaped(text.replace(TAGS, ''))));
      for (const view of views) {
        const label = findTowards(view, 1) ?? findTowards(view, -1);
        if (label !== undefined) return label;
      }
      return undefined;
    },
  };
}

const BASE = 31;
const HIGHEST_POWER = BASE ** (SHORTEST - 1);

/** A sum of six characters, from one position forwards or backwards. It can be moved on by one character. */
function sumOf(text: string, at: number, direction: 1 | -1): number {
  let sum = 0;
  for (let step = 0; step < SHORTEST; step += 1)
    sum = (Math.imul(sum, BASE) + text.charCodeAt(at + step * direction)) | 0;
  return sum;
}

/** Each form sets a bit for each factor. A position of a text without a form seldom has both. */
const FACTORS = [0x9e3779b1, 0x85ebca6b] as const;

function hashOf(sum: number, factor: number): number {
  return Math.imul(sum, factor) >>> (32 - FILTER_BITS);
}

/** Letters and digits without their case, and @, which tells an address from its domain. Everything else may separate. */
function normalized(text: string): string {
  return NOT_ASCII.test(text)
    ? text.normalize('NFKC').replace(SEPARATORS, '').toLowerCase()
    : text.replace(ASCII_SEPARATORS, '').toLowerCase();
}
const NOT_ASCII = /[^ -~\s]/;
const ASCII_SEPARATORS = /[^A-Za-z0-9@]+/g;
/** Marks separate too: a text can be crossed out by a mark after each character. */
const SEPARATORS = /[^\p{L}\p{N}@]+/gu;
/** A browser shows `<b>a</b><b>c</b>` as one word. */
const TAGS = /<[^<>]*>/g;

/** The text without escapes of URLs, JSON, JavaScript, C, CSS, HTML and XML, also where they are escaped again. */
function unescaped(text: string): string {
  let view = text;
  for (let round = 0; round < MOST_ROUNDS && ESCAPED.test(view); round += 1) {
    const next = view.replace(ESCAPES, (found: string, ...groups: (string | undefined)[]) => {
      const [decimal, octal, ...hex] = groups.slice(0, FORMS);
      const digits = hex.find((one) => one !== undefined);
      const code = Number.parseInt(digits ?? octal ?? decimal ?? '', digits ? 16 : octal ? 8 : 10);
      if (Number.isNaN(code)) return NAMED[found.toLowerCase()] ?? ' ';
      return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    });
    if (next === view) break;
    view = next;
  }
  return view;
}
const MOST_ROUNDS = 4;
const ESCAPED = /[%\\&]|0x|U\+/i;
const DECIMAL_FORMS = [String.raw`&#0*(\d{1,7});?`];
const OCTAL_FORMS = [String.raw`\\(?!0000)([0-3]?[0-7]{2})`];
const HEX_FORMS = [
  '%u?([0-9a-f]{4}(?<=%u....)|[0-9a-f]{2})',
  String.raw`\\u([0-9a-f]{4})`,
  String.raw`\\u\{0*([0-9a-f]{1,6})\}`,
  String.raw`(?:\\|\b0)x([0-9a-f]{2})`,
  '&#x0*([0-9a-f]{1,6});?',
  String.raw`\\0{4}([0-9a-f]{2})`,
  String.raw`\bU\+([0-9a-f]{4,6})`,
];
const FORMS = DECIMAL_FORMS.length + OCTAL_FORMS.length + HEX_FORMS.length;
const ESCAPES = new RegExp([...DECIMAL_FORMS, ...OCTAL_FORMS, ...HEX_FORMS, '&[a-z]{2,20};'].join('|'), 'gi');
/** Character references by name that matter here. The others are no letter or digit of a token, so they separate. */
const NAMED: Readonly<Record<string, string>> = { '&commat;': '@', '&amp;': '&', '&percnt;': '%', '&bsol;': '\\' };

/** The characters of base64 that show only the secret, for each position of it among groups of three bytes. */
function base64Forms(secret: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), secret]);
    const text = bytes.toString('base64').replace(/=+$/, '');
    return text.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? undefined : -1);
  });
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
