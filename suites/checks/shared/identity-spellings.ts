/** Another way to write the email of a person. */
export interface Spelling {
  readonly how: string;
  readonly value: string;
  /** The most telling ones. A slow operation gets only these, and so does a check without the whole breadth. */
  readonly isTelling?: true;
  /** Read as the same person by some implementations, which the specification allows: `observed`. */
  readonly isFree?: true;
  /** Another person can have this address. Accepted, it breaks something only if it shows what `email` may see (outcomes 2). */
  readonly mayBeAnothers?: true;
}

/** An address as people have it, in Latin letters. Nobody has one at .invalid (RFC 6761 6.4). */
const ADDRESS = /^[\p{Script=Latin}\d._-]+@[\p{Script=Latin}\d-]+(\.[\p{Script=Latin}\d-]+)*$/u;
const mayBeAnothers = (value: string) => {
  const address = Buffer.from(value, 'latin1').toString();
  return ADDRESS.test(address) && !address.endsWith('.invalid');
};

/** Spellings of an email. `other` is the email of another existing person, or of nobody. */
export function identitySpellings(email: string, other: string): readonly Spelling[] {
  const [local = '', domain = ''] = email.split('@');
  const spelled = (how: string, value: string): Spelling => ({
    how,
    value,
    ...(mayBeAnothers(value) && { mayBeAnothers: true }),
  });
  const telling = (how: string, value: string): Spelling => ({ ...spelled(how, value), isTelling: true });
  const free = (how: string, value: string): Spelling => ({ how, value, isFree: true });
  const all = [
    telling('a list of two people', `${email}, ${other}`),
    spelled('a list with semicolons', `${email};${other}`),
    spelled('a list whose last entry is the person', `${other},${email}`),
    spelled('a list with an empty entry', `${email},`),
    telling('a display name and the email in angle brackets', `A Person <${email}>`),
    spelled('the email in angle brackets', `<${email}>`),
    telling('mailto: and the email', `mailto:${email}`),
    spelled('a name and an equals sign before the email', `email=${email}`),
    spelled('a JSON array', JSON.stringify([email])),
    telling('the beginning of the email', email.slice(0, -1)),
    spelled('the email without its first letter', email.slice(1)),
    spelled('the part before the @', local),
    telling('the email and another domain behind it', `${email}.invalid`),
    spelled('a letter before the email', `x${email}`),
    telling('the wildcard %', '%'),
    spelled('a wildcard for the part before the @', `%@${domain}`),
    spelled('an asterisk at the end of the beginning', `${email.slice(0, 3)}*`),
    spelled('an underscore for a letter', `_${email.slice(1)}`),
    spelled('a regular expression', '.*'),
    spelled('the email in double quotes', `"${email}"`),
    spelled('the email in single quotes', `'${email}'`),
    telling('an encoded @', email.replace('@', '%40')),
    telling('a look-alike of a letter', utf8(lookAlike(email))),
    // Some databases compare without accents.
    telling('an accent on a letter', utf8(email.replace(/[aeiou]/, (letter) => `${letter}\u0301`.normalize('NFC')))),
    spelled('a domain in Punycode', `${local}@xn--${domain}`),
    spelled('an invisible character', utf8(`${local}\u200b@${domain}`)),
    spelled('a soft hyphen', `${local}\xad@${domain}`),
    spelled('a tab in the email', `${local}\t@${domain}`),
    spelled('a blank in the email', `${local} @${domain}`),
    free('the email in upper case', email.toUpperCase()),
    free('a plus-tag', `${local}+tag@${domain}`),
    free('blanks around the email', `\xa0${email}\xa0`),
    // A user name is compared without regard to the width of its characters (RFC 8265 3.3).
    free('a full-width @', utf8(email.replace('@', '\uff20'))),
  ];
  // An email without a letter that has a look-alike, or in upper case anyway, is not spelled otherwise.
  return all.filter(({ value }) => value !== email && value !== '');
}

/** A header value is sent as Latin-1, one byte for each character. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ['a', '\u0430'],
  ['e', '\u0435'],
  ['o', '\u043e'],
  ['i', '\u0456'],
  ['c', '\u0441'],
]);
const lookAlike = (email: string): string => email.replace(/[aeoic]/, (letter) => LOOK_ALIKES.get(letter) ?? letter);
