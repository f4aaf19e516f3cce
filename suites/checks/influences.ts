import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Variation } from '../variations/variation.ts';
import { bundlesOf } from '../variations/variation.ts';
import { oncePerFamily, queryOperations } from './shared/breadth.ts';
import { cookiesSetBy } from './shared/cookies.ts';
import { variationsOf } from './shared/known-variations.ts';
import { strangerTo } from './shared/private-documents.ts';
import { isOfIssued, type Refusal, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { sendVaried } from './shared/send-varied.ts';
import {
  acceptedWith,
  type Caller,
  callerOf,
  refusedAlone,
  staysHidden,
  staysRefused,
  type Tried,
} from './shared/vary.ts';

/**
 * Nothing that the specification does not name makes the target accept what it must refuse, or show what it must hide
 * (outcomes 2).
 */
export const influences: Check = {
  id: 'influences',
  title: 'What must be refused is refused whatever else the request carries',
  requirements: [
    'token.expired',
    'scope.search',
    'scope.chat',
    'act-as.missing',
    'act-as.unknown',
    'auth-type.missing',
    'authorization.required',
    'token.unknown',
    'token.foreign',
    'user.isolation',
    'act-as.effective',
    'act-as.no-escalation',
    'search.success',
    'chat.success',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    const sessions = new Map<string, Variation>();
    for (const operation of queryOperations(api.contract)) {
      const variations = variationsToTry(api, operation);
      let bundles = bundlesOf(variations);
      // A slow operation gets the first bundle only.
      if (operation.isSlow && api.breadth !== 'whole') bundles = bundles.slice(0, 1);
      let withoutToken = true;
      const refusals = refusalsToTry(api, operation);
      for (const kind of api.claims.kinds) {
        const ofKind = refusals.filter((refusal) => refusal.kind === kind);
        // A request without a token has the first kind that is accepted as its control.
        if (ofKind.length === 0 && !withoutToken) continue;
        const caller = await callerOf(api, { operation, kind, stranger: strangerTo(api, operation, kind) });
        if (!caller) continue;
        const tried = await acceptedWith(caller, bundles);
        if (tried.alone.length > 0) results.push(refusedAlone(caller, tried.alone));
        results.push(...(await staysHidden(caller, tried)));
        const session = sessions.get(kind) ?? (await sessionOf(caller));
        if (session) sessions.set(kind, session);
        const own = session ? (await acceptedWith(caller, [[session]])).groups : [];
        for (const refusal of [...ofKind, ...(withoutToken ? refusalsWithoutToken(api, operation, kind) : [])]) {
          const refused = refusal.kind === 'none' ? sentAnyway(variations, tried) : [];
          results.push(await staysRefused(caller, refusal, { groups: [...tried.groups, ...own], refused }));
        }
        if (!caller.control) continue;
        withoutToken = false;
        // What this kind cannot send, the next one cannot send either. One search for it is enough.
        bundles = tried.groups.map(({ items }) => items);
      }
    }
    return results;
  },
};

/** The checks `side-doors` and `other-paths` try other methods and paths, and `circumstances` other queries. */
function variationsToTry(api: CheckApi, operation: Operation): readonly Variation[] {
  return variationsOf(api, operation).filter(
    ({ kind, isTelling }) => !['method', 'path', 'query'].includes(kind) && (isTelling || api.breadth === 'whole'),
  );
}

function refusalsToTry(api: CheckApi, operation: Operation): readonly Refusal[] {
  const all = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
  return oncePerFamily(api, all, operation.isSlow ? 'first' : 'last');
}

/** The cookies that the target sets for a token. They must not stand in for it. A slow operation is not asked for them. */
async function sessionOf({ api, operation, kind, base }: Caller): Promise<Variation | undefined> {
  if (operation.isSlow) return undefined;
  const shows = `the documented request with the ${kind} token is accepted and may set cookies`;
  const answer = await sendVaried(api, operation, { base, variations: [], shows, wanted: 'accepted' });
  const how = `the cookies of the ${kind} token`;
  const value = cookiesSetBy(api, answer, how);
  return value === undefined
    ? undefined
    : { kind: 'header', name: 'Cookie', value, how, isTelling: true, leadsElsewhere: false };
}

/** What some servers obey before they look for a token. It is sent without one, even if it is refused with one. */
function sentAnyway(variations: readonly Variation[], { groups }: Tried): readonly Variation[] {
  const accepted = new Set(groups.flatMap(({ items }) => items));
  return variations.filter(
    (one) => !accepted.has(one) && one.isTelling && (one.leadsElsewhere || one.kind === 'content-type'),
  );
}
