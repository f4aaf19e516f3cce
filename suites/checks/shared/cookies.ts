import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';

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
  for (const pair of pairs) api.given(pair.slice(pair.indexOf('=') + 1), what);
  return pairs.length === 0 ? undefined : pairs.join('; ');
}
