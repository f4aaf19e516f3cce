/** The text without escapes of URLs, JSON, JavaScript, C, CSS, HTML, XML, SQL and mail, also where they are escaped again. */
export function unescaped(text: string): string {
  let view = text;
  for (let round = 0; round < MOST_ROUNDS && isEscaped(view); round += 1) {
    const next = view.replace(ESCAPES, (found: string, ...groups: (string | undefined)[]) => {
      const [decimal, other, octal, ...hex] = groups.slice(0, FORMS);
      const digits = hex.find((one) => one !== undefined);
      const code = Number.parseInt(digits ?? octal ?? decimal ?? other ?? '', digits ? 16 : octal ? 8 : 10);
      if (Number.isNaN(code)) return NAMED[found.toLowerCase()] ?? '';
      return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    });
    if (next === view) break;
    view = next.replace(UTF8, fromUtf8);
  }
  return view;
}
const MOST_ROUNDS = 6;
const ESCAPED = /%u?[0-9a-f]{2}|\\[^\s]|&[#a-z]|=[0-9a-f]{2}=|=\r?\n|0x[0-9a-f]|U\+[0-9a-f]{4}|ch\w{0,9}\s{0,3}\(/i;

export function isEscaped(text: string): boolean {
  return ESCAPED.test(text);
}
const DECIMAL_FORMS = [
  String.raw`&#0*(\d{1,7});?`,
  String.raw`\b(?:n?char|u?n?i?chr|chrw|(?:string\.)?fromc(?:harcode|odepoint))\s{0,3}\(\s{0,3}(\d{1,7})\s{0,3}\)`,
];
const OCTAL_FORMS = [String.raw`\\(?!0000|[0-9a-f]{2} )(?:o\{)?([0-3]?[0-7]{2})\}?`];
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
const FORMS = DECIMAL_FORMS.length + OCTAL_FORMS.length + HEX_FORMS.length;
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
  '=\n': '',
  '=\r\n': '',
};

/** Characters of UTF-8 that were decoded byte by byte. */
const SEQUENCE = String.raw`[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}`;
const UTF8 = new RegExp(SEQUENCE, 'g');
const fromUtf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8');
