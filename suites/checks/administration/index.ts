import pMap from 'p-map';
import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { isLoopback } from '../../../harness/settings/loopback.ts';
import { type Decided, fail, lacking, unclear } from '../parts/decision.ts';
import { creators } from './creators.ts';
import { expiry } from './expiry.ts';
import { mustMake, prevented, say, tried } from './findings.ts';
import { lifetime } from './lifetime.ts';
import { terms } from './terms.ts';
import { createTokenMaker, type TokenMaker } from './token-maker.ts';

const PARTS = [...terms, ...creators, expiry, ...lifetime];
const REQUIREMENTS = [...new Set(PARTS.flatMap(({ requirements }) => requirements))];
/** Ours alone: they bind no other target. */
const OWN = new Set(REQUIREMENTS.filter((id) => id.startsWith('reference.')));
/** The reference service is asked by several at once; behind another command may be a browser. */
const AT_ONCE = 4;

/**
 * The tokens of the admin console (spec 2.1), by way of ADMINISTRATION_COMMAND. Whoever claims it lets tokens be made;
 * what can be revoked is, and the rest ends within two days.
 */
export const administration: Check = {
  id: 'administration',
  title: 'Tokens are created by whom and as the specification says, and stay as they were created',
  requirements: REQUIREMENTS,
  capability: 'administration',
  intrusive: false,
  async run(api) {
    const bound = REQUIREMENTS.filter((id) => api.trusted || !OWN.has(id));
    const all = (finding: Decided) => bound.map((id) => say(id, finding));
    const missing = whatIsMissing(api);
    if (missing) return all(missing);
    const [operation] = api.contract.operations;
    const userEmail = api.variable('USER_EMAIL');
    if (!operation || userEmail === undefined || !api.administer) return [];
    const maker = createTokenMaker(api, api.administer, operation, userEmail);
    const { first, results } = await begin(maker, all);
    if (!first) return results;
    const parts = PARTS.filter(({ requirements }) => requirements.some((id) => bound.includes(id)));
    const found = await pMap(parts, (part) => part.decide(maker), { concurrency: api.trusted ? AT_ONCE : 1 });
    if (!api.trusted) await tidy(maker);
    return [...results, ...found.flat()];
  },
};

/** What has to be set or said before anything is asked of anybody. */
function whatIsMissing(api: CheckApi): Decided | undefined {
  if (!api.administer) return lacking('ADMINISTRATION_COMMAND');
  if (api.variable('USER_EMAIL') === undefined) return lacking('USER_EMAIL');
  const { hostname } = new URL(api.variable('TARGET_BASE_URL') ?? '');
  if (!api.claims.inferred || isLoopback(hostname)) return undefined;
  return {
    verdict: 'not-testable',
    detail: 'CONFORMANCE_CLAIMS with administration in it: tokens are made on the target',
  };
}

/** A token like any other. Where there is none, no refusal of another says anything. */
async function begin(
  maker: TokenMaker,
  all: (finding: Decided) => CheckResult[],
): Promise<{ first: boolean; results: CheckResult[] }> {
  const what = 'a token of a Super Admin for USER_EMAIL';
  const making = await maker.make('super-admin');
  switch (making.kind) {
    case 'made': {
      const outcome = await tried(maker, making);
      if (outcome.kind === 'accepted') return { first: true, results: [] };
      const silent = unclear('the first token that was made is not accepted, so nothing else says anything');
      if (outcome.kind === 'lost') return { first: false, results: all(unclear(outcome.why)) };
      const { scope } = maker.operation;
      const unreached = fail(`${what} with the scope ${scope}: made, and then answered ${outcome.status}`);
      return { first: false, results: [...all(silent), say('administration.scopes', unreached)] };
    }
    case 'refused': {
      const silent = unclear('no token could be made, so no refusal says anything');
      // It may be the date that is refused.
      const dateless = await mustMake(maker, 'super-admin', what, { expires: undefined });
      const blame =
        dateless.verdict === 'pass'
          ? say('administration.expires', fail(`a token with a date that lies ahead was refused: ${making.why}`))
          : say('administration.super-admin', fail(`${what} was refused: ${making.why}`));
      return { first: false, results: [...all(silent), blame] };
    }
    case 'unsupported':
    case 'failed':
      return { first: false, results: all(prevented(making)) };
  }
}

/** Leaves nothing behind that works, as far as the target lets tokens be revoked. */
async function tidy({ made, ask }: TokenMaker): Promise<void> {
  for (const { token } of made) {
    const answer = await ask('revoke', 'super-admin', { id: token.id });
    if (answer.kind === 'unsupported') return;
  }
}
