import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { unlisted, type Variation } from '../../variations/variation.ts';

/** The cookies that an answer sets, as a client returns them (RFC 6265 4.2.1). @param how in words, shown in place of values. */
export function cookieSetBy(
  api: Pick<CheckApi, 'given'>,
  { headers }: Pick<CheckAnswer, 'headers'>,
  how: string,
): Variation | undefined {
  const pairs = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]?.trim() ?? '');
  for (const pair of pairs) api.given(pair.slice(pair.indexOf('=') + 1), how);
  if (pairs.length === 0) return undefined;
  return unlisted(how, { id: 'cookies of the target', name: 'Cookie', isAlone: true, value: pairs.join('; ') });
}

/** Headers that seem to name a session, as a client sends them back. No server tells sessions apart by a few characters. */
export function headersGivenBy(
  api: Pick<CheckApi, 'contract' | 'given'>,
  { headers }: Pick<CheckAnswer, 'headers'>,
  kind: string,
): readonly Variation[] {
  const own = Object.values(api.contract.matrix.headers).map(({ name }) => name.toLowerCase());
  const how = (name: string) => `the header ${name} that the ${kind} token got`;
  return Object.entries(headers).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !SESSION.test(name) || !/^\S{12,4096}$/.test(value) || own.includes(name))
      return [];
    api.given(value, how(name));
    return [unlisted(how(name), { id: `header ${name} of the target`, name, value })];
  });
}
const SESSION = /session|token|ticket|csrf|xsrf|auth|jwt|(?:^|-)sid$/i;
