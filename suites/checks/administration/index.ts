import pMap from 'p-map';
import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { isLoopback } from '../../../harness/settings/parse-values.ts';
import { controlOf } from '../shared/confirm.ts';
import { byOutcome, type Decided, decisionsOn, fail, inconclusive, notTestable } from '../shared/decision.ts';
import { expiry } from './expiry.ts';
import { lifetime } from './lifetime.ts';
import { unlikeAsked } from './records.ts';
import { terms } from './terms.ts';
import { ask, confirmUse, type MadeToken, make, type TokenMaker, tokenMaker } from './token-maker.ts';
import { type Finding, gotOf, mustMake, notDone, type Trials } from './trials.ts';

const TRIALS: Trials = {
  ...terms,
  'administration.expires': () => [expiry],
  // The trial above decides it too: where no token expires, the last day shows nothing.
  'reference.last-day': () => [],
  ...lifetime,
};

/** Only the reference service gets concurrent requests. Another ADMINISTRATION_COMMAND may drive a browser. */
const AT_ONCE = 4;

/** Creates tokens in the admin console (spec 2.1). Then it revokes them where that is possible. The others expire within two days. */
export async function administration(api: CheckApi): Promise<readonly CheckResult[]> {
  // Decisions of the reference service bind no other target.
  const bound = Object.entries(TRIALS).filter(([id]) => api.trusted || !id.startsWith('reference.'));
  const all = (decided: Decided) => bound.flatMap(([id]) => resultsOf(api, id, decided));
  const missing = missingSetting(api);
  if (missing) return all(missing);
  const [operation] = api.contract.operations;
  const userEmail = api.variable('USER_EMAIL');
  if (userEmail === undefined || !api.administer) return [];
  const maker = tokenMaker(api, api.administer, operation, userEmail);
  const { control, undecided, blamed } = await makeFirst(maker);
  const decide = async ([id, trialsOf]: (typeof bound)[number]) => {
    const results: CheckResult[] = [];
    for (const trial of trialsOf({ ...maker, control })) {
      const own = { ...maker, control, api: api.fork() };
      results.push(...[await trial(own)].flat().flatMap((found) => resultsOf(own.api, id, found)));
    }
    return results;
  };
  const results = undecided
    ? [...all(undecided), ...(blamed ? resultsOf(api, blamed.requirement, blamed) : [])]
    : (await pMap(bound, decide, { concurrency: api.trusted ? AT_ONCE : 1 })).flat();
  if (!undecided) results.push(...unlikeAsked(maker).flatMap((found) => resultsOf(api, found.requirement, found)));
  if (!api.trusted) await revokeAll(maker);
  return results;
}

/** The requirements are about tokens, so no operation is named. */
const resultsOf = (api: CheckApi, requirement: string, found: Finding): readonly CheckResult[] =>
  decisionsOn(api, { requirement, operation: 'any', kind: 'any' }, found);

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

/** That the first token is accepted, or why nothing is decided, and what is to blame for that. */
interface First {
  readonly control?: Acceptance;
  readonly undecided?: Decided;
  readonly blamed?: Decided & { readonly requirement: string };
}

const FIRST = 'a token that a Super Admin requested for USER_EMAIL';

/** Makes an ordinary token. Without one that works, the refusal of another token proves nothing (outcomes 2). */
async function makeFirst(maker: TokenMaker): Promise<First> {
  const result = await make(maker);
  if (result.kind === 'made') return useFirst(maker, result);
  if (result.kind !== 'refused') return { undecided: notDone(result) };
  const undecided = inconclusive('no token could be made, so the refusal of others proves nothing');
  // A target that accepts no token at all may be unreachable in the same way for its administration.
  if (!(await controlOf(maker.api, maker.operation.id))) return { undecided };
  // The date may be the reason.
  const { verdict } = await mustMake({ what: FIRST, changes: { expires: undefined } })(maker);
  const [requirement, what] =
    verdict === 'pass'
      ? ['administration.expires', 'a token with a date in the future']
      : ['administration.super-admin', FIRST];
  return { undecided, blamed: { ...fail(undefined, `${what} was refused: ${result.why}`), requirement } };
}

async function useFirst(maker: TokenMaker, made: MadeToken): Promise<First> {
  const { api, operation } = maker;
  const what = `${FIRST} with the scope ${operation.scopes}`;
  const { outcome, answer } = await confirmUse(maker, made, { shows: `${what} is accepted`, wanted: 'accepted' });
  const control = await api.acceptance(answer);
  if (control) return { control };
  const undecided = byOutcome(outcome, {
    accepted: inconclusive('the target refuses no request, so that the tokens it makes prove nothing'),
    refused: inconclusive('the first token that was made is refused, so the others prove nothing'),
  });
  // A target that refuses every token says nothing about this one.
  if (outcome.kind !== 'refused' || !(await controlOf(api, operation.id))) return { undecided };
  const refused = fail(answer, `${what} was made, but a request with it ${gotOf(answer)}`);
  const [unlike = { ...refused, requirement: 'administration.scopes' }] = unlikeAsked(maker);
  return { undecided, blamed: unlike };
}

async function revokeAll(maker: TokenMaker): Promise<void> {
  let unsupported: string | undefined;
  for (const { token } of maker.made) {
    const answer = unsupported === undefined ? await ask(maker, 'revoke', { id: token.id }) : undefined;
    if (answer?.kind === 'unsupported') unsupported = answer.why;
    const why = answer?.kind === 'done' ? undefined : (answer?.why ?? unsupported);
    if (why !== undefined) maker.api.removed('token', token.id, `it could not be revoked: ${why}`);
  }
}
