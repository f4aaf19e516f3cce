/**
 * Control characters (C0 and C1), marks that change the direction of text, characters that show nothing, line
 * separators, and what no Unicode text may contain. Also the `#` of `##vso[`, `##teamcity[` and `##[`: CI servers run
 * such commands wherever they are in a log.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\p{NChar}]|#(?=#[a-z]*\[)/giu;
/** What cannot be seen in a line that somebody pastes: that, and blanks of other alphabets, which look like a space. */
export const UNSEEN = new RegExp(`(?:${INVISIBLE.source}|(?! )[\\p{Zs}\\u2800])+`, 'giu');
const PLAIN = /^(?:[ -"$-~]|#(?!#))*$/;

/**
 * A text in which everything can be seen: it cannot control a terminal or a CI server, begin a new line, or look like
 * another text.
 * Everything that is shown passes this function, because a target, a journal or a file may have chosen it.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, escaped);
}

/** A value with every text in it made visible. Keys stay as they are. */
export function visibleIn<T>(value: T): T;
export function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map((inner) => visibleIn(inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visibleIn(inner)]));
}

/** The colours and styles of our own output (picocolors), and line feeds. */
const OURS = ['\n', ...[0, 1, 2, 22, 31, 32, 33, 36, 39].map((style) => `\u001b[${style}m`)];
const OURS_OR_INVISIBLE = new RegExp(`\\u001b\\[\\d+m|${INVISIBLE.source}`, 'giu');

/** What may go to a terminal: the same, except for lines and colours of our own. */
export function visibleLines(text: string): string {
  return text.replace(OURS_OR_INVISIBLE, (found) => (OURS.includes(found) ? found : escaped(found)));
}

/** Escapes the first character of a text. */
function escaped(text: string): string {
  const [first = '', ...rest] = text;
  return `\\u{${first.codePointAt(0)?.toString(16)}}${rest.join('')}`;
}

/** Printable ASCII with line feeds, for JSON: a terminal obeys other characters, and some look like others or like nothing. */
export function inAscii(json: string): string {
  return json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A pattern that matches just this text. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A pattern that matches any of these texts in any case, the longest first. */
export function anyOf(texts: readonly string[]): RegExp {
  const patterns = [...texts].sort((a, b) => b.length - a.length).map(literal);
  return new RegExp(patterns.join('|') || '(?!)', 'gi');
}

/** A text as one word of a shell, in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : singleQuoted(text);
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
