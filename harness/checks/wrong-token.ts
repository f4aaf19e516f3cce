import type { Call, CheckApi, RawCall } from './check.ts';

/**
 * Whether the target may count the token of a call as refused, whatever it answers: the call must be refused, and it has a
 * token other than a full one. What is refused without a token, or with a full one, is refused for something else.
 */
export function sendsWrongToken({ full, claims }: Pick<CheckApi, 'full' | 'claims'>, call: Call): boolean {
  const { credential, authorization, wanted } = call;
  if (wanted !== 'refused' || authorization === null) return false;
  return authorization !== undefined || !claims.kinds.some((kind) => full(kind)?.token === credential?.token);
}

/** The same for a raw request, of which nothing but the text is known. */
export function rawSendsToken({ wanted, text }: Pick<RawCall, 'wanted' | 'text'>): boolean {
  return wanted === 'refused' && /^authorization:/im.test(text);
}
