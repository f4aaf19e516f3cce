/** In characters. */
const maxLength = 100;

/** Names of our own pages and of our own client, folded. */
const reserved: readonly RegExp[] = [/adminconsole/, /^(?:the)?clientapi(?:admin|console)*$/];

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
  if (!/[\p{L}\p{N}]/u.test(name)) return 'client_name needs a letter or a digit';
  if (mixesScripts(name))
    return 'client_name mixes letters of several scripts in one word; use one script for each word';
  if (reserved.some((own) => own.test(folded(name))))
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

/** Ignores letter case, accents, widths, spaces and punctuation. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
