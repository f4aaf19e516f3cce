import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { credentialLine } from '../../harness/plan/request.ts';
import { unlisted } from '../variations/variation.ts';
import { kindsOfFamilies, operationsToTry } from './shared/breadth.ts';
import { callerOf } from './shared/caller.ts';
import { decideEach } from './shared/decision.ts';
import { refusalsWithoutToken } from './shared/refusals.ts';
import { sendVaried } from './shared/send-varied.ts';
import { staysRefused } from './shared/vary.ts';

/**
 * No text of an answer is a token: tokens come from an administrator or from a provider (spec 1), and what an answer names, such
 * as its trackingToken, ends up in logs.
 */
export const answersAsTokens = (api: CheckApi): Promise<readonly CheckResult[]> => {
  const kinds = kindsOfFamilies(api).slice(0, api.breadth === 'whole' ? undefined : 1);
  return decideEach(operationsToTry(api), (operation) => decideEach(kinds, (kind) => decide(api, operation, kind)));
};

async function decide(api: CheckApi, operation: Operation, kind: string): Promise<readonly CheckResult[]> {
  const caller = await callerOf(api, { operation, kind });
  const refusal = refusalsWithoutToken(api, operation, kind).find((one) => one.kind === 'unknown');
  if (!caller?.control || !refusal) return [];
  const shows = `the documented request with the ${kind} token is accepted, and may name what a target takes for a token`;
  const { base } = caller;
  const answer = await sendVaried(api, operation, { base, variations: [], shows, wanted: 'accepted' });
  const tokens = api.claims.kinds.map((one) => api.full(one)?.token);
  const texts = opaqueTexts(answer.text)
    .filter(({ text }) => !tokens.includes(text))
    .slice(0, MOST[api.breadth]);
  if (texts.length === 0) return [];
  const groups = texts.map(({ name, text }) => {
    const how = `${name} of an answer as the token`;
    api.given(text, how);
    const value = credentialLine(api.contract, text);
    const item = unlisted(how, { kind: 'authorization', name: how, isAlone: true, value });
    return { items: [item], evidence: caller.like };
  });
  const { varied: _noRow, ...result } = await staysRefused(
    caller,
    { ...refusal, headers: base.headers },
    { groups, refused: [] },
  );
  return [result];
}

const MOST = { telling: 1, whole: 6 };

interface Named {
  readonly name: string;
  readonly text: string;
}

/** The texts that are as long as a token and have no blanks, those first whose name says that they are something of the kind. */
function opaqueTexts(answer: string): readonly Named[] {
  const members = answer.matchAll(/"([\w-]{1,40})"\s*:\s*"([\w.~+/=-]{12,4096})"/g);
  const found = [...members].map(([, name = '', text = '']) => ({ name, text }));
  // A target may renew the token of a request, or show a person their own, which is open. What has no digit may be a word.
  const opaque = found.filter(({ name, text }) => !RENEWED.test(name) && /\d/.test(text));
  const distinct = [...new Map(opaque.map((one) => [one.text, one])).values()];
  return distinct.sort((a, b) => Number(LIKELY.test(b.name)) - Number(LIKELY.test(a.name)));
}
const RENEWED = /(?:access|refresh|id|bearer|auth|new|renewed)[_-]?token|api[_-]?key|jwt/i;
const LIKELY = /token|secret|session|ticket|key/i;
