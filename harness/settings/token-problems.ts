import type { Contract } from '../contract/contract.ts';
import { covers } from '../contract/holdings.ts';
import { parsedJson } from '../contract/json-value.ts';
import type { Catalogue, TokenVariable } from './catalogue.ts';
import { FORBIDDEN_CHARACTER, isHeaderValue, isPlaceholder } from './parse-values.ts';

/** What is wrong with a token that is sent after `Bearer `; undefined if nothing is. The text never shows the token. */
export function tokenProblem(token: string): string | undefined {
  if (!isHeaderValue(token)) return `contains ${FORBIDDEN_CHARACTER}`;
  if (token !== token.trim()) return 'starts or ends with whitespace';
  if (/^bearer\s/i.test(token)) return 'starts with Bearer; set only the token, the suite adds what stands before it';
  if (/\s/.test(token)) return 'contains whitespace, which a bearer token cannot (RFC 6750 2.1)';
  if (/[^!-~]/.test(token)) return 'contains a letter that is not in ASCII, which a bearer token cannot (RFC 6750 2.1)';
  if (isPlaceholder(token))
    return 'is a placeholder that nothing replaced; set the token itself, or remove the variable';
  return /^["'`<]|["'`>]$/.test(token) ? 'is in quotes or brackets; set only the token' : undefined;
}

/** How far the clocks of the target and of this machine may differ, in milliseconds. */
const SKEW_MS = 60_000;
/** How long ago a JWT must have expired: many targets still accept one for a few minutes, because clocks differ (RFC 7519 4.1.4). */
const EXPIRED_FOR_MS = 5 * 60_000;

/**
 * How the times of a token contradict its use; undefined if they do not, or if nobody knows them. Without this check
 * the target would be blamed for refusing a token that has expired.
 * @param now milliseconds since the epoch.
 * @param expiresAt milliseconds since the epoch, as `TOKEN_COMMAND` says. The `exp` of a JWT counts before it.
 */
export function lifetimeProblem(token: string, validity: string, now: number, expiresAt?: number): string | undefined {
  const { exp = expiresAt, nbf } = timesOf(token);
  if (validity === 'expired') {
    if (exp === undefined || exp <= now - EXPIRED_FOR_MS) return undefined;
    return `${exp > now ? 'expires' : 'expired'} at ${dateOf(exp)}; it must have expired at least five minutes ago`;
  }
  if (exp !== undefined && exp < now - SKEW_MS) return `expired at ${dateOf(exp)}; get a new one`;
  if (nbf !== undefined && nbf > now + SKEW_MS) return `is not valid before ${dateOf(nbf)}; it must be valid now`;
  return undefined;
}

/** When a token expires that must be valid, in milliseconds since the epoch. Undefined if nobody knows. */
export function endOf(token: string, validity: string, expiresAt?: number): number | undefined {
  return validity === 'expired' ? undefined : (timesOf(token).exp ?? expiresAt);
}

/** What is wrong with a token for a use: its form, or its times if there is something to compare them with. */
export function problemOfUse(token: string, validity: string, now: number | undefined): string | undefined {
  return tokenProblem(token) ?? (now === undefined ? undefined : lifetimeProblem(token, validity, now));
}

/** The times in the claims of a JWT (RFC 7519 4.1). Its signature is the target's to check. */
function timesOf(token: string): { readonly exp?: number; readonly nbf?: number } {
  const [, claims = '', signature] = token.split('.');
  if (signature === undefined) return {};
  const { exp, nbf } = Object(parsedJson(Buffer.from(claims, 'base64url').toString()));
  return { ...(isTime(exp) && { exp: exp * 1000 }), ...(isTime(nbf) && { nbf: nbf * 1000 }) };
}

/** Whether a claim is a time in seconds since the epoch that a Date can represent. */
function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Math.abs(seconds) < 1e11;
}

export function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, '');
}

/**
 * What is wrong with the tokens that are set: each on its own, and compared with the others. One line for each problem.
 * @param values the variables that are set.
 * @param now the time to compare with the times in a JWT, in milliseconds since the epoch; undefined to skip this
 * check.
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
  const [before = ''] = contract.matrix.headers.authorization.lines['bearer']?.[0]?.split('{token}') ?? [];
  // A token may begin with the same letters.
  const starts = [before, `${contract.matrix.headers.authorization.name}:`].filter((text) => /\W/.test(text));
  const wholeLine = (token: string) => starts.find((text) => token.toLowerCase().startsWith(text.toLowerCase()));
  const alone = uses.flatMap(({ name, token, validity }) => {
    const start = wholeLine(token);
    const problem =
      start === undefined
        ? problemOfUse(token, validity, now)
        : `starts with ${start.trim()}; set only the token, the suite adds what stands before it`;
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  const duplicates = [...tokensUsedTwice(contract, uses).values()];
  return [
    ...alone,
    ...duplicates.map(
      (names) => `${names.join(' and ')} are the same token; they must differ in kind, validity or scopes`,
    ),
  ];
}

export interface UsedToken extends TokenVariable {
  readonly token: string;
}

/**
 * Finds the tokens that are set for uses which must differ, so at least one of the names is wrong. Uses differ in kind,
 * in validity, or in the operations that their scopes permit. An expiry in the future makes no difference.
 * @returns the names of the uses, by token.
 */
export function tokensUsedTwice(
  contract: Contract,
  uses: readonly UsedToken[],
): ReadonlyMap<string, readonly string[]> {
  const usesByToken = new Map<string, Map<string, string>>();
  for (const { name, token, kind, validity, holding } of uses) {
    const effective = validity === 'future-expiry' ? 'valid' : validity;
    const permitted = contract.operations.map(({ scopes }) => covers(contract, holding, scopes));
    const use = [kind, effective, ...permitted].join(' ');
    const names = usesByToken.get(token) ?? new Map<string, string>();
    if (!names.has(use)) names.set(use, name);
    usesByToken.set(token, names);
  }
  const conflicts = [...usesByToken].filter(([, names]) => names.size > 1);
  return new Map(conflicts.map(([token, names]) => [token, [...names.values()].sort()]));
}
