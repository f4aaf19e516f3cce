/** In characters. */
const maxLength = 100;

/** Names of our own pages and of our own client, folded. So an l stands for an i as well. */
const reserved: readonly RegExp[] = [/admlnconsole/, /^(?:the)?cllentapl(?:admln|console)*$/];

/** Characters that look like a Latin letter in many fonts. */
const lookalikes: readonly (readonly [RegExp, string])[] = [
  [/[0\u1d0f]/g, 'o'],
  [/[1i\u0131\u0269\u026a\u01c0]/g, 'l'],
  [/[4@\u0251\u1d00]/g, 'a'],
  [/[3\u1d07]/g, 'e'],
  [/[5$\ua731]/g, 's'],
];

/**
 * Checks the name that a client chose. People read it on the sign-in and consent pages, so it must not imitate our pages or
 * change the text around it.
 *
 * @returns the reason why it is refused; undefined for a good name
 */
export function clientNameProblem(name: string): string | undefined {
  if (name.length > maxLength) return `client_name has ${name.length} characters; use at most ${maxLength}`;
  // Control, format and private-use characters, separators other than the space, and letters that show nothing.
  if (/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(name))
    return 'client_name contains a control or invisible character; remove it';
  // Blanks that are no spaces, and spaces that move the rest of the name away from its start.
  if (/[\u2800\u{1D159}]|[^\S ]| {2}|^ | $/u.test(name))
    return 'client_name contains a blank that is not a single space between two words; remove it';
  if (/\p{M}{4}/u.test(name)) return 'client_name has four marks on one letter; use at most three';
  if (!/[\p{L}\p{N}]/u.test(name)) return 'client_name needs a letter or a digit';
  if (mixesScripts(name))
    return 'client_name mixes letters of several scripts in one word; use one script for each word';
  const spellings = [name, name.replaceAll('|', 'l')].map(folded);
  if (reserved.some((own) => spellings.some((spelling) => own.test(spelling))))
    return 'client_name is a name of this service; choose another one';
  return undefined;
}

/** Letters that look like Latin ones are Cyrillic or Greek for the most part (UTS 39 5.2). */
function mixesScripts(name: string): boolean {
  const words = name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? [];
  const scripts = [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Armenian}/u,
    /\p{Script=Cherokee}/u,
  ];
  return words.some((word) => scripts.filter((script) => script.test(word)).length > 1);
}

/** Ignores letter case, accents, widths, spaces, punctuation, and which of two lookalikes a character is. */
function folded(name: string): string {
  const text = lookalikes.reduce(
    (read, [characters, letter]) => read.replace(characters, letter),
    name.normalize('NFKD').toLowerCase(),
  );
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** The name of a client for people. Where its id is an address, the host of that is the one thing that it cannot choose. */
export function shownName({
  clientId,
  clientName,
}: {
  readonly clientId: string;
  readonly clientName?: string | undefined;
}): string {
  const host = /^https:/.test(clientId) ? URL.parse(clientId)?.host : undefined;
  if (host === undefined) return clientName ?? clientId;
  return clientName === undefined ? host : `${clientName} (${host})`;
}
