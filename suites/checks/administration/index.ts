import pMap from 'p-map';
import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { isLoopback } from '../../../harness/settings/parse-values.ts';
import { controlOf } from '../shared/confirm.ts';
import { type Decided, fail, inconclusive, notTestable } from '../shared/decision.ts';
import { confirmUse, mustMake, notTestableBecause, resultFor } from './assertions.ts';
import { creators } from './creators.ts';
import { expiry } from './expiry.ts';
import { lifetime } from './lifetime.ts';
import { terms } from './terms.ts';
import { createTokenMaker, type TokenMaker } from './token-maker.ts';

const PARTS = [...terms, ...creators, expiry, ...lifetime];
const REQUIREMENTS = [...new Set(PARTS.flatMap(({ requirements }) => requirements))];
/** Decisions of the reference service. They bind no other target. */
const OWN = new Set(REQUIREMENTS.filter((id) => id.startsWith('reference.')));
/** Only the reference service gets concurrent requests. Another ADMINISTRATION_COMMAND may drive a browser. */
const AT_ONCE = 4;

/**
 * Creates tokens in the admin console (spec 2.1) through ADMINISTRATION_COMMAND. Afterwards it revokes them where that is
 * possible. The others expire within two days.
 */
export async function administration(api: CheckApi): Promise<readonly CheckResult[]> {
  const bound = REQUIREMENTS.filter((id) => api.trusted || !OWN.has(id));
  const all = (decided: Decided) => bound.map((id) => resultFor({ api }, id, decided));
  const missing = missingSetting(api);
  if (missing) return all(missing);
  const [operation] = api.contract.operations;
  const userEmail = api.variable('USER_EMAIL');
  if (!operation || userEmail === undefined || !api.administer) return [];
  const maker = createTokenMaker(api, api.administer, operation, userEmail);
  const first = await makeFirst(maker, all);
  if (first.kind === 'problems') {
    if (!api.trusted) await revokeAll(maker);
    return first.results;
  }
  const parts = PARTS.filter(({ requirements }) => requirements.some((id) => bound.includes(id)));
  const found = await pMap(parts, (part) => part.decide(maker.fork(first.control)), {
    concurrency: api.trusted ? AT_ONCE : 1,
  });
  if (!api.trusted) await revokeAll(maker);
  return found.flat();
}

/** What the operator must set before the check can start. */
function missingSetting(api: CheckApi): Decided | undefined {
  if (!api.administer) return notTestable('ADMINISTRATION_COMMAND');
  if (api.variable('USER_EMAIL') === undefined) return notTestable('USER_EMAIL');
  const { hostname } = new URL(api.variable('TARGET_BASE_URL') ?? '');
  if (!api.claims.inferred || isLoopback(hostname)) return undefined;
  return {
    verdict: 'not-testable',
    detail: 'administration in CONFORMANCE_CLAIMS, because this check creates tokens on the target',
  };
}

/** That the first token is accepted, or what is wrong with it. */
type First =
  | { readonly kind: 'accepted'; readonly control: Acceptance }
  | { readonly kind: 'problems'; readonly results: readonly CheckResult[] };

/** Makes an ordinary token. Without one that works, the refusal of another token proves nothing (outcomes 2). */
async function makeFirst(maker: TokenMaker, all: (decided: Decided) => CheckResult[]): Promise<First> {
  const problems = (...results: CheckResult[]): First => ({ kind: 'problems', results });
  const what = 'a token that a Super Admin requested for USER_EMAIL';
  const result = await maker.make('super-admin');
  switch (result.kind) {
    case 'made': {
      const { scope } = maker.operation;
      const use = { shows: `${what} with the scope ${scope} is accepted`, wanted: 'accepted' } as const;
      const { outcome, answer } = await confirmUse(maker, result, use);
      const control = await maker.api.acceptance(answer);
      if (control) return { kind: 'accepted', control };
      if (outcome.kind === 'lost') return problems(...all(inconclusive(outcome.why)));
      if (outcome.kind === 'accepted')
        return problems(
          ...all(inconclusive('the target refuses no request, so that the tokens it makes prove nothing')),
        );
      const undecided = inconclusive('the first token that was made is refused, so the others prove nothing');
      const detail = `${what} with the scope ${scope} was made, but a request with it got ${outcome.status}`;
      // A target that refuses every token says nothing about this one.
      const anyAccepted = await controlOf(maker.api, maker.operation.id);
      const blamed = resultFor(maker, 'administration.scopes', fail(answer, detail));
      return problems(...all(undecided), ...(anyAccepted ? [blamed] : []));
    }
    case 'refused': {
      const undecided = inconclusive('no token could be made, so the refusal of others proves nothing');
      // A target that accepts no token at all may be unreachable in the same way for its administration.
      if (!(await controlOf(maker.api, maker.operation.id))) return problems(...all(undecided));
      // The date may be the reason.
      const withoutDate = await mustMake(maker, 'super-admin', what, { expires: undefined });
      const dated = fail(undefined, `a token with a date in the future was refused: ${result.why}`);
      const refused = fail(undefined, `${what} was refused: ${result.why}`);
      const blamed =
        withoutDate.verdict === 'pass'
          ? resultFor(maker, 'administration.expires', dated)
          : resultFor(maker, 'administration.super-admin', refused);
      return problems(...all(undecided), blamed);
    }
    case 'unsupported':
    case 'failed':
      return problems(...all(notTestableBecause(result)));
  }
}

/** Revokes every token that was made, if the target allows it. */
async function revokeAll({ api, made, ask }: TokenMaker): Promise<void> {
  let unsupported: string | undefined;
  for (const { token } of made) {
    const answer = unsupported === undefined ? await ask('revoke', 'super-admin', { id: token.id }) : undefined;
    if (answer?.kind === 'unsupported') unsupported = answer.why;
    const why = answer?.kind === 'done' ? undefined : (answer?.why ?? unsupported);
    if (why !== undefined) api.removed('token', token.id, `it could not be revoked: ${why}`);
  }
}
