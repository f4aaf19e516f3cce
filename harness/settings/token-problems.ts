import { decodeJwt } from 'jose/jwt/decode';
import type { Catalogue } from './catalogue.ts';
import { FORBIDDEN_WORDS, isHeaderValue } from './header-value.ts';
import { tokensUsedTwice, type UsedToken } from './same-token-twice.ts';

/** What is wrong with a token that is to stand behind `Bearer `; undefined when nothing is. The token is never shown. */
export function tokenProblem(token: string): string | undefined {
  if (!isHeaderValue(token)) return `holds ${FORBIDDEN_WORDS}`;
  if (token !== token.trim()) return 'begins or ends with a blank';
  if (/^bearer\s/i.test(token)) return 'begins with Bearer: give the token alone, the scheme is sent with it';
  if (/\s/.test(token)) return 'holds a blank, which no bearer token does (RFC 6750 2.1)';
  return /^["'`<]|["'`>]$/.test(token) ? 'stands in quotes or brackets: give the token alone' : undefined;
}

/** Clocks of a target and of this machine may differ by so many milliseconds before anything is said. */
const SKEW_MS = 60_000;

/**
 * What a JWT says of its own time that its use contradicts: a token in force that has expired would be blamed on the
 * target. A token that is no JWT says nothing.
 * @param now milliseconds since the epoch.
 */
export function lifetimeProblem(token: string, validity: string, now: number): string | undefined {
  const { exp, nbf } = timesOf(token);
  if (validity === 'expired')
    return exp !== undefined && exp > now + SKEW_MS
      ? `is a JWT that expires only at ${dateOf(exp)}; wanted one that has expired`
      : undefined;
  if (exp !== undefined && exp < now - SKEW_MS)
    return `is a JWT that expired at ${dateOf(exp)}; wanted one in force: get a new one`;
  return nbf !== undefined && nbf > now + SKEW_MS
    ? `is a JWT that counts only from ${dateOf(nbf)}; wanted one in force`
    : undefined;
}

function timesOf(token: string): { readonly exp?: number; readonly nbf?: number } {
  try {
    const { exp, nbf } = decodeJwt(token);
    return { ...(isTime(exp) && { exp: exp * 1000 }), ...(isTime(nbf) && { nbf: nbf * 1000 }) };
  } catch {
    return {};
  }
}

/** What a date can show: seconds since the epoch, of some thousand years. */
function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Math.abs(seconds) < 1e11;
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, '');
}

/**
 * What is wrong with the tokens that are set, each alone and beside the others, by name.
 * @param values the variables that are set.
 * @param now milliseconds since the epoch that a JWT's times are held against; undefined where the clock is not this one.
 */
export function tokenProblems(
  { contract, tokens }: Catalogue,
  values: ReadonlyMap<string, string>,
  now: number | undefined,
): readonly string[] {
  const uses = tokens.flatMap((variable): UsedToken[] => {
    const token = values.get(variable.name);
    return token === undefined || token.trim() === '' ? [] : [{ ...variable, token }];
  });
  const alone = uses.flatMap(({ name, token, validity }) => {
    const problem = tokenProblem(token) ?? (now === undefined ? undefined : lifetimeProblem(token, validity, now));
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  const doubles = [...tokensUsedTwice(contract, uses).values()];
  return [
    ...alone,
    ...doubles.map((names) => `${names.join(' and ')} are one token, yet differ in kind, validity or scopes`),
  ];
}
