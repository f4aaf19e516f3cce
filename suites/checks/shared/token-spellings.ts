import { isSameToken, isSpelledAlike } from '../../../harness/plan/token-bytes.ts';

/** Another way to write an Authorization line. It is not `Bearer` and an issued token. */
export interface AuthorizationSpelling {
  readonly how: string;
  readonly value: string;
  /** The part of the value that is made from the token, if it does not contain the whole token. */
  readonly made?: string;
  readonly requirement: 'authorization.malformed' | 'token.tampered';
  /** The specification does not say whether it is the same token (outcomes 2). */
  readonly isFree?: boolean;
  /** Without the whole breadth, only these are sent. */
  readonly isTelling?: boolean;
}

/** Spellings of the Authorization line of a token. `other` is a token that nobody issued. */
export function tokenSpellings(token: string, other: string): readonly AuthorizationSpelling[] {
  const half = Math.floor(token.length / 2);
  const line = (how: string, value: string): AuthorizationSpelling => ({
    how,
    value,
    requirement: 'authorization.malformed',
  });
  const changed = (how: string, made: string): AuthorizationSpelling[] =>
    made === token || (isSameToken(token, made) && !isSpelledAlike(token, made))
      ? []
      : [{ how, value: `Bearer ${made}`, made, requirement: 'token.tampered', isFree: isSpelledAlike(token, made) }];
  const part = (how: string, made: string) => ({ ...line(how, `Bearer ${made}`), made });
  // RFC 7617 2: the user, a colon and the password in base64.
  const basic = (how: string, pair: string) => {
    const made = Buffer.from(pair).toString('base64');
    return { ...line(how, `Basic ${made}`), made };
  };
  const [first = ''] = token;
  const encoded = `%${first.charCodeAt(0).toString(16)}${token.slice(1)}`;
  const all = [
    // RFC 6750 2.1: one scheme, one space, one token of the characters of token68.
    ...['Token', 'Digest', 'Bearerx', 'Bearer:', 'JWT', 'OAuth'].map((scheme) =>
      line(`the scheme ${scheme}`, `${scheme} ${token}`),
    ),
    basic('Basic with the token as password', `user:${token}`),
    basic('Basic with the token as user', `${token}:`),
    line('a list of two tokens', `Bearer ${token}, ${other}`),
    line('a list of two tokens, the second issued', `Bearer ${other}, ${token}`),
    line('a list of two credentials', `Bearer ${other}, Bearer ${token}`),
    line('two tokens and a blank', `Bearer ${other} ${token}`),
    line('the scheme twice', `Bearer Bearer ${token}`),
    line('a name before the token', `Bearer token="${token}"`),
    line('the token in double quotes', `Bearer "${token}"`),
    line('the token in single quotes', `Bearer '${token}'`),
    line('the token in angle brackets', `Bearer <${token}>`),
    part('a blank in the token', `${token.slice(0, half)} ${token.slice(half)}`),
    part('an encoded character of the token', encoded),
    line('the wildcard *', 'Bearer *'),
    line('the wildcard %', 'Bearer %'),
    part('the beginning of the token and a wildcard', `${token.slice(0, half)}%`),
    ...changed('the beginning of the token', token.slice(0, half)),
    ...changed('the token in upper case', token.toUpperCase()),
    ...changed('the token in lower case', token.toLowerCase()),
    ...changed('the token without hyphens', token.replaceAll('-', '')),
    ...changed('underscores instead of hyphens', token.replaceAll('-', '_')),
    ...changed('the token twice', `${token}${token}`),
  ];
  return all.map((one) => ({ ...one, isTelling: TELLING.includes(one.how) }));
}

/** One for each way in which servers have read too much into the line, or have compared too little of the token. */
const TELLING = [
  'the scheme Token',
  'the scheme Digest',
  'Basic with the token as password',
  'a list of two tokens',
  'a list of two tokens, the second issued',
  'the scheme twice',
  'the beginning of the token and a wildcard',
  'the beginning of the token',
  'the token in upper case',
];
