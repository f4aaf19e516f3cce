import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';

/** Shorter values, such as a language, are no session, and to mask them would mask other text. */
const SHORTEST_SECRET = 6;

/**
 * The cookies that an answer sets, as a client returns them in `Cookie` (RFC 6265 4.2.1). Undefined if it sets none.
 * @param what the cookies in words, which are shown in place of their values.
 */
export function cookiesSetBy(
  api: Pick<CheckApi, 'given'>,
  { headers }: Pick<CheckAnswer, 'headers'>,
  what: string,
): string | undefined {
  const pairs = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]?.trim() ?? '');
  for (const pair of pairs) {
    const value = pair.slice(pair.indexOf('=') + 1);
    if (value.length >= SHORTEST_SECRET) api.given(value, what);
  }
  return pairs.length === 0 ? undefined : pairs.join('; ');
}
